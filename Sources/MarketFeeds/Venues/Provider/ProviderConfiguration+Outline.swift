import Foundation
import MarketModel

extension ProviderConfiguration {
    /// The configuration as plain texts and paths, in JSON, for programs that play the provider: `SimulatedProvider` of
    /// TestKit reads it. Without secrets.
    public var outline: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Texts and whole numbers only: this cannot fail.
        return (try? encoder.encode(Outline(self))).map { [UInt8]($0) } ?? []
    }

    /// Whether it can be played: messages in an envelope cannot.
    public var canBePlayed: Bool { shape.batch == nil }
}

private struct Outline: Encodable {
    struct Field: Encodable {
        var path: [String]
        var isFromMessage: Bool
    }

    struct Sort: Encodable {
        var types: [String]
        var rows: [String]?
        var fields: [String: Field] = [:]

        init(_ rule: ProviderRule) {
            types = rule.types
            rows = rule.rows?.steps
            for (field, path) in rule.fields {
                fields[field.word] = Field(path: path.steps, isFromMessage: path.isFromMessage)
            }
        }
    }

    struct Heartbeat: Encodable {
        var text: String
        var type: String
    }

    struct History: Encodable {
        var path: String
        var unit: String
        var sort: Sort
    }

    var path: String
    var subscribe: String
    var unsubscribe: String?
    var heartbeat: Heartbeat?
    var type: [String]?
    var unit: String
    var sorts: [String: Sort] = [:]
    var buy: String
    var sell: String
    var history: History?
    var timeframe: Int
    var timeframes: [String: Int] = [:]

    init(_ provider: ProviderConfiguration) {
        let url = provider.url.text
        let address = url.dropFirst(url.hasPrefix("wss://") ? 6 : 5).prefix { $0 != "?" }
        path = address.firstIndex(of: "/").map { String(address[$0...]) } ?? "/"
        subscribe = provider.subscribe.text
        unsubscribe = provider.unsubscribe?.text
        let shape = provider.shape
        if let heartbeat = provider.heartbeat, let answer = shape.rule(.heartbeat)?.types.first {
            self.heartbeat = Heartbeat(text: heartbeat.text.text, type: answer)
        }
        type = shape.type?.steps
        unit = shape.unit.rawValue
        for rule in shape.rules where rule.meaning != .heartbeat { sorts[rule.meaning.rawValue] = Sort(rule) }
        buy = shape.rule(.tick)?.buy.first ?? "buy"
        sell = shape.rule(.tick)?.sell.first ?? "sell"
        history = provider.history.map { History(path: $0.path.text, unit: $0.unit.rawValue, sort: Sort($0.rule)) }
        timeframe = Int(shape.timeframe.seconds)
        for (timeframe, name) in shape.timeframeNames { timeframes[name] = Int(timeframe.seconds) }
    }
}
