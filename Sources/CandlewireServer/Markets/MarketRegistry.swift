import HTTPTypes
import MarketModel
import StreamCore

/// The markets of this process, numbered. Fixed once the server runs, so every event loop may read it.
struct MarketRegistry: Sendable {
    let markets: [Market]
    /// The name of each market's feed where there are several; else empty.
    let feedNames: [String]
    /// What each market's candles are stored under.
    let storeNames: [String]
    /// Each market's symbol as JSON, escaped once.
    let symbolJSON: [[UInt8]]
    /// How a market is called besides its symbol here.
    struct Names {
        /// Of its feed, where there are several.
        var feed = ""
        var store: String
        /// As its feed calls it; and the same behind the feed's name: `kraken:BTC/USD`.
        var bare: String
        var full: String
    }

    private let table: SymbolTable
    /// Other names that reach one market: without its feed, where no other feed has it too, and with it.
    private let otherNames: [String: Int]

    init(_ markets: [Market]) {
        self.init(markets, names: markets.map { Names(store: $0.symbol, bare: $0.symbol, full: $0.symbol) })
    }

    init(_ markets: [Market], names: [Names]) {
        self.markets = markets
        feedNames = names.map(\.feed)
        storeNames = names.map(\.store)
        table = SymbolTable(markets.map(\.symbol))
        symbolJSON = markets.map { ServerMessageWriter.symbolJSON($0.symbol) }
        var numbers: [String: Int] = [:]
        for (number, name) in names.enumerated() { numbers[name.bare] = numbers[name.bare] == nil ? number : -1 }
        numbers = numbers.filter { $0.value >= 0 }
        for (number, name) in names.enumerated() { numbers[name.full] = number }
        otherNames = numbers
    }

    /// By its name, by that with its feed, or by that without it where no other feed has it too.
    func find(_ symbol: String) -> Int? { table.find(symbol) ?? otherNames[symbol] }

    /// - Throws: `unknown_symbol`.
    func market(_ symbol: String, status: HTTPResponse.Status = .notFound) throws(APIError) -> Int {
        if let market = find(symbol) { return market }
        throw APIError(
            status, "unknown_symbol",
            "Unknown symbol \"\(symbol.prefix(40))\"; this server has \(allowedNames).", field: "symbol")
    }

    /// The symbols for an error message, at most twenty of them.
    var allowedNames: String {
        let shown = markets.prefix(20).map(\.symbol).joined(separator: ", ")
        return markets.count > 20 ? "\(shown) and \(markets.count - 20) more" : shown
    }
}
