import HTTPTypes
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
    /// Other names that reach one market: without its feed, where no other feed has it too, and with it.
    private let otherNames: [String: Int]

    public init(_ markets: [Market]) {
        let symbols = markets.map(\.symbol)
        self.init(
            markets, feedNames: symbols.map { _ in "" }, storeNames: symbols, bareNames: symbols, fullNames: symbols)
    }

    /// - Parameters:
    ///   - bareNames: each market's symbol as its feed calls it.
    ///   - fullNames: the same behind the feed's name: `kraken:BTC/USD`.
    init(
        _ markets: [Market], feedNames: [String], storeNames: [String], bareNames: [String], fullNames: [String]
    ) {
        self.markets = markets
        self.feedNames = feedNames
        self.storeNames = storeNames
        table = SymbolTable(markets.map(\.symbol))
        symbolJSON = markets.map { ServerMessageWriter.symbolJSON($0.symbol) }
        var numbers: [String: Int] = [:]
        for (number, name) in bareNames.enumerated() { numbers[name] = numbers[name] == nil ? number : -1 }
        numbers = numbers.filter { $0.value >= 0 }
        for (number, name) in fullNames.enumerated() { numbers[name] = number }
        otherNames = numbers
    }

    /// By its name, by that with its feed, or by that without it where no other feed has it too.
    public func find(_ symbol: String) -> Int? { table.find(symbol) ?? otherNames[symbol] }

    /// - Throws: `unknown_symbol`.
    func market(_ symbol: String, status: HTTPResponse.Status = .notFound) throws(APIError) -> Int {
        if let market = find(symbol) { return market }
        throw APIError(
            status: status, code: "unknown_symbol",
            message: "Unknown symbol \"\(symbol.prefix(40))\"; this server has \(allowedNames).", field: "symbol")
    }

    /// The symbols for an error message, at most twenty of them.
    var allowedNames: String {
        let shown = markets.prefix(20).map(\.symbol).joined(separator: ", ")
        return markets.count > 20 ? "\(shown) and \(markets.count - 20) more" : shown
    }
}
