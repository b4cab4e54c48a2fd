import ArgumentParser
import Foundation
import HistoryStore
import MarketFeeds
import MarketModel

/// Which market of which venue is meant, and where the venue is.
struct VenueOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The market, as coinbase:BTC-USD or kraken:BTC/USD, or provider:FILE:SYMBOL of a provider by its configuration.",
            valueName: "VENUE:SYMBOL"))
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

    /// What is meant by all of this.
    struct Resolved {
        var history: VenueHistory
        /// As the venue has it.
        var symbol: String
        /// Behind its feed's name.
        var title: String
        /// The market's name in the store.
        var stored: String
    }

    func resolved() throws -> Resolved {
        let parts = market.split(separator: ":", maxSplits: 1).map(String.init)
        if parts.first == Venue.provider.rawValue { return try provided() }
        let names = HistoryCatalogue.names.joined(separator: ", ")
        guard parts.count == 2, !parts[1].isEmpty, parts[1].utf8.allSatisfy({ $0 > 32 && $0 != 127 }) else {
            throw CommandFailure.usage(
                "“\(market)” is no market; it is VENUE:SYMBOL, as coinbase:BTC-USD. The venues are \(names).")
        }
        guard let adapter = HistoryCatalogue.adapter(named: parts[0]) else {
            throw CommandFailure.usage(
                "\(FeedOutline.withoutHistory(parts[0])) The venues whose history can be fetched are \(names), and "
                    + "provider:FILE.")
        }
        try check(adapter)
        var headers: [FeedHeader] = []
        if let name = FeedCatalogue.adapter(named: parts[0])?.credentialsName {
            headers = adapter.headers(try access.required(name))
        }
        return Resolved(
            history: try VenueHistory(adapter, base: url, headers: headers), symbol: parts[1],
            title: market, stored: storedAs ?? market)
    }

    private func provided() throws -> Resolved {
        guard case .provider(let configuration, let symbols) = try FeedSpecification(market), symbols.count == 1 else {
            throw CommandFailure.usage("“\(market)” is not one market; it is provider:FILE:SYMBOL.")
        }
        let token = configuration.tokenVariable.flatMap { ProcessInfo.processInfo.environment[$0] }
        let provider = try ProviderAdapter(configuration, token: token)
        guard let adapter = provider.history else {
            throw CommandFailure.usage("\(provider.title) has no history: \"history\" of its configuration is null.")
        }
        try check(adapter)
        let title = "\(provider.name):\(symbols[0])"
        return Resolved(
            history: try VenueHistory(adapter, base: url, headers: provider.historyHeaders),
            symbol: symbols[0], title: title, stored: storedAs ?? title)
    }

    private func check(_ adapter: any HistoryAdapter) throws {
        guard adapter.timeframes.contains(timeframe) else {
            throw CommandFailure.usage(
                "\(adapter.name) has no \(timeframe.rawValue) candles; --timeframe can be "
                    + "\(adapter.timeframes.map(\.rawValue).joined(separator: ", ")).")
        }
    }
}
