import Foundation
import HTTPTransport
import MarketModel
import Synchronization
import TestKit
import Testing

@testable import MarketFeeds

/// A venue that has a candle for each minute, answers as Coinbase does, and can be made to refuse.
private final class ScriptedVenue: Sendable {
    enum Answer: Sendable { case rows, status(Int, [String: String], String), error(HTTPTransportError) }
    struct State {
        var script: [Answer] = []
        var urls: [String] = []
        var times: [Double] = []
    }

    let state = Mutex(State())
    let clock: ManualClock

    init(_ script: [Answer] = [], clock: ManualClock) {
        self.clock = clock
        state.withLock { $0.script = script }
    }

    var urls: [String] { state.withLock { $0.urls } }
    var times: [Double] { state.withLock { $0.times } }

    func transport(_ rows: @escaping @Sendable (_ from: Double, _ to: Double) -> String) -> HTTPTransport {
        HTTPTransport { (request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportAnswer in
            let answer = self.state.withLock { state in
                state.urls.append(request.url)
                state.times.append(self.clock.seconds)
                return state.script.isEmpty ? Answer.rows : state.script.removeFirst()
            }
            switch answer {
            case .rows:
                let query = Dictionary(
                    request.url.split(separator: "?").last.map { $0.split(separator: "&") }?.map { field in
                        let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
                        return (parts[0], parts.count > 1 ? parts[1] : "")
                    } ?? [], uniquingKeysWith: { $1 })
                let from = Double(query["start"] ?? query["startTime"] ?? "") ?? 0
                let to = Double(query["end"] ?? query["endTime"] ?? "") ?? 0
                return HTTPTransportAnswer(status: 200, body: Array(rows(from, to).utf8))
            case .status(let status, let headers, let body):
                return HTTPTransportAnswer(status: status, headers: headers, body: Array(body.utf8))
            case .error(let error): throw error
            }
        }
    }
}

@Suite("The client of a venue's history", .timeLimit(.minutes(15)))
struct VenueHistoryTests {
    static let start = 1_723_075_200.0
    let clock = ManualClock()

    /// Lets all who wait for the clock go on, until the work is done.
    private func finishing<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value
    {
        let task = Task { try await work() }
        let mover = Task { [clock] in
            while !Task.isCancelled {
                if !clock.advanceToNextWakeUp() { await Task.yield() }
            }
        }
        defer { mover.cancel() }
        return try await task.value
    }

    private func history(
        _ venue: ScriptedVenue, _ adapter: any HistoryAdapter, now: Double, base: String? = nil,
        _ rows: @escaping @Sendable (Double, Double) -> String
    ) throws -> VenueHistory {
        try VenueHistory(
            adapter, base: base, transport: venue.transport(rows), clock: clock,
            now: { [clock] in now + clock.seconds },
            chance: { 0 })
    }

    /// Binance's rows for each minute from `from` to `to`, milliseconds.
    @Sendable private static func minutes(from: Double, to: Double) -> String {
        let rows = stride(from: from, through: to, by: 60_000).map { time in
            "[\(Int(time)),\"10\",\"14\",\"9\",\"12\",\"3\",\(Int(time) + 59_999),\"36\",5,\"1\",\"1\",\"0\"]"
        }
        return "[\(rows.joined(separator: ","))]"
    }

    @Test("fetches page after page, each candle once, ascending, without the one that runs")
    func pages() async throws {
        let venue = ScriptedVenue(clock: clock)
        let history = try history(venue, BinanceHistory.spot, now: Self.start + 2500 * 60 + 30, Self.minutes)
        let candles = try await finishing {
            try await history.candles(symbol: "BTCUSDT", timeframe: .m1, from: Self.start, to: Self.start + 1e6)
        }
        #expect(candles.map(\.timestamp) == (0..<2500).map { Self.start + Double($0) * 60 })
        #expect(venue.urls.count == 3)
        #expect(venue.urls.first?.hasPrefix("https://api.binance.com/api/v3/klines?symbol=BTCUSDT") == true)
    }

    @Test("accepts rows in the venue's order, each once, and leaves out what was not requested")
    func order() async throws {
        let venue = ScriptedVenue(clock: clock)
        let history = try history(venue, CoinbaseHistory(), now: Self.start + 1e6, base: "http://127.0.0.1:9/x/") {
            _, _ in
            // Newest first, one before the start, one twice, one off the grid, one that is no candle.
            let start = Int(Self.start)
            return "[[\(start + 120),9,14,10,12,3],[\(start + 60),9,14,10,12,2],[\(start + 60),9,14,10,12,4],"
                + "[\(start + 61),9,14,10,12,4],[\(start),9,8,10,12,4],[\(start - 60),9,14,10,12,4]]"
        }
        let rows = try await finishing {
            try await history.candles(symbol: "BTC-USD", timeframe: .m1, from: Self.start, to: Self.start + 180)
        }
        #expect(rows.map(\.timestamp) == [Self.start + 60, Self.start + 120])
        #expect(rows.map(\.volume) == [4, 3])
        #expect(venue.urls.first?.hasPrefix("http://127.0.0.1:9/x/products/BTC-USD/candles?") == true)
    }

    @Test("a stretch says of which time it is: not of what a venue whose clock is late has not finished")
    func covered() async throws {
        let venue = ScriptedVenue(clock: clock)
        let now = Self.start + 1200 * 60 + 30
        let history = try history(venue, BinanceHistory.spot, now: now, Self.minutes)
        let all = try await finishing {
            try await history.stretch(symbol: "BTCUSDT", timeframe: .m1, from: Self.start, to: now)
        }
        #expect(all.candles.count == 1200 && all.covered == Self.start..<Self.start + 1200 * 60 && all.next == nil)
        // Its clock says 2024-08-08 00:05:10: five minutes are over there, and twenty hours here.
        let late = ScriptedVenue(
            [
                .status(
                    200, ["date": "Thu, 08 Aug 2024 00:05:10 GMT"],
                    Self.minutes(from: Self.start * 1000, to: (Self.start + 600) * 1000))
            ],
            clock: clock)
        let unfinished = try self.history(late, BinanceHistory.spot, now: now, Self.minutes)
        let part = try await finishing {
            try await unfinished.stretch(symbol: "BTCUSDT", timeframe: .m1, from: Self.start, to: Self.start + 600)
        }
        #expect(part.candles.count == 5 && part.covered == Self.start..<Self.start + 300)
    }

    @Test("a guard in front of a venue that says no may say yes in a while", arguments: [403, 408, 425, 400])
    func passing(status: Int) async throws {
        let venue = ScriptedVenue([.status(status, [:], "")], clock: clock)
        let history = try history(venue, BinanceHistory.spot, now: Self.start, Self.minutes)
        let error = await #expect(throws: HistoryError.self) {
            try await finishing {
                try await history.candles(symbol: "X", timeframe: .m1, from: Self.start - 600, to: Self.start)
            }
        }
        #expect(error?.kind == (status == 400 ? .refused : .unreachable))
    }

    @Test("requests Kraken's available candles once, and leaves out the running candle")
    func newestOnly() async throws {
        let venue = ScriptedVenue(clock: clock)
        let now = Self.start + 1_000_000 * 60 + 5
        let history = try history(venue, KrakenHistory(), now: now) { _, _ in
            let rows = (0...720).map {
                "[\(Int(Self.start) + (1_000_000 - 720 + $0) * 60),\"1\",\"1\",\"1\",\"1\",\"0.0\",\"0\",0]"
            }
            return
                #"{"error":[],"result":{"X":[\#(rows.joined(separator: ","))],"last":\#(Int(Self.start) + 999_999 * 60)}}"#
        }
        #expect(history.earliest(.m1) == Self.start + Double(1_000_000 - 719) * 60)
        let candles = try await finishing {
            try await history.candles(symbol: "BTC/USD", timeframe: .m1, from: Self.start, to: .infinity)
        }
        #expect(candles.count == 719 && candles.last?.timestamp == Self.start + 999_999 * 60)
        #expect(venue.urls.count == 1)
    }

    @Test(
        "the last candle of a page is there whether the venue includes the end or not, and each candle once",
        arguments: [Venue.coinbase, .coinbaseAdvanced, .bitstamp], [true, false])
    func ends(venue: Venue, includesEnd: Bool) async throws {
        let adapter = try #require(HistoryCatalogue.adapter(for: venue))
        let scripted = ScriptedVenue(clock: clock)
        let history = try history(scripted, adapter, now: Self.start + 1e6) { from, to in
            var from = from
            var to = to
            if venue == .coinbase {
                (from, to) = (Self.start, Self.start + 1e5)
                for (name, value) in Self.query(scripted.urls.last ?? "") {
                    let time = try? Date(value, strategy: .iso8601).timeIntervalSince1970
                    if name == "start" { from = time ?? 0 }
                    if name == "end" { to = time ?? 0 }
                }
            }
            let times = stride(from: from, through: includesEnd ? to : to - 60, by: 60).map(Int.init)
            guard times.count <= (venue == .bitstamp ? 1000 : 300) else { return "too many" }
            switch venue {
            case .coinbase: return "[\(times.reversed().map { "[\($0),9,14,10,12,3]" }.joined(separator: ","))]"
            case .coinbaseAdvanced: return #"{"candles":[\#(Self.objects(times, "start"))]}"#
            default: return #"{"data":{"pair":"X","ohlc":[\#(Self.objects(times, "timestamp"))]}}"#
            }
        }
        let minutes = adapter.rowsPerPage * 2 + 7
        let candles = try await finishing {
            try await history.candles(
                symbol: "BTC-USD", timeframe: .m1, from: Self.start, to: Self.start + Double(minutes) * 60)
        }
        #expect(candles.map(\.timestamp) == (0..<minutes).map { Self.start + Double($0) * 60 })
        #expect(scripted.urls.count == 3)
    }

    private static func query(_ url: String) -> [(String, String)] {
        (url.split(separator: "?").last ?? "").split(separator: "&").map { field in
            let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
    }

    private static func objects(_ times: [Int], _ start: String) -> String {
        times.map { #"{"\#(start)":"\#($0)","low":"9","high":"14","open":"10","close":"12","volume":"3"}"# }
            .joined(separator: ",")
    }

    @Test("rows that make no sense are reported, and their minutes are not known")
    func malformed() async throws {
        let venue = ScriptedVenue(clock: clock)
        let history = try history(venue, CoinbaseHistory(), now: Self.start + 1e6) { _, _ in
            let start = Int(Self.start)
            // A high below the low; off the grid, alone and beside a good one; out of what was requested.
            return "[[\(start + 60),9,8,10,12,4],[\(start + 130),9,14,10,12,4],[\(start + 180),9,14,10,12,4],"
                + "[\(start + 190),9,14,10,12,4],[\(start - 60),9,8,10,12,4],[1e300,9,8,10,12,4]]"
        }
        let page = try await history.page(
            symbol: "BTC-USD", timeframe: .m1, from: Self.start, to: Self.start + 300)
        #expect(page.candles.map(\.candle.timestamp) == [Self.start + 180])
        #expect(page.malformed == [Self.start + 60, Self.start + 120])
        #expect(page.covered == Self.start..<Self.start + 300)
        #expect(page.known == [Self.start..<Self.start + 60, Self.start + 180..<Self.start + 300])
    }

    @Test("a provider that does not say why a candle is missing, is not believed that nothing was traded")
    func unexplained() async throws {
        let venue = ScriptedVenue(clock: clock)
        let history = try history(venue, CandlewireHistory(), now: Self.start + 1e6) { _, _ in
            let rows = [0, 60, 240].map {
                #"{"timestamp":\#(Int(Self.start) + $0),"open":10,"high":14,"low":9,"close":12,"volume":3}"#
            }
            return "[\(rows.joined(separator: ","))]"
        }
        let page = try await history.page(symbol: "X", timeframe: .m1, from: Self.start, to: Self.start + 600)
        #expect(page.covered == Self.start..<Self.start + 600)
        #expect(page.known == [Self.start..<Self.start + 120, Self.start + 240..<Self.start + 300])
    }

    @Test("what Kraken no longer has when the request goes out at last, is not taken for known")
    func movingWindow() async throws {
        let now = Self.start + 1_000_000 * 60 + 55
        let venue = ScriptedVenue([.status(429, ["retry-after": "600"], "")], clock: clock)
        let clock = clock
        let history = try history(venue, KrakenHistory(), now: now) { _, _ in
            let newest = Int((now + clock.seconds) / 60) * 60
            let rows = (0...720).map { "[\(newest - (720 - $0) * 60),\"1\",\"1\",\"1\",\"1\",\"0.0\",\"2\",1]" }
            return #"{"error":[],"result":{"X":[\#(rows.joined(separator: ","))],"last":\#(newest - 60)}}"#
        }
        let earliest = history.earliest(.m1)
        let page = try await finishing {
            try await history.page(symbol: "BTC/USD", timeframe: .m1, from: earliest, to: .infinity)
        }
        #expect(venue.times == [0, 600])
        #expect(page.covered.lowerBound == earliest + 600)
        #expect(page.candles.first?.candle.timestamp == page.covered.lowerBound)
    }

    @Test("a candle that the venue holds to be running, by its mark or its clock, is not taken for known")
    func venueClock() async throws {
        // Our clock is a minute and a half ahead of the venue's.
        let now = Self.start + 600 + 95
        let dated = ScriptedVenue(
            [
                .status(
                    200, ["date": "Thu, 08 Aug 2024 00:10:05 GMT"],
                    Self.minutes(from: 1_723_075_200_000, to: 1_723_075_800_000))
            ],
            clock: clock)
        let binance = try history(dated, BinanceHistory.spot, now: now, Self.minutes)
        let page = try await binance.page(symbol: "X", timeframe: .m1, from: Self.start, to: .infinity)
        #expect(page.covered == Self.start..<Self.start + 600)
        #expect(page.candles.map(\.candle.timestamp).last == Self.start + 540)
        #expect(page.next == nil)

        let marked = ScriptedVenue(clock: clock)
        let kraken = try history(marked, KrakenHistory(), now: now) { _, _ in
            let rows = (0...10).map { "[\(Int(Self.start) + $0 * 60),\"1\",\"1\",\"1\",\"1\",\"0.0\",\"2\",1]" }
            return #"{"error":[],"result":{"X":[\#(rows.joined(separator: ","))],"last":\#(Int(Self.start) + 540)}}"#
        }
        let other = try await kraken.page(symbol: "BTC/USD", timeframe: .m1, from: Self.start, to: .infinity)
        #expect(other.covered == Self.start..<Self.start + 600 && other.candles.count == 10)
        #expect(other.next == nil)
    }

    @Test("goes out one request a second where nothing else is known, one after another")
    func pace() async throws {
        let venue = ScriptedVenue(clock: clock)
        let history = try history(venue, CandlewireHistory(), now: Self.start + 1e6) { _, _ in "[]" }
        _ = try await finishing {
            try await history.candles(symbol: "X", timeframe: .m1, from: Self.start, to: Self.start + 3500 * 60)
        }
        #expect(venue.times == [0, 1, 2, 3])
        #expect(
            venue.urls.first
                == "http://127.0.0.1:8080/v1/candles?symbol=X&timeframe=1m&limit=1000&from=1723075200&to=1723135199",
            "the address, and 1000 candles a page")
    }

    @Test("a provider's array of candles is read, in whatever order its fields come")
    func provider() async throws {
        let venue = ScriptedVenue(clock: clock)
        let history = try history(venue, CandlewireHistory(), now: Self.start + 1e6) { _, _ in
            #"[{"volume":3,"close":12,"low":9,"high":14,"open":10,"timestamp":1723075200}]"#
        }
        let candles = try await finishing {
            try await history.candles(symbol: "X", timeframe: .m1, from: Self.start, to: Self.start + 600)
        }
        #expect(candles == [Candle(timestamp: Self.start, open: 10, high: 14, low: 9, close: 12, volume: 3)])
    }

    @Test("a 429 waits as long as Retry-After says, and then goes on")
    func retryAfter() async throws {
        let venue = ScriptedVenue([.status(429, ["retry-after": "17"], ""), .rows], clock: clock)
        let history = try history(venue, BinanceHistory.spot, now: Self.start + 1e6, Self.minutes)
        let candles = try await finishing {
            try await history.candles(symbol: "X", timeframe: .m1, from: Self.start, to: Self.start + 600)
        }
        #expect(candles.count == 10)
        #expect(venue.times == [0, 17])
    }

    @Test("a Retry-After beyond five minutes is kept to the second, and reported")
    func longRetryAfter() async throws {
        let venue = ScriptedVenue([.status(429, ["retry-after": "1800"], ""), .rows], clock: clock)
        var history = try history(venue, BinanceHistory.spot, now: Self.start + 1e6, Self.minutes)
        let reported = Mutex<[Double]>([])
        history.onPause = { pause in reported.withLock { $0.append(pause) } }
        let client = history
        let candles = try await finishing {
            try await client.candles(symbol: "X", timeframe: .m1, from: Self.start, to: Self.start + 600)
        }
        #expect(candles.count == 10 && venue.times == [0, 1800])
        #expect(reported.withLock { $0 } == [1800])
    }

    @Test("a rest of hours is an error that says how long, and nothing is sent until it is over")
    func tooLongRetryAfter() async throws {
        let venue = ScriptedVenue(
            [.status(429, ["retry-after": "7200"], #"{"msg":"Way too many requests"}"#)], clock: clock)
        let history = try history(venue, BinanceHistory.spot, now: Self.start + 1e6, Self.minutes)
        for words in ["a pause of 7200 s: “Way too many requests”", "a pause of 7200 s"] {
            let error = await #expect(throws: HistoryError.self) {
                try await finishing {
                    try await history.candles(symbol: "X", timeframe: .m1, from: Self.start, to: 2e9)
                }
            }
            #expect(error?.kind == .rateLimitExceeded && error?.description.contains(words) == true)
        }
        #expect(venue.urls.count == 1)
        clock.advance(by: .seconds(7200))
        let candles = try await finishing {
            try await history.candles(symbol: "X", timeframe: .m1, from: Self.start, to: Self.start + 600)
        }
        #expect(candles.count == 10)
    }

    @Test("a venue that keeps refusing is an error, and so is a ban, at once")
    func refusedForGood() async throws {
        let refusals = ScriptedVenue(Array(repeating: .status(429, ["retry-after": "3"], ""), count: 6), clock: clock)
        let first = try history(refusals, BinanceHistory.spot, now: Self.start + 1e6, Self.minutes)
        let error = await #expect(throws: HistoryError.self) {
            try await finishing { try await first.candles(symbol: "X", timeframe: .m1, from: Self.start, to: 2e9) }
        }
        #expect(error?.kind == .rateLimitExceeded && error?.status == 429)
        #expect(refusals.urls.count == 6)

        let ban = ScriptedVenue(
            [.status(418, ["retry-after": "7200"], #"{"code":-1003,"msg":"Way too many requests"}"#)], clock: clock)
        let second = try history(ban, BinanceHistory.spot, now: Self.start + 1e6, Self.minutes)
        let banned = await #expect(throws: HistoryError.self) {
            try await finishing { try await second.candles(symbol: "X", timeframe: .m1, from: Self.start, to: 2e9) }
        }
        #expect(banned?.kind == .rateLimitExceeded)
        #expect(banned?.description.contains("for 7200 s: “Way too many requests”") == true)
    }

    @Test("tries again after a server's error and a lost connection, with growing pauses; then says what is wrong")
    func tryingAgain() async throws {
        let venue = ScriptedVenue([.status(502, [:], "<html>"), .error(.timedOut), .error(.lost), .rows], clock: clock)
        let history = try history(venue, BinanceHistory.spot, now: Self.start + 1e6, Self.minutes)
        let candles = try await finishing {
            try await history.candles(symbol: "X", timeframe: .m1, from: Self.start, to: Self.start + 600)
        }
        #expect(candles.count == 10)
        #expect(venue.times == [0, 1, 3, 7])

        let dead = ScriptedVenue(Array(repeating: .error(.notConnected("no server listens")), count: 4), clock: clock)
        let other = try self.history(dead, BinanceHistory.spot, now: Self.start + 1e6, Self.minutes)
        let error = await #expect(throws: HistoryError.self) {
            try await finishing { try await other.candles(symbol: "X", timeframe: .m1, from: Self.start, to: 2e9) }
        }
        #expect(error?.kind == .unreachable)
        #expect(error?.description == "binance (https://api.binance.com) cannot be reached: no server listens.")
    }

    @Test("errors are distinguished: the address, the request, the answer")
    func errors() async throws {
        for base in [
            "", "api.binance.com", "ftp://x", "https://", "https:///x", "https://user@host", "https://h?key=1",
            "http://:80",
        ] {
            let error = #expect(throws: HistoryError.self) { try VenueHistory(BinanceHistory.spot, base: base) }
            #expect(error?.kind == .invalidURL)
            #expect(error?.description.contains("key=1") == false, "what may be a secret is not printed")
        }
        let venue = ScriptedVenue(
            [
                .status(400, [:], #"{"code":-1121,"msg":"Invalid symbol."}"#), .status(200, [:], "<html>"),
                .status(302, ["location": "http://x"], ""),
            ], clock: clock)
        let history = try history(venue, BinanceHistory.spot, now: Self.start + 1e6, Self.minutes)
        var found: [HistoryError] = []
        for timeframe in [Timeframe.s5, .m1, .m1, .m1] {
            do {
                _ = try await finishing {
                    try await history.candles(symbol: "X", timeframe: timeframe, from: Self.start, to: Self.start + 60)
                }
            } catch let error as HistoryError { found.append(error) }
        }
        #expect(found.map(\.kind) == [.usage, .refused, .invalidResponse, .refused])
        #expect(found[0].description.contains("binance has no 5s candles; it has 1s, 1m, 3m"))
        #expect(found[1].description.contains("HTTP status 400: “Invalid symbol.”"))
        #expect(found[2].description.contains("The answer of binance is not a valid list of klines"))
    }

    @Test("a caller that is cancelled while it waits for the venue's pace ends at once")
    func cancelled() async throws {
        let venue = ScriptedVenue([.status(429, ["retry-after": "250"], "")], clock: clock)
        let history = try history(venue, BinanceHistory.spot, now: Self.start + 1e6, Self.minutes)
        let task = Task { try await history.candles(symbol: "X", timeframe: .m1, from: Self.start, to: 2e9) }
        await clock.waitForSleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(venue.urls.count == 1)
    }

    @Test("an empty stretch of time makes no request")
    func empty() async throws {
        let venue = ScriptedVenue(clock: clock)
        let history = try history(venue, BinanceHistory.spot, now: Self.start + 90, Self.minutes)
        for (from, to) in [
            (Self.start, Self.start), (Self.start + 60, Self.start + 600), (Self.start + 30, Self.start + 50),
        ] {
            #expect(try await history.candles(symbol: "X", timeframe: .m1, from: from, to: to).isEmpty)
        }
        #expect(venue.urls.isEmpty)
    }
}
