import Foundation
import Logging
import MarketFeeds
import NIOCore

/// The feeds that the configuration names.
extension CandlewireServer {
    func makeFeeds(_ loop: any EventLoop, _ added: AddedMarketsFile) throws -> FeedSet {
        let names = configuration.feeds.map(\.name)
        for (index, name) in names.enumerated() where names.prefix(index).contains(name) {
            throw FeedError(
                .usage, "The feed \"\(name)\" is given twice; name all its symbols in one --feed, separated by commas.")
        }
        guard names.count == 1 || !configuration.isReplay else {
            throw FeedError(.usage, "A recording has a clock of its own: it cannot be played beside other feeds.")
        }
        for name in configuration.feedURLs.keys where !names.contains(name) {
            throw FeedError(.usage, "--url names the feed \"\(name)\", which no --feed does.")
        }
        return FeedSet(try configuration.feeds.map { try makeFeed($0, loop, added) }, marksStore: configuration.isLive)
    }

    private func makeFeed(
        _ specification: FeedSpecification, _ loop: any EventLoop, _ added: AddedMarketsFile
    ) throws -> any Feed {
        switch specification {
        case .simulated(let symbols):
            return SimulatedFeed(symbols: symbols, seed: configuration.seed, rate: configuration.rate, loop: loop)
        case .replay(let path):
            let recording = try Recording(path: path, venue: configuration.venue)
            if let note = recording.note { logger.of(.feeds).warning("\(note)") }
            return ReplayFeed(
                recording: recording, path: path, speed: configuration.speed, loops: configuration.loops, loop: loop)
        case .tracker(let path):
            let stocks = try path.map { try StockListReader.stocks(file: $0) } ?? TrackedStock.bundled
            return try TrackerFeed(
                stocks, url: configuration.feedURLs["tracker"], seed: configuration.seed, loop: loop,
                logger: logger.of(.feeds))
        case .live(let name, let symbols):
            guard let adapter = FeedCatalogue.adapter(named: name) else {
                throw FeedError(.usage, "Unknown venue \"\(name)\"; allowed are \(FeedCatalogue.names).")
            }
            return try makeLive(adapter, symbols, loop, added)
        case .provider(let provider, let symbols):
            let token = provider.tokenVariable.flatMap { ProcessInfo.processInfo.environment[$0] }
            return try makeLive(try ProviderAdapter(provider, token: token), symbols, loop, added)
        }
    }

    private func makeLive(
        _ adapter: any FeedAdapter, _ symbols: [String], _ loop: any EventLoop, _ added: AddedMarketsFile
    ) throws -> LiveFeed {
        let limit = configuration.limits.addedMarkets
        return try LiveFeed(
            adapter, symbols: symbols, url: configuration.feedURLs[adapter.name],
            credentials: adapter.credentialsName.flatMap { configuration.credentials[$0] },
            fetchesHistory: configuration.fetchesHistory, pausesAfter: configuration.pausesUnwatchedAfter,
            evictsAfter: configuration.evictsIdleAfter,
            added: try added.markets(of: adapter, beside: symbols, limit: limit), maxAdded: limit,
            loop: loop, logger: logger.of(.feeds))
    }
}
