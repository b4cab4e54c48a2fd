import HTTPTransport
import MarketModel
import Synchronization
import TestKit
import Testing

@testable import MarketFeeds

/// Answers a provider's requests by a script; the rest with rows.
private final class ScriptedProvider: Sendable {
    struct State {
        var script: [HTTPTransportAnswer] = []
        var urls: [String] = []
        var times: [Double] = []
    }

    let state = Mutex(State())
    let clock = ManualClock()

    init(_ answers: [HTTPTransportAnswer]) { state.withLock { $0.script = answers } }

    func history(_ name: String, now: Double, token: String? = nil) throws -> VenueHistory {
        let adapter = try ProviderAdapter(try ProviderExamples.configuration(name), token: token)
        return try VenueHistory(
            try #require(adapter.history),
            transport: HTTPTransport {
                (request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportAnswer in
                self.state.withLock { state in
                    state.urls.append(request.url)
                    state.times.append(self.clock.seconds)
                    return state.script.isEmpty ? HTTPTransportAnswer(status: 404) : state.script.removeFirst()
                }
            }, clock: clock, now: { now }, chance: { 0 })
    }
}

@Suite("The history of providers", .timeLimit(.minutes(15)))
struct ProviderHistoryTests {
    private static let start = 1_732_129_920.0

    private static func answer(_ text: String, status: Int = 200, headers: [String: String] = [:])
        -> HTTPTransportAnswer
    {
        HTTPTransportAnswer(status: status, headers: headers, body: Array(text.utf8))
    }

    private static func row(_ minute: Int, close: Double = 2) -> String {
        "{\"timestamp\":\(Int(start) + minute * 60),\"open\":1,\"high\":3,\"low\":1,\"close\":\(close),\"volume\":\"0.5\"}"
    }

    @Test(
        "times in another unit than the configuration says are an error that names the unit, and no empty history",
        arguments: [
            ("s", "1732129920000", "ms"), ("s", "1732129920000000000", "ns"), ("ms", "1732129920", "s"),
            ("us", "1732129920000", "ms"), ("s", "\"2024-11-20T19:12:00Z\"", "iso8601"), ("iso8601", "1732129920", "s"),
        ])
    func unit(configured: String, written: String, fitting: String) async throws {
        let file = #"{"url":"wss://stream.example.com/v1","name":"acme","time":"\#(configured)"}"#
        let adapter = try ProviderAdapter(try ProviderConfigurationReader(name: "acme.json").read(Array(file.utf8)))
        let history = try #require(adapter.history)
        let body = #"[{"timestamp":\#(written),"open":1,"high":3,"low":1,"close":2,"volume":1}]"#
        let error = #expect(throws: HistoryError.self) { try history.candles(from: Array(body.utf8)) }
        let text = error?.description ?? ""
        #expect(text.contains("provider acme") && text.contains("no time in \"\(configured)\""), "\(text)")
        #expect(text.contains("one of s, ms, us, ns, iso8601; \"\(fitting)\" fits"), "\(text)")
        // What lies long ago in the right unit is no mistake.
        let old = #"[{"timestamp":31536000,"open":1,"high":3,"low":1,"close":2,"volume":1}]"#
        if configured == "s" {
            #expect(try history.candles(from: Array(old.utf8)).first?.candle.timestamp == 31_536_000)
        }
    }

    @Test(
        "the guide's request and its answer, oldest or newest first",
        arguments: [[0, 1, 2], [2, 1, 0]])
    func guide(order: [Int]) async throws {
        let provider = ScriptedProvider([Self.answer("[\(order.map { Self.row($0) }.joined(separator: ","))]")])
        let history = try provider.history("guide", now: Self.start + 150)
        let candles = try await history.candles(symbol: "BTC-USD", timeframe: .m1, from: 0, to: 2e9)
        #expect(
            provider.state.withLock { $0.urls } == [
                "https://stream.example.com/v1/candles?symbol=BTC-USD&timeframe=1m&limit=1000"
            ])
        #expect(candles.map(\.timestamp) == [Self.start, Self.start + 60], "the third is still running")
        #expect(candles.first == Candle(timestamp: Self.start, open: 1, high: 3, low: 1, close: 2, volume: 0.5))
        #expect(history.earliest(.m1) > Self.start - 60_000, "the newest thousand are all that can be had")
    }

    @Test("one request a second; a 429 waits as Retry-After says; other statuses are errors")
    func limits() async throws {
        let provider = ScriptedProvider([
            Self.answer("", status: 429, headers: ["retry-after": "17"]), Self.answer("[]"), Self.answer("[]"),
            Self.answer(#"{"error":{"code":"unknown_symbol","message":"no such symbol"}}"#, status: 404),
            Self.answer("<html>"), Self.answer(#"[{"timestamp":5}]"#), Self.answer(#"[5]"#),
        ])
        let history = try provider.history("guide", now: Self.start + 150)
        let clock = provider.clock
        let task = Task {
            var kinds: [String] = []
            for _ in 0..<6 {
                do {
                    _ = try await history.candles(symbol: "X", timeframe: .m1, from: 0, to: 2e9)
                    kinds.append("fine")
                } catch {
                    kinds.append("\((error as? HistoryError)?.kind ?? .usage): \(error)")
                }
            }
            return kinds
        }
        let turning = Task {
            while !Task.isCancelled {
                if !clock.advanceToNextWakeUp() { await Task.yield() }
            }
        }
        let kinds = await task.value
        turning.cancel()
        #expect(kinds.prefix(2) == ["fine", "fine"])
        #expect(kinds[2].hasPrefix("refused") && kinds[2].contains("“no such symbol”"))
        #expect(kinds[3].hasPrefix("invalidResponse") && kinds[3].contains("not a valid list of candles: at byte 0"))
        #expect(kinds[4].hasPrefix("invalidResponse") && kinds[4].contains("\"open\" is missing"))
        #expect(kinds[5].hasPrefix("invalidResponse"))
        let times = provider.state.withLock { $0.times }
        #expect(times[1] - times[0] >= 17)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 1 }, "\(times)")
    }

    @Test("arrays under a path, the provider's names of timeframes, a stretch of time")
    func rows() async throws {
        let provider = ScriptedProvider([
            Self.answer(#"{"result":{"last":1,"rows":[[\#(Int(Self.start)),"5","7","4","6","0.25",9]]}}"#)
        ])
        let history = try provider.history("rows", now: Self.start + 1e6, token: "hush")
        let candles = try await history.candles(
            symbol: "XBT/USD", timeframe: .m1, from: Self.start, to: Self.start + 600)
        #expect(
            provider.state.withLock { $0.urls } == [
                "https://api.example.com/ohlc?pair=XBT%2FUSD&interval=1&since=1732129920&until=1732130519"
            ])
        #expect(candles == [Candle(timestamp: Self.start, open: 5, high: 7, low: 4, close: 6, volume: 0.25)])
        #expect(history.adapter.timeframes == [.m1, .h1, .d1] && history.adapter.newestOnly == nil)
        do {
            _ = try await history.candles(symbol: "X", timeframe: .m5, from: 0, to: 2e9)
            Issue.record("there are no candles of five minutes")
        } catch {
            #expect("\(error)".contains("it has 1m, 1h, 1d"))
        }
    }

    @Test("a damaged answer is an error that names the provider, and crashes nothing", arguments: 1...5)
    func damaged(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let adapter = try ProviderAdapter(try ProviderExamples.configuration("guide"))
        let history = try #require(adapter.history)
        let good = Array("[\(Self.row(0)),\(Self.row(1))]".utf8)
        var failures = 0
        for _ in 0..<500 {
            var body = good
            MutationTests.damage(&body, &generator)
            do {
                for row in try history.candles(from: body) { #expect(row.candle.close.isFinite) }
            } catch {
                failures += 1
                #expect(error.description.contains("provider"))
            }
        }
        #expect(failures > 100)
    }
}
