public import MarketModel
import StreamCore

/// The markets of this process, numbered. Fixed once the server runs, so every event loop may read it.
public struct MarketRegistry: Sendable {
    public let markets: [Market]
    /// Each market's symbol as JSON, escaped once.
    let symbolJSON: [[UInt8]]
    private let table: SymbolTable

    public init(_ markets: [Market]) {
        self.markets = markets
        table = SymbolTable(markets.map(\.symbol))
        symbolJSON = markets.map { ServerMessageWriter.symbolJSON($0.symbol) }
    }

    public func find(_ symbol: String) -> Int? { table.find(symbol) }

    /// The symbols for an error message, at most twenty of them.
    var allowedNames: String {
        let shown = markets.prefix(20).map(\.symbol).joined(separator: ", ")
        return markets.count > 20 ? "\(shown) and \(markets.count - 20) more" : shown
    }
}
