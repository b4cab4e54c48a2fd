public import MarketModel
import StreamCore

/// The markets of this process, numbered. Fixed once the server runs, so every event loop may read it.
public struct MarketRegistry: Sendable {
    public let markets: [Market]
    /// The name of each market's feed where there are several; else empty.
    let feedNames: [String]
    /// What each market's candles are stored under.
    let storeNames: [String]
    /// Each market's symbol as JSON, escaped once.
    let symbolJSON: [[UInt8]]
    private let table: SymbolTable
    /// Names without their feed, of which there is one only.
    private let bareNames: [String: Int]

    public init(_ markets: [Market]) {
        let symbols = markets.map(\.symbol)
        self.init(markets, feedNames: symbols.map { _ in "" }, storeNames: symbols, bareNames: symbols)
    }

    /// - Parameter bareNames: each market's symbol as its feed calls it.
    init(_ markets: [Market], feedNames: [String], storeNames: [String], bareNames: [String]) {
        self.markets = markets
        self.feedNames = feedNames
        self.storeNames = storeNames
        table = SymbolTable(markets.map(\.symbol))
        symbolJSON = markets.map { ServerMessageWriter.symbolJSON($0.symbol) }
        var numbers: [String: Int] = [:]
        for (number, name) in bareNames.enumerated() { numbers[name] = numbers[name] == nil ? number : -1 }
        self.bareNames = numbers.filter { $0.value >= 0 }
    }

    /// By its name, or by that without its feed where no other feed has it too.
    public func find(_ symbol: String) -> Int? { table.find(symbol) ?? bareNames[symbol] }

    /// The symbols for an error message, at most twenty of them.
    var allowedNames: String {
        let shown = markets.prefix(20).map(\.symbol).joined(separator: ", ")
        return markets.count > 20 ? "\(shown) and \(markets.count - 20) more" : shown
    }
}
