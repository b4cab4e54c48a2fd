import HTTPTransport
import MarketModel
import NIOCore
import NIOPosix
import TestKit
import Testing

@testable import CandlewireServer
@testable import MarketFeeds

/// Candles of providers that do not say why one is missing.
@Suite("what an answer leaves open, nothing coarser is made of", .timeLimit(.minutes(15)))
struct UnsureCandlesTests {
    /// 2024-08-08 00:00 UTC.
    private static let day = 1_723_075_200.0

    private static func core() async throws -> MarketCore {
        try await MarketCore(
            registry: MarketRegistry([Market(symbol: "A", precision: 2)]),
            loop: MultiThreadedEventLoopGroup.singleton.next(), shards: []
        ) { _, _ in }
    }

    private static func candle(_ start: Double, _ price: Double, volume: Double = 1) -> Candle {
        Candle(timestamp: start, open: price, high: price, low: price, close: price, volume: volume)
    }

    private static func deliver(_ core: MarketCore, _ candles: [Candle], trades: Bool = false) async throws {
        try await core.read { pipeline in
            let intake = CandleIntake(pipeline, base: 0, count: 1, use: .inPlaceOfTrades)
            if trades { intake.traded(0) }
            let closed = candles.map { VenueCandle(symbol: "A", seconds: 60, candle: $0) }
            intake.accept(closed: closed, open: [], now: day + 2 * 86_400) { _ in 0 }
        }
    }

    @Test("a message whose candles are years apart is taken at once, and says nothing of the time between")
    func yearsApart() async throws {
        let core = try await Self.core()
        let candles = [Self.candle(60, 1), Self.candle(Self.day, 2), Self.candle(Self.day + 60, 3)]
        try await Self.deliver(core, candles)
        #expect(try await core.read { $0.candles(market: 0, timeframe: .m1, limit: 9) } == candles)
    }

    @Test("minutes one after the other make what they fill, and no more")
    func contiguous() async throws {
        let core = try await Self.core()
        try await Self.deliver(core, (0..<7).map { Self.candle(Self.day + Double($0) * 60, Double($0) + 1) })
        let five = try await core.read { $0.candles(market: 0, timeframe: .m5, limit: 9) }
        // The one that is open has two minutes.
        #expect(five.count == 2)
        #expect(five.first == Candle(timestamp: Self.day, open: 1, high: 5, low: 1, close: 5, volume: 5))
    }

    @Test("rows without trades move no open of a market whose trades are seen")
    func fillers() async throws {
        let candles = [Self.candle(Self.day, 1, volume: 0)] + (1..<5).map { Self.candle(Self.day + Double($0) * 60, 2) }
        for (trades, open) in [(true, 2.0), (false, 1.0)] {
            let core = try await Self.core()
            try await Self.deliver(core, candles, trades: trades)
            let five = try await core.read { $0.candles(market: 0, timeframe: .m5, limit: 9) }
            #expect(five.map(\.open) == [open])
        }
    }

    @Test("an hour is made of minutes that a provider's answer has whole, and not over one that it leaves out")
    func fetched() async throws {
        let day = Self.day
        let transport = HTTPTransport {
            (_: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportAnswer in
            let rows = (0..<120).filter { $0 != 70 }.map { minute in
                #"{"timestamp":\#(Int(day) + minute * 60),"open":1,"high":1,"low":1,"close":1,"volume":1}"#
            }
            return HTTPTransportAnswer(status: 200, body: Array("[\(rows.joined(separator: ","))]".utf8))
        }
        let history = try VenueHistory(CandlewireHistory(), base: "http://127.0.0.1:1", transport: transport)
        let core = try await Self.core()
        let outcome = await HistoryFetcher(core: core, history: history).fetch("A", market: 0, .m1, day..<day + 7200)
        guard case .joined(_, let covered) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(covered == day..<day + 7200)
        let hours = try await core.read { $0.candles(market: 0, timeframe: .h1, limit: 9) }
        #expect(hours.first == Candle(timestamp: day, open: 1, high: 1, low: 1, close: 1, volume: 60))
        // What is open of the second one began behind the minute that is missing.
        #expect(hours.count == 2 && hours[1].volume < 59)
    }
}
