import MarketModel
import StreamCore
import TestKit
import Testing

/// Rule 8: whatever a server sends costs at most that message.
@Suite struct HostileServerTests {
    private static let templates = [
        #"{"type":"subscribed","id":$,"symbol":"BTC","timeframe":"1m","epoch":"@","offset":$,"recovered":?}"#,
        #"{"type":"snapshot","symbol":"BTC","timeframe":"1m","candles":[],"epoch":"@","offset":$}"#,
        #"{"type":"snapshot","symbol":"BTC","timeframe":"1m","candles":[]}"#,
        #"{"type":"tick","symbol":"BTC","timeframe":"1m","timestamp":$,"price":$,"volume":$,"offset":$}"#,
        #"{"type":"tick","symbol":"BTC","timestamp":$,"price":$,"volume":$}"#,
        #"{"type":"candle","symbol":"BTC","timeframe":"1m","timestamp":$,"open":$,"high":$,"low":$,"close":$,"volume":$,"offset":$}"#,
        #"{"type":"skipped","symbol":"BTC","timeframe":"1m","count":$}"#,
        #"{"type":"stale","symbol":"BTC","age":$}"#,
        #"{"type":"subscribed","channel":"orders","account":"@","id":$,"sequence":$}"#,
        #"{"type":"subscribed","channel":"health","id":$}"#, #"{"type":"@","channel":"@"}"#,
        #"{"type":"order","channel":"orders","account":"paper-main","sequence":$,"order":{"price":$}}"#,
        #"{"price":$,"type":"health","channel":"health","connections":$,"candles":$}"#,
        #"{"type":"error","code":"@","message":"@","id":$}"#,
        #"{"type":"error","code":"unauthorized","message":"@"}"#,
        #"{"type":"pong","id":$}"#, #"{"type":"authenticated"}"#, #"{"type":"closing","reconnect_after":$}"#,
        #"{"type":"unsubscribed","id":$,"symbol":"BTC","timeframe":"1m"}"#, #"{"type":"@"}"#, "", "null", "[1,2]",
    ]
    private static let numbers = [
        "0", "1", "2", "3", "5", "8", "-1", "4294967296", "2147483647", "9007199254740991", "-9007199254740992",
        "1e300",
        "0.5", "1e-300", "\"x\"", "null",
    ]

    @Test("random messages never break a session", arguments: 1...4 as ClosedRange<UInt64>)
    func randomMessages(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var now = 0.0
        var session = StreamSession(.with { $0.rotation = 30 }, seed: seed)
        let number = session.subscribe(SubscribeRequest(symbol: "BTC", timeframe: .m1), now: now)
        for channel in StreamChannel.allCases { session.subscribe(ChannelKey(channel), now: now) }
        session.connect(now: now)
        var sockets: [SocketNumber] = []
        for _ in 0..<5000 {
            var actions = 0
            while let action = session.nextAction() {
                actions += 1
                switch action {
                case .open(let socket): sockets.append(socket)
                case .close(let socket, _, _), .drop(let socket): sockets.removeAll { $0 == socket }
                case .fetchToken: session.setToken("t", now: now)
                case .send, .ping, .emit: break
                }
            }
            #expect(actions < 100 && sockets.count <= 2)
            if sockets.isEmpty { session.connect(now: now) }
            // A client that was refused, or left, comes again.
            if Int.random(in: 0..<20, using: &random) == 0 {
                let key = ChannelKey(StreamChannel.allCases.randomElement(using: &random)!)
                if Bool.random(using: &random) { session.unsubscribe(key, now: now) }
                session.subscribe(key, now: now)
            }
            if let deadline = session.deadline, Double.random(in: 0..<1, using: &random) < 0.1 || sockets.isEmpty {
                #expect(deadline.isFinite)
                now = max(now, deadline)
                session.timerFired(now: now)
            }
            guard let socket = sockets.randomElement(using: &random) else { continue }
            if Double.random(in: 0..<1, using: &random) < 0.2 { session.opened(socket, now: now) }
            now += Double.random(in: 0..<0.5, using: &random)
            if Int.random(in: 0..<4, using: &random) == 0 {
                Self.binary(&random).withUnsafeBytes { session.received($0, isBinary: true, on: socket, now: now) }
            } else {
                Self.message(&random).bytes { session.received($0, on: socket, now: now) }
            }
        }
        #expect(session.diagnostics.messagesIn > 1000)
        #expect(session.subscription(number) != nil)
        #expect(session.diagnostics.channels == StreamChannel.allCases.count)
    }

    /// Of any type and length, often about the stream that is there.
    private static func binary(_ random: inout SeededGenerator) -> [UInt8] {
        let detail = UInt8.random(in: 0...5, using: &random)
        var bytes = [UInt8.random(in: 0...5, using: &random), 3, detail, 3] + Array("BTC".utf8)
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            let word: UInt64 = Bool.random(using: &random) ? UInt64.random(in: 0...8, using: &random) : random.next()
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
        return Array(bytes.prefix(Int.random(in: bytes.count / 2...bytes.count * 3, using: &random)))
    }

    private static func message(_ random: inout SeededGenerator) -> String {
        var text = ""
        for character in templates.randomElement(using: &random)! {
            switch character {
            case "$": text += numbers.randomElement(using: &random)!
            case "@":
                text += ["e", "f", "", "unknown_symbol", "a much longer name than usual"].randomElement(using: &random)!
            case "?": text += Bool.random(using: &random) ? "true" : "false"
            default: text.append(character)
            }
        }
        if Int.random(in: 0..<20, using: &random) == 0 {
            text = String(text.prefix(Int.random(in: 0...40, using: &random)))
        }
        return text
    }
}
