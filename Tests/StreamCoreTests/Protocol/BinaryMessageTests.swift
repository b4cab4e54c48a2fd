import MarketModel
import StreamCore
import Testing

private let symbol = Array("BTC-USD".utf8)
private let candle = Candle(timestamp: 1_732_129_980, open: 1.5, high: 2, low: 1, close: 1.25, volume: 0.1)

private func bytes(_ write: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    write(&bytes)
    return bytes
}

@Suite("Binary messages")
struct BinaryMessageTests {
    private static func decode(_ bytes: [UInt8]) throws -> ServerMessage {
        try bytes.withUnsafeBytes { try ServerMessage.decode(binary: $0) }
    }

    private static let tick = bytes {
        BinaryMessageWriter.tick(
            Tick(timestamp: 1732130000.123, price: 67234.5, volume: 0.25), symbol: symbol, timeframe: .m1, offset: 813,
            into: &$0)
    }
    private static let bar = bytes {
        BinaryMessageWriter.candle(
            Bar(timeframe: .m1, candle: candle, isFinal: true, revision: 2, quality: .corrected), symbol: symbol,
            offset: 813, into: &$0)
    }
    private static let snapshot = bytes {
        BinaryMessageWriter.snapshot(
            symbol: symbol, timeframe: .m1, candles: [candle, candle],
            position: StreamPosition(epoch: "k3x9", offset: 813), into: &$0)
    }
    private static let skipped = bytes {
        BinaryMessageWriter.skipped(symbol: symbol, timeframe: .m1, count: 1, into: &$0)
    }

    @Test("messages look as the protocol defines them, to the byte")
    func shapes() {
        let name = "07 4254432d555344"
        let candle =
            "0000002f8dcfd941 000000000000f83f 0000000000000040 000000000000f03f 000000000000f43f 9a9999999999b93f"
        #expect(
            Self.tick
                == hex("01 03 00 \(name) 2d03000000000000 3bdf07348dcfd941 00000000286af040 000000000000d03f"))
        #expect(Self.bar == hex("02 03 84 \(name) 2d03000000000000 0200000000000000 \(candle)"))
        #expect(
            Self.snapshot
                == hex("03 03 04 \(name) 6b337839 2d03000000000000 0200000000000000 \(candle) \(candle)"))
        #expect(Self.skipped == hex("04 03 00 \(name) 0100000000000000"))
    }

    private func hex(_ text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    @Test("every timeframe has its number")
    func timeframes() throws {
        for (number, name) in "1s 5s 15s 1m 3m 5m 15m 30m 1h 2h 4h 6h 12h 1d 1w 1M".split(separator: " ").enumerated() {
            var bytes = Self.skipped
            bytes[1] = UInt8(number)
            let timeframe = try #require(Timeframe(rawValue: String(name)))
            #expect(try Self.decode(bytes) == .skipped(symbol: "BTC-USD", timeframe: timeframe, count: 1))
        }
    }

    @Test("any message reads as the same one in JSON", arguments: [19] as [UInt64])
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5000 {
            let message = RandomMessage(&random)
            let json = try written { message.write(json: &$0) }.bytes { try ServerMessage.decode($0) }
            let binary = bytes { message.write(binary: &$0) }
            #expect(try Self.decode(binary) == json, "seed \(seed): \(message)")
            // Fields may be added at the end.
            #expect(try Self.decode(binary + [1, 2, 3]) == json)
        }
    }

    @Test("what a later version may send is not an error")
    func unknown() throws {
        for (place, value, type) in [(0, 5, "binary 5"), (0, 0, "binary 0"), (1, 16, "binary 1"), (1, 255, "binary 1")]
        {
            var bytes = Self.tick
            bytes[place] = UInt8(value)
            #expect(try Self.decode(bytes) == .unknown(type: type))
        }
        var bytes = Self.bar
        bytes[2] = 0x85
        guard case .candle(_, let bar, _) = try Self.decode(bytes) else {
            Issue.record("no candle")
            return
        }
        #expect(bar.isFinal && bar.quality == .partial)
    }

    @Test("a message that is cut anywhere is refused, and the error says where it ends")
    func truncations() {
        for whole in [Self.tick, Self.bar, Self.snapshot, Self.skipped] {
            for length in 0..<whole.count {
                #expect {
                    try Self.decode(Array(whole[..<length]))
                } throws: {
                    ($0 as? WireError)?.message == "The binary message ends early, at byte \(length)."
                }
            }
        }
    }

    @Test("a number that is not finite is refused, as in JSON")
    func notFinite() {
        for (whole, first, last) in [(Self.tick, 19, 35), (Self.bar, 27, 67), (Self.snapshot, 31, 119)] {
            for at in stride(from: first, through: last, by: 8) {
                for value in [Double.nan, .infinity, -.infinity, .signalingNaN] {
                    var bytes = whole
                    for byte in 0..<8 { bytes[at + byte] = UInt8(truncatingIfNeeded: value.bitPattern >> (8 * byte)) }
                    #expect {
                        try Self.decode(bytes)
                    } throws: {
                        ($0 as? WireError)?.message == "A number of the binary message is not finite, at byte \(at)."
                    }
                }
            }
        }
    }

    @Test("a count of candles that cannot be costs no memory")
    func hostileCount() {
        for count in [3, .max, -1, .min, 1 << 56] as [Int64] {
            var bytes = Self.snapshot
            for byte in 0..<8 { bytes[23 + byte] = UInt8(truncatingIfNeeded: count >> (8 * byte)) }
            #expect(throws: WireError.self) { try Self.decode(bytes) }
        }
    }

    @Test("a damaged message costs at most that message: the session notices what it lost and goes on")
    func damages() throws {
        for whole in [Self.tick, Self.bar, Self.snapshot, Self.skipped] {
            #expect(try LiveSession.outcome(of: whole) == "delivered")
            for length in whole.indices {
                #expect(try LiveSession.outcome(of: Array(whole[..<length])) == "refused")
            }
            var outcomes: Set<String> = []
            for place in whole.indices {
                for value in [0, 1, 0x7F, 0x80, 0xFF, whole[place] ^ 1, whole[place] ^ 0x80] where value != whole[place]
                {
                    var damaged = whole
                    damaged[place] = value
                    outcomes.insert(try LiveSession.outcome(of: damaged))
                }
            }
            #expect(outcomes.contains("refused") && outcomes.contains("lost"))
        }
    }

    /// A session whose stream of minutes is live at offset 812.
    private struct LiveSession {
        private var session = StreamSession(seed: 1)
        private var events: [SessionEvent] = []
        private var sent: [String] = []
        private let socket = SocketNumber(rawValue: 1)

        /// Receives a message in the place of offset 813, then the next ones, until the stream is live again.
        /// - Returns: `refused` where the message could not be read, otherwise `lost` where something lacked later, or
        ///   `delivered`.
        static func outcome(of message: [UInt8]) throws -> String {
            var live = LiveSession()
            return try live.receiveDamaged(message)
        }

        private init() {
            _ = session.subscribe(SubscribeRequest(symbol: "BTC-USD", timeframe: .m1), now: 0)
            session.connect(now: 0)
            session.opened(socket, now: 0)
            begin(request: 1, at: 812)
        }

        private mutating func begin(request: Int, at offset: Int64) {
            let answer =
                #"{"type":"subscribed","id":\#(request),"symbol":"BTC-USD","timeframe":"1m","epoch":"k3x9","offset":\#(offset),"recovered":false}"#
            answer.bytes { session.received($0, on: socket, now: 0) }
            receive(
                bytes {
                    BinaryMessageWriter.snapshot(
                        symbol: symbol, timeframe: .m1, candles: [candle],
                        position: StreamPosition(epoch: "k3x9", offset: offset), into: &$0)
                })
        }

        private mutating func receiveTick(_ offset: Int64) {
            receive(
                bytes {
                    BinaryMessageWriter.tick(
                        Tick(timestamp: 1_732_130_000, price: 1, volume: 1), symbol: symbol, timeframe: .m1,
                        offset: offset, into: &$0)
                })
        }

        private mutating func receive(_ bytes: [UInt8]) {
            bytes.withUnsafeBytes { session.received($0, isBinary: true, on: socket, now: 0) }
            while let action = session.nextAction() {
                switch action {
                case .emit(let event): events.append(event)
                case .send(_, let bytes): sent.append(String(decoding: bytes, as: UTF8.self))
                default: break
                }
            }
        }

        private mutating func receiveDamaged(_ message: [UInt8]) throws -> String {
            (events, sent) = ([], [])
            receive(message)
            let isMalformed = events.contains { if case .problem("malformed", _) = $0 { true } else { false } }
            #expect(session.diagnostics.malformed == (isMalformed ? 1 : 0))
            // A message may come twice: a hole behind it shows with the second one.
            receiveTick(814)
            receiveTick(815)
            let isLost = events.contains { if case .stream(_, .gap) = $0 { true } else { false } }
            #expect(isLost || !isMalformed)
            if isLost {
                let request = try #require(sent.last)
                #expect(request.contains(#""action":"subscribe""#) && request.contains(#""id":2"#))
                #expect(!request.contains("recover"))
                begin(request: 2, at: 815)
            }
            events = []
            receiveTick(816)
            #expect(events.count == 1 && session.state == .open)
            return isMalformed ? "refused" : isLost ? "lost" : "delivered"
        }
    }
}

/// A message with random contents, and how both encodings write it.
private enum RandomMessage {
    case tick(String, Timeframe, Tick, Int64)
    case candle(String, Bar, Int64)
    case snapshot(String, Timeframe, [Candle], StreamPosition)
    case skipped(String, Timeframe, Int)

    init(_ random: inout SeededGenerator) {
        let symbol = ["BTC-USD", "", "a \"quoted\" \\ one", "Ω≈ç√", String(repeating: "long", count: 60)].randomElement(
            using: &random)!
        let timeframe = Timeframe.allCases.randomElement(using: &random)!
        let offset = Int64.random(in: 0..<(1 << 53), using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let tick = Tick(timestamp: Self.number(&random), price: Self.number(&random), volume: Self.number(&random))
            self = .tick(symbol, timeframe, tick, offset)
        case 1:
            let bar = Bar(
                timeframe: timeframe, candle: Self.candle(&random), isFinal: Bool.random(using: &random),
                revision: Int.random(in: 0...70_000, using: &random),
                quality: CandleQuality.allCases.randomElement(using: &random)!)
            self = .candle(symbol, bar, offset)
        case 2:
            let candles = (0..<Int.random(in: 0...4, using: &random)).map { _ in Self.candle(&random) }
            let epoch = ["k3x9", "", "é"].randomElement(using: &random)!
            self = .snapshot(symbol, timeframe, candles, StreamPosition(epoch: epoch, offset: offset))
        default: self = .skipped(symbol, timeframe, Int.random(in: 0...(1 << 40), using: &random))
        }
    }

    private static func candle(_ random: inout SeededGenerator) -> Candle {
        Candle(
            timestamp: number(&random), open: number(&random), high: number(&random), low: number(&random),
            close: number(&random), volume: number(&random))
    }

    /// Prices with few decimals, and any number that is finite.
    private static func number(_ random: inout SeededGenerator) -> Double {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return (Double.random(in: 0..<1e7, using: &random) * 100).rounded() / 100
        case 1:
            let rare = [0, -0.0, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -1e-9]
            return rare.randomElement(using: &random)!
        default:
            let number = Double(bitPattern: random.next())
            return number.isFinite ? number : 1
        }
    }

    func write(json sink: inout [UInt8]) {
        switch self {
        case .tick(let symbol, let timeframe, let tick, let offset):
            ServerMessageWriter.tick(
                tick, symbol: ServerMessageWriter.symbolJSON(symbol), timeframe: timeframe, offset: offset, into: &sink)
        case .candle(let symbol, let bar, let offset):
            ServerMessageWriter.candle(
                bar, symbol: ServerMessageWriter.symbolJSON(symbol), offset: offset, into: &sink)
        case .snapshot(let symbol, let timeframe, let candles, let position):
            ServerMessageWriter.snapshot(
                symbol: ServerMessageWriter.symbolJSON(symbol), timeframe: timeframe, candles: candles,
                position: position, into: &sink)
        case .skipped(let symbol, let timeframe, let count):
            ServerMessageWriter.skipped(
                symbol: ServerMessageWriter.symbolJSON(symbol), timeframe: timeframe, count: count, into: &sink)
        }
    }

    func write(binary sink: inout [UInt8]) {
        switch self {
        case .tick(let symbol, let timeframe, let tick, let offset):
            BinaryMessageWriter.tick(
                tick, symbol: Array(symbol.utf8), timeframe: timeframe, offset: offset, into: &sink)
        case .candle(let symbol, let bar, let offset):
            BinaryMessageWriter.candle(bar, symbol: Array(symbol.utf8), offset: offset, into: &sink)
        case .snapshot(let symbol, let timeframe, let candles, let position):
            BinaryMessageWriter.snapshot(
                symbol: Array(symbol.utf8), timeframe: timeframe, candles: candles, position: position, into: &sink)
        case .skipped(let symbol, let timeframe, let count):
            BinaryMessageWriter.skipped(symbol: Array(symbol.utf8), timeframe: timeframe, count: count, into: &sink)
        }
    }
}
