import Foundation
import MarketFeeds
import MarketModel
import NIOCore
import StreamCore
import TestKit
import Testing
import VenueSimulation
import WebSocketTransport

/// Where sessions are: recorded ones beside the repository, or those that `Scripts/swift-test` has made.
private enum VenueRecordings {
    static let folder: String = {
        let real = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("shared/data").path
        let made = ProcessInfo.processInfo.environment["CANDLEWIRE_TEST_DATA"]
        return "\(FileManager.default.fileExists(atPath: real) ? real : made ?? real)/recordings"
    }()
}

/// Each adapter of the catalogue with its venue's simulation, over a real socket: what a connection takes is what the
/// venue's reader takes of the recording.
@Suite(
    "Adapters with simulated venues, over real sockets",
    .enabled(if: FileManager.default.fileExists(atPath: VenueRecordings.folder), "no ../shared/data"),
    .timeLimit(.minutes(15)))
struct AdapterSocketTests {
    struct Story: Sendable, CustomTestStringConvertible {
        var adapter: String
        var venue: SimulatedVenue
        /// `nil`: by documentation, for there is none.
        var file: String?
        /// Messages of the recording; what comes later is no different.
        var limit = Int.max
        var testDescription: String { adapter }
    }

    private static let stories = [
        Story(adapter: "binance", venue: .binance, file: "binance_spot_btcusdt_2024-08-08.jsonl.gz", limit: 5000),
        Story(
            adapter: "binance-aggregates", venue: .binance,
            file: "binance_spot_btcusdt-ethusdt-dotusdt_2021-04-04.jsonl.gz"),
        // The same protocol; the session recorded there has no single trades.
        Story(adapter: "binance-us", venue: .binance, file: "binance_spot_btcusdt_2024-08-09.jsonl.gz", limit: 5000),
        Story(adapter: "coinbase", venue: .coinbase, file: "coinbase_exchange_ws-feed_6products_2021-04-17.jsonl.gz"),
        Story(
            adapter: "coinbase-advanced", venue: .coinbaseAdvanced,
            file: "coinbase_advanced-trade_btcusd-ethusd_2026-08-09.jsonl.gz"),
        Story(adapter: "kraken", venue: .kraken, file: "kraken_v2_trade_btcusd-ethusd_2026-09-26.jsonl"),
        Story(adapter: "kraken-v1", venue: .krakenArrays, file: "kraken_v1_trade_10pairs_2021-04-17.jsonl.gz"),
        Story(adapter: "bitstamp", venue: .bitstamp, file: "bitstamp_2022-01-05.jsonl.gz"),
        Story(adapter: "gemini", venue: .gemini, file: "gemini_v2_2021-06-24.jsonl.gz"),
        Story(adapter: "bitfinex", venue: .bitfinex, file: "bitfinex_v2_2021-04-17.jsonl.gz"),
        Story(adapter: "bybit", venue: .bybit),
        Story(adapter: "okx", venue: .okx),
        Story(adapter: "okx-all", venue: .okxAll),
    ]

    /// Trades of two markets, one or several a message, some sent again.
    private static let bybit: [String] = (0..<600).map { message in
        let symbol = message % 3 == 0 ? "ETHUSDT" : "BTCUSDT"
        let time = 1_749_833_474_000 + message * 50
        let rows = (0...message % 4).map { row in
            // Each seventh message has one that was sent before.
            let id = message * 10 + row - message % 7 / 6 * 10
            return #"{"T":\#(time),"s":"\#(symbol)","S":"\#(row % 2 == 0 ? "Buy" : "Sell")","v":"0.\#(row + 1)","#
                + #""p":"\#(1000 + message % 37).5","L":"PlusTick","i":"\#(id)","BT":false}"#
        }
        let data = rows.joined(separator: ",")
        return #"{"topic":"publicTrade.\#(symbol)","type":"snapshot","ts":\#(time + 2),"data":[\#(data)]}"#
    }

    /// Writes down what a connection brings, on its loop.
    private final class Follower: FeedConnection.Receiver {
        let connection: FeedConnection
        /// A market's trades: number, price and volume as the venue wrote them.
        var trades: [String: [String]] = [:]
        var live: Set<String> = []
        var problems: [String] = []

        init(_ connection: FeedConnection) {
            self.connection = connection
            connection.receiver = self
            connection.connect()
        }

        func feed(_ connection: FeedConnection, received kind: VenueMessageKind) {
            let decoder = connection.session.venueSession
            for trade in decoder.trades where trade.market < connection.session.symbolCount {
                trades[decoder.symbols.names[trade.market], default: []].append(AdapterSocketTests.words(trade))
            }
        }

        func feed(_ connection: FeedConnection, event: FeedEvent) {
            switch event {
            case .live(let symbol): live.insert(symbol)
            case .refused(let symbol, let reason): problems.append("\(symbol): \(reason)")
            case .problem(let problem): problems.append("\(problem)")
            case .state, .interrupted, .unanswered, .missed, .unavailable, .book: break
            }
        }
    }

    /// What is left of a trade when its message is gone.
    private static func words(_ trade: VenueTrade) -> String {
        "\(trade.tick.price) \(trade.tick.volume) \(trade.tick.timestamp) \(trade.side)"
    }

    /// What the venue's reader takes of all that the simulation would send for these requests.
    private static func expected(
        _ story: Story, _ adapter: any FeedAdapter, _ symbols: [String], _ session: RecordedSession
    ) -> [String: [String]] {
        var venue = VenueMachine(story.venue, session: session, settings: VenueSettings())
        guard case .accept(let number) = venue.handshake(target: story.venue.path, now: 0) else { return [:] }
        venue.opened(number, target: story.venue.path, now: 0)
        let size = adapter.limits.symbolsPerRequest
        for start in stride(from: 0, to: symbols.count, by: size) {
            let some = Array(symbols[start..<min(start + size, symbols.count)])
            if let text = adapter.request(.subscribe, some, number: start + 1) {
                venue.received(text, on: number, now: 0)
            }
        }
        var reader = VenueSession(venue: adapter.venue, markets: symbols)
        var found: [String: [String]] = [:]
        for _ in 0..<10_000 {
            while let action = venue.nextAction() {
                guard case .send(_, let bytes) = action else { continue }
                _ = bytes.withUnsafeBytes { reader.read($0) }
                for trade in reader.trades where trade.market < symbols.count {
                    found[symbols[trade.market], default: []].append(words(trade))
                }
            }
            guard let next = venue.nextWakeUp, next <= 0 else { break }
            venue.advance(now: 0)
        }
        return found
    }

    @Test("each adapter of the catalogue has a story here, or a suite of its own")
    func catalogue() {
        // Binary frames and a token: IntrinioFeedTests.
        let elsewhere: Set = ["intrinio", "intrinio-equities"]
        #expect(Set(Self.stories.map(\.adapter)).union(elsewhere) == Set(FeedCatalogue.adapters.map(\.name)))
        #expect(elsewhere.isDisjoint(with: Self.stories.map(\.adapter)))
    }

    @Test("every trade of the recording arrives, once, as the reader reads it", arguments: stories)
    func follows(story: Story) async throws {
        let adapter = try #require(FeedCatalogue.adapter(named: story.adapter))
        var messages = Self.bybit.map { Array($0.utf8) }
        var named = ["BTCUSDT", "ETHUSDT"]
        if let file = story.file {
            let recording = try Recording(
                path: "\(VenueRecordings.folder)/\(file)", venue: adapter.venue, needsTrades: false)
            messages = (0..<min(story.limit, recording.messageCount)).map { recording.withMessage($0) { Array($0) } }
            named = recording.markets.map(\.symbol).filter { adapter.flaw(of: $0) == nil }
        }
        let made = story.venue.madeSession().map {
            VenueMachine(story.venue, session: $0, settings: VenueSettings()).symbols
        }
        let symbols = made ?? named
        let session = story.venue.madeSession() ?? RecordedSession(messages: messages, times: nil)
        try #require(!symbols.isEmpty)
        let expected = Self.expected(story, adapter, symbols, session)
        try #require(!expected.isEmpty)

        let venue = try await VenueSimulator.start(story.venue, session: session)
        let loop = WebSocketConnector.defaultGroup.any()
        let box = NIOLoopBoundBox.makeEmptyBox(valueType: Follower.self, eventLoop: loop)
        let url = venue.url
        loop.execute {
            let session = FeedSession(adapter, symbols: symbols, url: url, seed: 1)
            box.value = Follower(FeedConnection(session, on: loop))
        }
        var (found, received) = ([String: [String]](), 0)
        // Messages that were sent by the time when all trades had come, or too many.
        var sent: Int?
        for _ in 0..<6000 {
            try await Task.sleep(for: .milliseconds(10))
            (found, received) = try await loop.submit {
                (box.value?.trades ?? [:], box.value?.connection.session.venueSession.counts.messages ?? 0)
            }.get()
            let log = venue.log
            let isTooMuch =
                found.values.reduce(0, { $0 + $1.count }) > expected.values.reduce(0, { $0 + $1.count })
            if sent == nil, log.ended > 0, found == expected || isTooMuch { sent = log.sent }
            // What is reported again after the last trade is received, too.
            if let sent, received >= sent { break }
        }
        #expect(sent != nil && received >= sent ?? 0)
        let problems = try await loop.submit {
            let problems = box.value?.problems ?? []
            box.value?.connection.stop()
            box.value = nil
            return problems
        }.get()
        #expect(found == expected)
        #expect(problems == [])
        await venue.stop()
    }

    @Test("a connection that is not made within five seconds is given up, and made again")
    func timeout() async throws {
        #expect(FeedConnection.Options().connectTimeout == .seconds(5))
        let adapter = try #require(FeedCatalogue.adapter(named: "kraken"))
        #expect(adapter.endpoint.hasPrefix("wss://"))
        // It accepts, and its answer is an hour late.
        let venue = try await VenueSimulator.start(
            .kraken, session: RecordedSession(lines: [#"{"channel":"heartbeat"}"#]))
        let proxy = try await ChaosProxy.start(target: .init(port: venue.port))
        proxy.settings.delay = 3600
        let loop = WebSocketConnector.defaultGroup.any()
        let box = NIOLoopBoundBox.makeEmptyBox(valueType: Waiting.self, eventLoop: loop)
        let url = "ws://127.0.0.1:\(proxy.port)/"
        loop.execute {
            var options = FeedConnection.Options()
            options.connectTimeout = .milliseconds(200)
            let session = FeedSession(adapter, symbols: ["BTC/USD"], url: url, seed: 1)
            box.value = Waiting(FeedConnection(session, on: loop, options: options))
        }
        var waits = 0
        for _ in 0..<6000 where waits == 0 {
            try await Task.sleep(for: .milliseconds(10))
            waits = try await loop.submit { box.value?.waits ?? 0 }.get()
        }
        #expect(waits > 0)
        try await loop.submit {
            box.value?.connection.stop()
            box.value = nil
        }.get()
        #expect(venue.log.received.isEmpty, "nothing was requested on a connection that is not made")
        #expect(venue.log.open == 0, "no handshake has come through")
        await proxy.stop()
        await venue.stop()
    }

    private final class Waiting: FeedConnection.Receiver {
        let connection: FeedConnection
        var waits = 0

        init(_ connection: FeedConnection) {
            self.connection = connection
            connection.receiver = self
            connection.connect()
        }

        func feed(_ connection: FeedConnection, received kind: VenueMessageKind) {}

        func feed(_ connection: FeedConnection, event: FeedEvent) {
            if case .state(.waiting) = event { waits += 1 }
        }
    }
}
