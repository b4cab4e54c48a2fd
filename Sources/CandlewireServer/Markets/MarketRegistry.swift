import HTTPTypes
import MarketModel
import StreamCore
import Synchronization

/// The markets of this process, numbered. Every event loop may read it, and copies share one state; the numbers are fixed
/// once the server runs, some of them kept free for markets that are added then.
struct MarketRegistry: Sendable {
    /// How a market is called besides its symbol here.
    struct Names: Sendable {
        /// Of its feed, where there are several.
        var feed = ""
        var store: String
        /// As its feed calls it; and the same behind the feed's name: `kraken:BTC/USD`.
        var bare: String
        var full: String
        /// As people call it, a company's name for example; `nil`: not known.
        var title: String?
        /// Whether clients may find it: not where it was removed, and not a number that is kept free.
        var isListed = true
    }

    private struct Table {
        var markets: [Market]
        var names: [Names]
        /// Each market's symbol as JSON, escaped once.
        var symbolJSON: [[UInt8]]
        var symbolUTF8: [[UInt8]]
        var symbols: [String: Int] = [:]
        /// Other names that reach one market: without its feed, where no other feed has it too, and with it.
        var otherNames: [String: Int] = [:]
        /// Changes so far.
        var listing = 0

        /// Makes the names anew from the listed markets.
        mutating func index() {
            listing += 1
            (symbols, otherNames) = ([:], [:])
            for (number, name) in names.enumerated() where name.isListed {
                symbols[markets[number].symbol] = number
                otherNames[name.bare] = otherNames[name.bare] == nil ? number : -1
            }
            otherNames = otherNames.filter { $0.value >= 0 }
            for (number, name) in names.enumerated() where name.isListed { otherNames[name.full] = number }
        }
    }

    private final class Shared: Sendable {
        let table: Mutex<Table>
        init(_ table: Table) { self.table = Mutex(table) }
    }

    private let shared: Shared
    /// A copy, for a look at several markets at once.
    private var table: Table { shared.table.withLock { $0 } }

    init(_ markets: [Market]) {
        self.init(markets, names: markets.map { Names(store: $0.symbol, bare: $0.symbol, full: $0.symbol) })
    }

    init(_ markets: [Market], names: [Names]) {
        var table = Table(
            markets: markets, names: names,
            symbolJSON: markets.map { ServerMessageWriter.symbolJSON($0.symbol) },
            symbolUTF8: markets.map { Array($0.symbol.utf8) })
        table.index()
        shared = Shared(table)
    }

    /// By number, those that are not listed included; a number that is kept free has an empty symbol.
    var markets: [Market] { table.markets }
    var names: [Names] { table.names }
    /// What each market's candles are stored under.
    var storeNames: [String] { names.map(\.store) }
    var symbolJSON: [[UInt8]] { table.symbolJSON }
    var symbolUTF8: [[UInt8]] { table.symbolUTF8 }

    /// The numbers of the markets that clients may find.
    var listed: [Int] {
        let names = names
        return names.indices.filter { names[$0].isListed }
    }

    /// Changes of their names, and of which are listed, so far.
    var listing: Int { shared.table.withLock { $0.listing } }

    func isListed(_ market: Int) -> Bool { shared.table.withLock { $0.names[market].isListed } }
    func storeName(_ market: Int) -> String { shared.table.withLock { $0.names[market].store } }

    /// What the listed markets are priced in, sorted.
    var quoteCurrencies: [String] {
        let table = table
        return Set(table.markets.indices.filter { table.names[$0].isListed }.map { table.markets[$0].quoteCurrency })
            .sorted()
    }

    /// By its name, by that with its feed, or by that without it where no other feed has it too.
    func find(_ symbol: String) -> Int? { shared.table.withLock { $0.symbols[symbol] ?? $0.otherNames[symbol] } }

    /// - Throws: `unknown_symbol`.
    func market(_ symbol: String, status: HTTPResponse.Status = .notFound) throws(APIError) -> Int {
        if let market = find(symbol) { return market }
        throw APIError(
            status, "unknown_symbol",
            "Unknown symbol \"\(symbol.prefix(40))\"; this server has \(allowedNames).", field: "symbol")
    }

    /// The symbols for an error message, at most twenty of them.
    var allowedNames: String {
        let (markets, listed) = (markets, listed)
        let shown = listed.prefix(20).map { markets[$0].symbol }.joined(separator: ", ")
        return listed.count > 20 ? "\(shown) and \(listed.count - 20) more" : shown
    }

    // MARK: Changes

    /// Gives a market one of these numbers: the one that it had, or the first that is kept free.
    /// - Returns: `nil` where there is none left.
    func place(_ market: Market, _ names: Names, in numbers: Range<Int>) -> Int? {
        shared.table.withLock { table in
            let known = numbers.first { table.names[$0].full == names.full }
            guard let number = known ?? numbers.first(where: { table.markets[$0].symbol.isEmpty }) else { return nil }
            table.markets[number] = market
            table.names[number] = names
            table.symbolJSON[number] = ServerMessageWriter.symbolJSON(market.symbol)
            table.symbolUTF8[number] = Array(market.symbol.utf8)
            table.index()
            return number
        }
    }

    /// Clients do not find it any more; it keeps its number and its names.
    func remove(_ market: Int) {
        shared.table.withLock { table in
            table.names[market].isListed = false
            table.index()
        }
    }

    func setTitle(_ title: String, of market: Int) {
        shared.table.withLock { table in
            table.names[market].title = title
            table.listing += 1
        }
    }
}
