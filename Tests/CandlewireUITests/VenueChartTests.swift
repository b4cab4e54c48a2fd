import CandlewireUI
import FinanceChartsKit
import Foundation
import MarketFeeds
import Testing
import VenueSimulation

/// A chart over a venue, with nothing in between: sockets and requests to its simulation.
@MainActor
@Suite("A live chart of a venue", .timeLimit(.minutes(5)))
struct VenueChartTests {
    nonisolated private static let usual = #"{"url":"wss://a","name":"acme"}"#
    nonisolated private static let candlesAlone = #"{"url":"wss://a","name":"acme","tick":null,"snapshot":null}"#

    /// A provider's simulation, and the source of charts that follows it.
    private static func start(_ text: String) async throws -> (venue: VenueSimulator, source: VenueChartSource) {
        let configuration = try ProviderConfigurationReader(name: "test").read(Array(text.utf8))
        let provider = try SimulatedProvider(outline: configuration.outline)
        let venue = try await VenueSimulator.start(
            .provider(provider), session: .made(provider, symbols: ["BTC-USD"]),
            settings: VenueSettings(pace: .recorded(), times: .now, loops: true))
        let adapter = try ProviderAdapter(configuration)
        var options = FeedClient.Options()
        options.url = venue.url
        let history = try VenueHistory(try #require(adapter.history), base: "http://127.0.0.1:\(venue.port)")
        return (venue, VenueChartSource(adapter, options: options, history: history))
    }

    private static func wait(_ what: Comment, until isTrue: () -> Bool) async throws {
        for _ in 0..<6_000 {
            if isTrue() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record(what)
    }

    @Test(
        "history and stream are joined, of trades or of candles alone, and again after an outage",
        arguments: [usual, candlesAlone])
    func follows(configuration: String) async throws {
        let (venue, source) = try await Self.start(configuration)
        let chart = LiveChart(source, symbol: "BTC-USD", timeframe: .m1, pageSize: 50)
        let controller = chart.controller
        for _ in 0..<2 {
            try await Self.wait("it is live") { chart.status == .live && controller.totalCandleCount >= 50 }
            // It becomes larger, or another one opens.
            let known = controller.lastCandle
            try await Self.wait("the newest bar changes") { controller.lastCandle != known }
            await venue.cut()
            try await Self.wait("the outage shows") { if case .reconnecting = chart.status { true } else { false } }
        }
        chart.disconnect()
        let bars = controller.candles
        let past = try await source.bars(
            symbol: "BTC-USD", timeframe: .m1, from: bars.first?.timestamp, before: nil, limit: 1000)
        #expect(past.count >= 50)
        // The minute of the outage was under way at the end.
        for bar in past.dropLast(2) { #expect(bars.contains(bar)) }
        #expect(zip(bars, bars.dropFirst()).allSatisfy { $1.timestamp - $0.timestamp == 60 }, "no hole, no double")
        await venue.stop()
    }

    @Test("candles of another timeframe are left out of the chart")
    func otherTimeframe() async throws {
        let (venue, source) = try await Self.start(Self.candlesAlone)
        var others = try source.events(symbol: "BTC-USD", timeframe: .m5).makeAsyncIterator()
        // A connection that is cut before it is made ends unseen.
        #expect(await others.next() == .connected)
        let minutes = try source.events(symbol: "BTC-USD", timeframe: .m1)
        var bars: [Candle] = []
        for await event in minutes {
            guard case .bars(let found) = event else { continue }
            bars = found
            break
        }
        #expect(!bars.isEmpty && bars.allSatisfy { Timeframe.m1.bucketStart(of: $0.timestamp) == $0.timestamp })
        await venue.cut()
        let next = await others.next()
        guard case .disconnected = next else {
            Issue.record("\(String(describing: next)) came before the end of the connection")
            return await venue.stop()
        }
        await venue.stop()
    }

    @Test("bars of the past: by their time, the newest, those before one, each limited")
    func bars() async throws {
        let (venue, source) = try await Self.start(Self.usual)
        func bars(from: Double? = nil, before: Double? = nil, limit: Int) async throws -> [Candle] {
            try await source.bars(symbol: "BTC-USD", timeframe: .m1, from: from, before: before, limit: limit)
        }
        let newest = try await bars(limit: 20)
        #expect(newest.count == 20 && newest.allSatisfy { $0.volume == 60 })
        #expect(zip(newest, newest.dropFirst()).allSatisfy { $1.timestamp - $0.timestamp == 60 })
        #expect(Date.now.timeIntervalSince1970 - newest[19].timestamp < 240, "the newest completed one is there")
        #expect(
            try await bars(from: newest[10].timestamp, before: newest[15].timestamp, limit: 100)
                == Array(newest[10..<15]))
        #expect(
            try await bars(from: newest[10].timestamp, before: newest[15].timestamp, limit: 2) == Array(newest[13..<15])
        )
        let older = try await bars(before: newest[0].timestamp, limit: 5)
        #expect(older.map(\.timestamp) == (1...5).reversed().map { newest[0].timestamp - 60 * Double($0) })
        await venue.stop()
    }

    @Test("bars of the past reach over intervals without a trade")
    func quiet() async throws {
        let gap = 40 * 60.0
        let times = [0, 60, 120, gap, gap + 60, gap + 120]
        let start = (Date.now.timeIntervalSince1970 / 60).rounded(.down) * 60 - 7200
        let session = RecordedSession(
            lines: times.enumerated().map { number, time -> String in
                #"{"type":"match","trade_id":\#(number + 1),"maker_order_id":"a","taker_order_id":"b","side":"sell","#
                    + #""size":"2","price":"10","product_id":"BTC-USD","sequence":\#(number + 1),"#
                    + #""time":"\#(Date(timeIntervalSince1970: start + time).ISO8601Format())"}"#
            }, times: times.map { Int64((start + $0) * 1e9) })
        let venue = try await VenueSimulator.start(.coinbase, session: session)
        let adapter = try #require(FeedCatalogue.adapter(named: "coinbase"))
        let history = try VenueHistory(try #require(adapter.history), base: "http://127.0.0.1:\(venue.port)")
        let source = VenueChartSource(adapter, history: history)
        let bars = try await source.bars(symbol: "BTC-USD", timeframe: .m1, from: nil, before: nil, limit: 5)
        #expect(bars.map { $0.timestamp - start } == [60, 120, gap, gap + 60, gap + 120])
        #expect(bars.allSatisfy { $0.volume == 2 })
        await venue.stop()
    }
}
