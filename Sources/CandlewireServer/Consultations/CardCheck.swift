import Consultation
import MarketModel
import StreamCore

/// Whether a card that a language model makes can do here what it says: a mistake is reported now, to the model, and
/// not on the click.
struct CardCheck: Sendable {
    let registry: MarketRegistry

    /// - Returns: the call, with markets by the names that the page has them by.
    func checked(_ call: ToolCall) throws(ToolCallRefusal) -> ToolCall {
        var call = call
        if let symbol = call.arguments["symbol"]?.text { call.arguments["symbol"] = .string(try market(symbol)) }
        if let symbols = call.arguments["symbols"]?.elements {
            var markets: [JSONValue] = []
            for symbol in symbols { markets.append(.string(try market(symbol.text ?? ""))) }
            call.arguments["symbols"] = .array(markets)
        }
        if let timeframe = call.arguments["timeframe"]?.text, Timeframe(rawValue: timeframe) == nil {
            let known = Timeframe.allCases.map(\.rawValue).joined(separator: " ")
            throw ToolCallRefusal("There is no timeframe \"\(timeframe.prefix(40))\"; there are \(known).")
        }
        for indicator in call.arguments["indicators"]?.elements ?? [] { try check(indicator: indicator.text ?? "") }
        return call
    }

    private func market(_ symbol: String) throws(ToolCallRefusal) -> String {
        guard let market = registry.find(symbol) else {
            throw ToolCallRefusal(
                "There is no market \"\(symbol.prefix(40))\" on this server; there are \(registry.allowedNames).")
        }
        return registry.markets[market].symbol
    }

    /// As the page reads one: a name, and numbers behind it (`sma20`, `EMA 50`, `bollinger(20, 2)`).
    private func check(indicator given: String) throws(ToolCallRefusal) {
        let text = given.drop { $0 == " " }
        let name = text.prefix { $0.isASCII && $0.isLetter || $0 == "-" }
        let rest = text.dropFirst(name.count)
        guard StudyKind(identifier: name.lowercased()) != nil, rest.allSatisfy({ "0123456789., /_()".contains($0) })
        else {
            let known = StudyKind.allCases.map { "\($0.identifier)" }.joined(separator: " ")
            throw ToolCallRefusal("There is no indicator \"\(text.prefix(40))\"; there are \(known).")
        }
    }
}
