import ArgumentParser
import HistoryStore
import MarketFeeds
import MarketModel

/// Which market of which venue is meant, and where the venue is.
struct VenueOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The market, as coinbase:BTC-USD or kraken:BTC/USD.", valueName: "VENUE:SYMBOL"))
    var market: String

    @Option(help: "Length of a candle: \(ChartCommand.timeframes).", transform: ChartCommand.timeframe)
    var timeframe: Timeframe = .m1

    @Option(
        help: ArgumentHelp(
            "Where the venue's REST interface is, instead of its own address: http://host[:port].", valueName: "url"))
    var url: String?

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The name in the store of real markets. Default: VENUE:SYMBOL, as the server has it.", valueName: "symbol"))
    var storedAs: String?

    @OptionGroup
    var access: CredentialsOptions

    /// The market's name in the store.
    var stored: String { storedAs ?? market }

    var symbol: String { market.split(separator: ":", maxSplits: 1).last.map(String.init) ?? market }

    func history() throws -> VenueHistory {
        let parts = market.split(separator: ":", maxSplits: 1).map(String.init)
        let names = HistoryCatalogue.venues.map(\.rawValue).joined(separator: ", ")
        guard parts.count == 2, !parts[1].isEmpty, parts[1].utf8.allSatisfy({ $0 > 32 && $0 != 127 }) else {
            throw HistoryFailure.usage(
                "“\(market)” is no market; it is VENUE:SYMBOL, as coinbase:BTC-USD. The venues are \(names).")
        }
        guard let venue = Venue(rawValue: parts[0]), let adapter = HistoryCatalogue.adapter(for: venue) else {
            throw HistoryFailure.usage("“\(parts[0])” is no venue whose history can be fetched; those are \(names).")
        }
        guard adapter.timeframes.contains(timeframe) else {
            throw HistoryFailure.usage(
                "\(venue.rawValue) has no \(timeframe.rawValue) candles; --timeframe can be "
                    + "\(adapter.timeframes.map(\.rawValue).joined(separator: ", ")).")
        }
        guard let name = FeedCatalogue.adapter(named: venue.rawValue)?.credentialsName else {
            return try VenueHistory(adapter, base: url)
        }
        let headers = adapter.headers(try access.required(name))
        return try VenueHistory(adapter, base: url, transport: .network(headers: headers))
    }
}
