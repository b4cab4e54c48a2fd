import MarketFeeds
import MarketModel
import NIOHTTP1
import StreamCore
import Testing
import WebSocketTransport

@Suite("The stream, over real sockets")
struct StreamTests {
    static let feed = FeedSpecification.simulated(symbols: ["BTC-USD", "ETH-USD"])

    @Test("state, then live: no offset is missing or twice, and the client's series is the server's")
    func snapshotThenLive() async throws {
        try await RunningServer.with(feed: Self.feed) { server in
            let reader = try await server.connect()
            try await reader.send(
                .subscribe(SubscribeRequest(symbol: "BTC-USD", timeframe: .s1, id: RequestID(1), history: 50)))
            guard case .subscribed(let id, "BTC-USD", .s1, let start?, false) = try await reader.next() else {
                Issue.record("the first answer is not `subscribed`")
                return
            }
            #expect(id == RequestID(1))
            guard case .snapshot("BTC-USD", .s1, let candles, let position) = try await reader.next() else {
                Issue.record("the second answer is not the snapshot")
                return
            }
            #expect(position == start)
            #expect(candles.count == 50)

            var series = CandleSeries()
            series.replaceAll(with: candles)
            var offset = start.offset
            var finals: [Double: Candle] = [:]
            while finals.count < 3 {
                switch try await reader.next() {
                case .tick(_, _, _, let number):
                    #expect(number == offset + 1)
                    offset += 1
                case .candle(_, let bar, let number):
                    #expect(number == offset + 1)
                    offset += 1
                    series.place(bar.candle)
                    if bar.isFinal { finals[bar.candle.timestamp] = bar.candle }
                default: Issue.record("an unexpected message")
                }
            }
            // What became final is what REST says, and neither overlap nor hole is in between.
            let (_, body) = try await server.get("/v1/candles?symbol=BTC-USD&timeframe=1s&limit=60")
            let rest = try candlesByTime(body)
            for (timestamp, candle) in finals { #expect(rest[timestamp] == candle) }
            for index in 1..<series.count { #expect(series[index].timestamp - series[index - 1].timestamp >= 1) }
            await reader.socket.close()
        }
    }

    @Test("after a drop, recover replays exactly what was missed; a wrong epoch gets a snapshot")
    func recovers() async throws {
        try await RunningServer.with(feed: Self.feed) { server in
            let first = try await server.connect()
            try await first.send(.subscribe(SubscribeRequest(symbol: "ETH-USD", timeframe: .m1, history: 1)))
            var position: StreamPosition?
            while position?.offset ?? 0 < 20 {
                switch try await first.next() {
                case .subscribed(_, _, _, let start, _): position = start
                case .tick(_, _, _, let offset?), .candle(_, _, let offset?): position?.offset = offset
                default: break
                }
            }
            await first.socket.close()

            let second = try await server.connect()
            try await second.send(
                .subscribe(SubscribeRequest(symbol: "ETH-USD", timeframe: .m1, history: 1, recover: position)))
            guard case .subscribed(_, _, _, let start?, true) = try await second.next() else {
                Issue.record("not recovered")
                return
            }
            #expect(start.epoch == position?.epoch)
            var offset = position!.offset
            while offset < start.offset + 10 {
                switch try await second.next() {
                case .tick(_, _, _, let number), .candle(_, _, let number):
                    #expect(number == offset + 1)
                    offset += 1
                default: Issue.record("a recovered stream needs nothing but what was missed")
                }
            }
            // The same connection subscribes again with a position of another run.
            try await second.send(
                .subscribe(
                    SubscribeRequest(
                        symbol: "ETH-USD", timeframe: .m1, history: 2,
                        recover: StreamPosition(epoch: "other", offset: 3))))
            var hasSnapshot = false
            while !hasSnapshot {
                if case .snapshot(_, _, let candles, _) = try await second.next() {
                    #expect(candles.count == 2)
                    hasSnapshot = true
                }
            }
            await second.socket.close()
        }
    }

    @Test("max_rate keeps the latest, counts the others and reports")
    func rateLimit() async throws {
        try await RunningServer.with(feed: Self.feed, rate: 2000) { server in
            let reader = try await server.connect()
            try await reader.send(
                .subscribe(SubscribeRequest(symbol: "BTC-USD", timeframe: .m1, history: 0, maxRate: 5)))
            var ticks: [Double] = []
            var skipped = 0
            while skipped == 0 || ticks.count < 5 {
                switch try await reader.next() {
                case .tick(_, _, let tick, _): ticks.append(tick.timestamp)
                case .skipped("BTC-USD", _, let count): skipped += count
                default: break
                }
            }
            #expect(skipped > 50)
            #expect(ticks.count < 20)
            for (a, b) in zip(ticks, ticks.dropFirst()) { #expect(b > a) }
            await reader.socket.close()
        }
    }

    @Test("bad requests are answered with the field and what is allowed, and cost nothing else")
    func errors() async throws {
        try await RunningServer.with(feed: Self.feed) { server in
            let reader = try await server.connect()
            for (text, code, field) in [
                ("nonsense", "invalid_json", nil), (#"{"action":"buy"}"#, "unknown_action", "action"),
                (#"{"action":"subscribe","symbol":"XYZ","timeframe":"1m"}"#, "unknown_symbol", "symbol"),
                (#"{"action":"subscribe","symbol":"BTC-USD","timeframe":"2m"}"#, "unknown_timeframe", "timeframe"),
                (#"{"action":"unsubscribe","symbol":"BTC-USD"}"#, "not_subscribed", "symbol"),
            ] as [(String, String, String?)] {
                try await reader.socket.send(text: text)
                guard case .error(code, let message, field, _) = try await reader.next() else {
                    Issue.record("\(text) was not answered with \(code)")
                    continue
                }
                #expect(message.hasSuffix("."))
            }
            try await reader.send(.ping(id: RequestID(2)))
            #expect(try await reader.next() == .pong(id: RequestID(2)))
            await reader.socket.close()
        }
    }

    @Test("unsubscribing without a timeframe ends all of the symbol's streams")
    func unsubscribes() async throws {
        try await RunningServer.with(feed: Self.feed) { server in
            let reader = try await server.connect()
            for timeframe in [Timeframe.m1, .m5] {
                try await reader.send(.subscribe(SubscribeRequest(symbol: "BTC-USD", timeframe: timeframe)))
            }
            try await reader.send(.unsubscribe(symbol: "BTC-USD", timeframe: nil, id: RequestID(9)))
            try await reader.send(.ping(id: RequestID(10)))
            var ended: [Timeframe?] = []
            while true {
                let message = try await reader.next()
                if case .unsubscribed(RequestID(9), _, let timeframe) = message { ended.append(timeframe) }
                if message == .pong(id: RequestID(10)) { break }
            }
            #expect(ended == [.m1, .m5])
            // Nothing of the market follows: the next message is the next pong.
            try await reader.send(.ping(id: RequestID(11)))
            #expect(try await reader.next() == .pong(id: RequestID(11)))
            await reader.socket.close()
        }
    }

    @Test("a binary frame is refused with 1003, an unknown path with 404")
    func refusals() async throws {
        try await RunningServer.with(feed: Self.feed) { server in
            let reader = try await server.connect()
            try await reader.socket.send(binary: [1, 2, 3])
            await #expect {
                _ = try await reader.next()
            } throws: {
                ($0 as? StreamReader.Disconnected)?.code.rawValue == 1003
            }
            await #expect {
                _ = try await WebSocketConnector.connect(
                    url: "ws://127.0.0.1:\(server.port)/elsewhere", timeout: .patient)
            } throws: {
                ($0 as? WebSocketUpgradeError)?.status.code == 404
            }
        }
    }
}
