import MarketModel
import Testing

@testable import MarketFeeds
@testable import VenueSimulation

/// The simulated provider sends what the configuration describes: what it sends is read with the same file.
@Suite("Simulated providers")
struct SimulatedProviderTests {
    private static let symbols = ["BTC-USD", "ETH-USD"]

    /// What one connection receives that sends the adapter's requests.
    private static func play(
        _ name: String, _ requested: [String], more: [String] = []
    ) throws -> (venue: VenueMachine, messages: [[UInt8]]) {
        let configuration = try ProviderExamples.configuration(name)
        let adapter = try ProviderAdapter(configuration, token: "t")
        let provider = try SimulatedProvider(outline: configuration.outline)
        let session = RecordedSession.made(provider, symbols: symbols)
        var venue = VenueMachine(.provider(provider), session: session, settings: VenueSettings())
        guard case .accept(let number) = venue.handshake(target: provider.path, now: 0) else {
            Issue.record("\(provider.path) is refused")
            return (venue, [])
        }
        venue.opened(number, target: provider.path, now: 0)
        if let request = adapter.request(.subscribe, requested, number: 1) {
            venue.received(request, on: number, now: 0)
        }
        for text in more { venue.received(text, on: number, now: 0) }
        var messages: [[UInt8]] = []
        for _ in 0..<1000 {
            while let action = venue.nextAction() {
                if case .send(_, let bytes) = action { messages.append(bytes) }
            }
            guard let next = venue.nextWakeUp, next <= 0 else { break }
            venue.advance(now: 0)
        }
        return (venue, messages)
    }

    @Test("what is sent is read with the same configuration, to the cent", arguments: ProviderExamples.names)
    func roundTrip(name: String) throws {
        let configuration = try ProviderExamples.configuration(name)
        let acceptsSeveral = configuration.subscribe.has(.symbols)
        let requested = acceptsSeveral ? Self.symbols : ["BTC-USD"]
        let (_, messages) = try Self.play(name, requested)
        var session = VenueSession(configuration, markets: requested)
        var builder = TickAggregator(timeframes: [.m1])
        var candles: [Candle] = []
        for message in messages {
            let kind = message.withUnsafeBytes { session.read($0) }
            #expect(kind != .malformed && kind != .other, "\(String(decoding: message, as: UTF8.self))")
            for trade in session.trades where trade.market == 0 { builder.ingest(trade.tick) { _ in } }
            candles += (session.candles + session.openCandles).filter { $0.symbol == "BTC-USD" }.map(\.candle)
        }
        #expect(session.counts.trades == 120 * requested.count && session.counts.malformed == 0)
        #expect(session.counts.missing == 0 && session.providerCounts?.otherSymbols == 0)
        let made = try #require(builder.forming(.m1)?.candle)
        #expect(made.volume == 60 && made.open == 100)
        if configuration.shape.rule(.candle) != nil {
            #expect(candles.last == made, "its own candle is the one that its trades make")
        }
        #expect(candles.contains { $0.timestamp < made.timestamp } == (configuration.shape.rule(.snapshot) != nil))
    }

    @Test("requests are answered as described: granted, refused by name, not understood; heartbeats too")
    func answers() throws {
        let (venue, messages) = try Self.play(
            "nested", ["BTC-USD"],
            more: [
                #"{"op":"subscribe","args":[{"channel":"trade","id":"NO"}],"id":2}"#, #"{"op":"ping"}"#, "{}", "ping",
                #"{"op":"unsubscribe","args":[{"channel":"trade","id":"BTC-USD"}],"id":3}"#,
            ])
        #expect(
            messages.map { String(decoding: $0, as: UTF8.self) } == [
                #"{"channel":"subscribed","market":{"id":"BTC-USD"}}"#,
                #"{"channel":"error","reason":"unknown symbol NO","market":{"id":"NO"}}"#,
                #"{"channel":"pong"}"#, #"{"channel":"error","reason":"unknown request"}"#,
                #"{"channel":"error","reason":"a request is JSON"}"#,
            ])
        #expect(venue.symbols == Self.symbols)
    }

    @Test(
        "candles over HTTP are those of its trades, the running one too", arguments: ["guide", "rows"])
    func history(name: String) throws {
        let configuration = try ProviderExamples.configuration(name)
        let adapter = try ProviderAdapter(configuration, token: "t")
        let history = try #require(adapter.history)
        var (venue, _) = try Self.play(name, ["BTC-USD"])
        let now = 1_900_000_030.0
        func get(_ timeframe: Timeframe, _ symbol: String = "BTC-USD") -> VenueResponse {
            let target = history.request(symbol: symbol, timeframe: timeframe, from: now - 600, to: now)
            return venue.answer(VenueRequest(target: target), now: now)
        }
        let minutes = try history.candles(from: Array(get(.m1).body.utf8)).map(\.candle)
        #expect(minutes.count > 100 && minutes.last?.timestamp == Timeframe.m1.bucketStart(of: now))
        #expect(minutes.dropLast().allSatisfy { $0.volume == 60 && $0.open == 100 && $0.isWellFormed })
        #expect(minutes.last?.volume == 10.5, "ten seconds of the running one, and no trade that is yet to come")
        #expect(zip(minutes, minutes.dropFirst()).allSatisfy { $1.timestamp - $0.timestamp == 60 })
        let hours = try history.candles(from: Array(get(.h1).body.utf8)).map(\.candle)
        #expect(hours.dropLast().dropFirst().allSatisfy { $0.volume == 3600 })
        #expect(get(.m1, "NO").status == 404)
        #expect(adapter.history?.errorMessage(in: Array(get(.m1, "NO").body.utf8)) == "unknown symbol")
        if name == "guide" {
            let seconds = try history.candles(from: Array(get(.s1).body.utf8)).map(\.candle)
            #expect(seconds.count == 1000 && seconds.dropLast().allSatisfy { $0.volume == 1 })
            let target = "/v1/candles?symbol=BTC-USD&timeframe=7m&limit=10"
            #expect(venue.answer(VenueRequest(target: target), now: now).status == 400)
        }
        #expect(venue.answer(VenueRequest(target: "/other"), now: now).status == 404)
    }

    /// Plays a made session in a loop, in real time, and returns what was sent with the time.
    private static func playRounds(_ requests: [String], seconds: Double) throws -> [(time: Double, bytes: [UInt8])] {
        let provider = try SimulatedProvider(outline: ProviderExamples.configuration("guide").outline)
        var venue = VenueMachine(
            .provider(provider), session: .made(provider, symbols: symbols),
            settings: VenueSettings(pace: .recorded(), times: .now, loops: true))
        let start = 1_900_000_020.0
        var now = start
        guard case .accept(let number) = venue.handshake(target: provider.path, now: now) else { return [] }
        venue.opened(number, target: provider.path, now: now)
        for request in requests { venue.received(request, on: number, now: now) }
        var sent: [(time: Double, bytes: [UInt8])] = []
        while now < start + seconds {
            while let action = venue.nextAction() {
                if case .send(_, let bytes) = action { sent.append((now - start, bytes)) }
            }
            guard let next = venue.nextWakeUp else { break }
            now = max(now, next)
            venue.advance(now: now)
        }
        return sent
    }

    @Test("rounds follow each other without a pause")
    func roundsJoin() throws {
        let sent = try Self.playRounds([#"{"action":"subscribe","symbol":"BTC-USD","timeframe":"1m"}"#], seconds: 185)
        let times = sent.map(\.time)
        #expect(times.last.map { $0 > 184 } == true)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 <= 0.5 + 1e-6 })
    }

    @Test("snapshot and candles are of the timeframe that was requested", arguments: [Timeframe.s5, .m1, .m5, .h1])
    func timeframes(timeframe: Timeframe) throws {
        let request = #"{"action":"subscribe","symbol":"ETH-USD","timeframe":"\#(timeframe.rawValue)"}"#
        let sent = try Self.playRounds([request], seconds: 700)
        let configuration = try ProviderExamples.read(
            #"{"url":"wss://a","timeframe":"\#(timeframe.rawValue)"}"#)
        var session = VenueSession(configuration, markets: ["ETH-USD"])
        var builder = TickAggregator(timeframes: [timeframe])
        var traded: [Double: Candle] = [:]
        var candles: [Double: Candle] = [:]
        var snapshot: [Candle] = []
        for message in sent {
            _ = message.bytes.withUnsafeBytes { session.read($0) }
            if snapshot.isEmpty { snapshot = session.candles.map(\.candle) }
            for trade in session.trades { builder.ingest(trade.tick) { traded[$0.candle.timestamp] = $0.candle } }
            for candle in session.candles + session.openCandles { candles[candle.candle.timestamp] = candle.candle }
        }
        #expect(session.counts.malformed == 0 && session.counts.trades > 1300)
        #expect(
            snapshot.count >= 9
                && zip(snapshot, snapshot.dropFirst()).allSatisfy {
                    timeframe.bucketEnd(ofBucketAt: $0.timestamp) == $1.timestamp
                })
        // The first bucket may have begun before the connection.
        for (start, candle) in traded where start > traded.keys.min() ?? 0 { #expect(candles[start] == candle) }
    }

    @Test("a subscription with an unknown timeframe is refused with those that there are")
    func unknownTimeframe() throws {
        let sent = try Self.playRounds([#"{"action":"subscribe","symbol":"BTC-USD","timeframe":"7m"}"#], seconds: 1)
        #expect(sent.count == 1)
        let text = String(decoding: try #require(sent.first).bytes, as: UTF8.self)
        #expect(text.contains("unknown timeframe 7m; there are 1s, 5s, 15s, 1m"))
    }

    @Test("the outline has no secrets, and says which configurations cannot be played")
    func outline() throws {
        let provider = try ProviderExamples.configuration("rows")
        #expect(!String(decoding: provider.outline, as: UTF8.self).contains("TOKEN"))
        #expect(provider.canBePlayed)
        #expect(try !ProviderExamples.read(#"{"url":"wss://a","batch":"data"}"#).canBePlayed)
    }

    @Test("what is explained to people names each place, and what a message is taken for")
    func explanation() throws {
        let provider = try ProviderExamples.configuration("nested")
        let lines = Dictionary(provider.explanation.map { ($0.name, $0.text) }, uniquingKeysWith: { a, _ in a })
        #expect(lines["address"] == "wss://stream.example.com/v2")
        #expect(
            lines["tick"]
                == "channel = trade: symbol market.id, timestamp data.ts, price data.p, volume data.q, side data.taker, "
                + "id data.seq")
        #expect(lines["heartbeat"] == #"{"op":"ping"} every 20 s, answered by pong"# && lines["history"] == "none")
        #expect(
            provider.reading(of: ProviderExamples.messages("nested")[1])
                == ["trade of BTC-USDT: price 67234.50, volume 0.25, 2024-11-20T19:13:20Z, sell, id 41"])
        #expect(provider.reading(of: #"{"channel":"trade","market":{"id":"A"}}"#) == ["lost: timestamp is missing"])
        #expect(provider.reading(of: #"{"channel":"x"}"#) == [#"left out: its type "x" is unknown"#])
        #expect(provider.reading(of: "{") == ["lost: not_json"])
        #expect(provider.reading(of: #"{"channel":"pong"}"#) == ["a heartbeat"])
    }
}
