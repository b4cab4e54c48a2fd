import Foundation
import HTTPTransport
import MarketModel
import StreamCore
import Synchronization
import Testing

@testable import MarketFeeds
@testable import VenueSimulation

/// The history of simulated venues, requested as that of the real ones is.
@Suite("History of simulated venues")
struct SimulatedHistoryTests {
    /// A simulation without sockets. Each request comes two seconds after the one before.
    private final class DirectTransport: Sendable {
        private let state: Mutex<(venue: VenueMachine, now: Double)>

        init(_ venue: VenueMachine, now: Double) { state = Mutex((venue, now)) }

        var transport: HTTPTransport {
            HTTPTransport { (request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportAnswer in
                self.state.withLock { state in
                    let target = String(request.url.dropFirst("http://venue".count))
                    let answer = state.venue.answer(
                        VenueRequest(target: target, headers: ["authorization": "Bearer demo"]), now: state.now)
                    state.now += 2
                    var headers: [String: String] = [:]
                    for (name, value) in answer.headers { headers[name.lowercased()] = value }
                    return HTTPTransportAnswer(status: answer.status, headers: headers, body: Array(answer.body.utf8))
                }
            }
        }
    }

    private func history(
        _ venue: Venue, _ simulation: VenueMachine, now: Double
    ) throws -> VenueHistory {
        var retryLimits = VenueHistory.RetryLimits()
        retryLimits.refusals = 1
        retryLimits.firstPause = 0
        return try VenueHistory(
            try #require(HistoryCatalogue.adapter(for: venue)), base: "http://venue",
            transport: DirectTransport(simulation, now: now).transport,
            pace: .init(rate: 1e6, burst: 1e6, minimumInterval: 0), retryLimits: retryLimits, now: { now })
    }

    private static let files: [(Venue, String)] = [
        (.coinbase, "coinbase_exchange_ws-feed_6products_2021-04-17.jsonl.gz"),
        (.coinbaseAdvanced, "coinbase_advanced-trade_btcusd-ethusd_2026-08-09.jsonl.gz"),
        (.binance, "binance_spot_btcusdt-ethusdt-dotusdt_2021-04-04.jsonl.gz"),
        (.kraken, "kraken_v2_trade_btcusd-ethusd_2026-09-26.jsonl"),
        (.krakenArrays, "kraken_v1_trade_10pairs_2021-04-17.jsonl.gz"),
        (.bitstamp, "bitstamp_2022-01-05.jsonl.gz"),
    ]

    @Test(
        "candles and markets of each venue are those of the recording's trades",
        .enabled(if: SharedData.isPresent, "no ../shared/data"),
        arguments: files)
    func recorded(venue: Venue, file: String) async throws {
        let path = "\(SharedData.folder)/recordings/\(file)"
        let recording = try Recording(path: path, venue: venue, needsTrades: false)
        let messages = (0..<recording.messageCount).map { recording.withMessage($0) { Array($0) } }
        try await check(
            venue, RecordedSession(messages: messages, times: recording.times.map { Int64($0 * 1e6) * 1000 }))
    }

    @Test(
        "OKX's candles are those of the made session's trades")
    func okx() async throws { try await check(.okx, try #require(SimulatedVenue.okx.madeSession())) }

    @Test(
        "Intrinio's candles are those of the made session's trades, and want a key",
        arguments: [Venue.intrinio, .intrinioEquities])
    func made(venue: Venue) async throws {
        let simulated = try #require(SimulatedVenue(named: venue.rawValue))
        let session = try #require(simulated.madeSession())
        try await check(venue, session)
        var machine = VenueMachine(simulated, session: session, settings: VenueSettings())
        let target = "/securities/AAPL/prices/intervals?interval_size=1m"
        #expect(machine.answer(VenueRequest(target: target), now: 1_700_000_000).status == 401)
        for (wrong, status) in [("AAPL?interval_size=1w", 400), ("AAPL?start_date=then", 400), ("ZZZZ?", 404)] {
            let parts = wrong.split(separator: "?", omittingEmptySubsequences: false)
            let request = VenueRequest(
                target: "/securities/\(parts[0])/prices/intervals?\(parts[1])",
                headers: ["authorization": "Bearer demo"])
            #expect(machine.answer(request, now: 1_700_000_000).status == status, "\(wrong)")
        }
    }

    private func check(_ venue: Venue, _ session: RecordedSession) async throws {
        let messages = session.messages
        let simulated = try #require(SimulatedVenue(named: venue.rawValue))
        let simulation = VenueMachine(simulated, session: session, settings: VenueSettings())
        // What the adapter's own parser makes of it, but for what was before the recording began.
        var reader = VenueSession(venue: venue, markets: simulation.symbols)
        var trades: [String: [Tick]] = [:]
        for (index, message) in messages.enumerated() {
            if case .first = simulation.market.parts[index] { continue }
            _ = message.withUnsafeBytes { reader.read($0) }
            for trade in reader.trades { trades[reader.symbols.names[trade.market], default: []].append(trade.tick) }
        }
        #expect(!trades.isEmpty)

        let now = (Double(session.times.last ?? 0) / 1e9) + 130
        let history = try history(venue, simulation, now: now)
        for (symbol, ticks) in trades {
            let from = Timeframe.m1.bucketStart(of: ticks.map(\.timestamp).min() ?? 0)
            let all = try await history.stretch(symbol: symbol, timeframe: .m1, from: from, to: .infinity)
            #expect(all.malformed.isEmpty && all.covered.contains(ticks.map(\.timestamp).max() ?? 0), "\(symbol)")
            let candles = all.candles.map(\.candle).filter { $0.volume > 0 }
            let expected = Self.candles(ticks)
            #expect(candles.map(\.timestamp) == expected.map(\.timestamp), "\(symbol)")
            for (one, other) in zip(candles, expected) {
                #expect([one.open, one.high, one.low, one.close] == [other.open, other.high, other.low, other.close])
                #expect(abs(one.volume - other.volume) <= 1e-9 * other.volume, "\(symbol)")
            }
        }
        if history.adapter.directoryRequest != nil {
            #expect(try await history.symbols().map(\.symbol) == simulation.symbols.sorted())
        }
    }

    /// Minutes, one trade after another.
    private static func candles(_ ticks: [Tick]) -> [Candle] {
        var minutes: [Double: [Tick]] = [:]
        for tick in ticks { minutes[(tick.timestamp / 60).rounded(.down) * 60, default: []].append(tick) }
        return minutes.sorted { $0.key < $1.key }.map { start, ticks in
            let ordered = ticks.enumerated().sorted {
                ($0.element.timestamp, $0.offset) < ($1.element.timestamp, $1.offset)
            }.map(\.element)
            return Candle(
                timestamp: start, open: ordered[0].price, high: ticks.map(\.price).max() ?? 0,
                low: ticks.map(\.price).min() ?? 0, close: ordered[ordered.count - 1].price,
                volume: ticks.reduce(0) { $0 + $1.volume })
        }
    }

    @Test(
        "a symbol that a venue does not have is refused in its own way",
        arguments: files.map(\.0) + [.bitfinex, .bybit, .okx])
    func unknown(venue: Venue) async throws {
        let simulated = try #require(SimulatedVenue(named: venue.rawValue))
        let simulation = VenueMachine(
            simulated, session: RecordedSession(lines: []), settings: VenueSettings())
        let history = try history(venue, simulation, now: 1_700_000_000)
        let error = await #expect(throws: HistoryError.self) {
            try await history.candles(symbol: "NO-NE", timeframe: .m1, from: 1_699_990_000, to: .infinity)
        }
        // Bitfinex answers with a server's error, which is tried again.
        #expect(error?.kind == (venue == .bitfinex ? .unreachable : .refused))
        #expect((error?.description.count ?? 0) > 20)
    }
}
