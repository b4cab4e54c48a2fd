import MarketModel
import TestKit
import Testing

@testable import MarketFeeds

@Suite("Messages about stocks")
struct StockMessageTests {
    static let stocks = [
        TrackedStock(symbol: "AAPL", company: "A", description: "", initialPrice: 100),
        TrackedStock(symbol: "BRK.B", company: "B", description: "", initialPrice: 0.1),
    ]

    /// 2026-01-05T14:30:00Z.
    static let wall = 1_767_623_400.0

    static func receive(_ text: String, _ board: inout StockBoard, now: Double = 0) -> Int? {
        Array(text.utf8).withUnsafeBytes { board.receive($0, now: now, wallClock: wall) }
    }

    @Test("the delta is absolute: the current price is the initial one and the delta, whatever came before")
    func absolute() {
        var board = StockBoard(Self.stocks)
        for (delta, price) in [(1.5, 101.5), (1.5, 101.5), (-20, 80), (0, 100), (0.25, 100.25)] {
            #expect(Self.receive(#"{"symbol":"AAPL","delta_price":\#(delta)}"#, &board) == 0)
            #expect(board.prices[0].current == price)
            #expect(board.prices[0].change == delta)
        }
        // Without the noise of binary fractions.
        #expect(Self.receive(#"{"delta_price":0.2,"symbol":"BRK.B","more":[1]}"#, &board) == 1)
        #expect(board.prices[1].current == 0.3)
        #expect(board.prices[1].changePercent == 200)
    }

    @Test("the form {symbol, price, timestamp} is understood; an older time does not undo a newer price")
    func similarForm() {
        var board = StockBoard(Self.stocks)
        #expect(Self.receive(#"{"symbol":"AAPL","price":90,"timestamp":"2026-01-05T14:30:02.5Z"}"#, &board) == 0)
        #expect(Self.receive(#"{"symbol":"AAPL","price":95,"timestamp":"2026-01-05T14:30:01Z"}"#, &board) == nil)
        #expect(board.prices[0].current == 90)
        #expect(board.counts.flaws[.outOfOrder] == 1)
        #expect(Self.receive(#"{"symbol":"AAPL","price":96,"timestamp":1767623403}"#, &board) == 0)
        #expect(Self.receive(#"{"symbol":"AAPL","price":97}"#, &board) == 0)
        #expect(board.prices[0].current == 97)
    }

    @Test("a time that is still to come costs its message, and not all that follow it")
    func future() {
        var board = StockBoard(Self.stocks)
        for time in [#""2100-01-01T00:00:00Z""#, "1767623461", "1767623403000", "1e300"] {
            #expect(Self.receive(#"{"symbol":"AAPL","price":90,"timestamp":\#(time)}"#, &board) == nil, "\(time)")
        }
        #expect(board.counts.flaws[.inTheFuture] == 4 && board.prices[0].current == 100)
        #expect(Self.receive(#"{"symbol":"AAPL","price":95,"timestamp":1767623460}"#, &board) == 0)
        #expect(Self.receive(#"{"symbol":"AAPL","price":96,"timestamp":1767623460.5}"#, &board) == nil)
        #expect(Self.receive(#"{"symbol":"AAPL","price":97,"timestamp":1767623460}"#, &board) == 0)
    }

    static let useless: [(String, StockFlaw)] = [
        ("", .notJSON), ("Request served by 7811941c69e658", .notJSON),
        (#"{"symbol":"AAPL","delta_price":1"#, .notJSON),
        (#"{"symbol":"AAPL","delta_price":1} {}"#, .notJSON), ("[1]", .badValue), ("7", .badValue),
        (#"{"symbol":7,"delta_price":1}"#, .badValue), (#"{"symbol":"AAPL","delta_price":"1"}"#, .badValue),
        (#"{"symbol":"AAPL","delta_price":1e999}"#, .badValue), (#"{"symbol":"AAPL","delta_price":null}"#, .badValue),
        (#"{"symbol":"AAPL","price":5,"timestamp":"yesterday"}"#, .badValue),
        (#"{"symbol":"AAPL"}"#, .missingField), (#"{"delta_price":1}"#, .missingField), ("{}", .missingField),
        (#"{"symbol":"AAPL","price":5,"delta_price":1}"#, .missingField),
        (#"{"symbol":"aapl","delta_price":1}"#, .unknownSymbol),
        (#"{"symbol":"AAPL","delta_price":-100}"#, .notAPrice), (#"{"symbol":"AAPL","price":0}"#, .notAPrice),
        (#"{"symbol":"AAPL","price":-1}"#, .notAPrice), (#"{"symbol":"AAPL","delta_price":1e300}"#, .notAPrice),
    ]

    @Test("a message of no use costs that message and a counter, and never the stream", arguments: useless)
    func costsOneMessage(_ text: String, _ flaw: StockFlaw) {
        var board = StockBoard(Self.stocks)
        #expect(Self.receive(text, &board) == nil)
        #expect(board.counts.flaws[flaw] == 1)
        #expect(board.counts.malformed == 1)
        #expect(board.prices.map(\.current) == [100, 0.1])
        #expect(Self.receive(#"{"symbol":"AAPL","delta_price":1}"#, &board) == 0)
        #expect(board.prices[0].current == 101)
        #expect(board.counts.applied == 1)
        #expect(board.counts.received == 2)
    }

    @Test(
        "the direction is the last move's, up, down or unchanged, and a change stands out for a second")
    func direction() {
        var board = StockBoard(Self.stocks)
        #expect(board.prices[0].direction == .unchanged)
        #expect(!board.prices[0].isFlashing(now: 0, for: 1))
        let moves: [(Double, PriceDirection, String)] = [
            (1, .up, "↑"), (3, .up, "↑"), (2, .down, "↓"), (2, .unchanged, "→"), (-5, .down, "↓"), (-4, .up, "↑"),
        ]
        for (now, (delta, direction, arrow)) in moves.enumerated() {
            _ = Self.receive(#"{"symbol":"AAPL","delta_price":\#(delta)}"#, &board, now: Double(now))
            #expect(board.prices[0].direction == direction)
            #expect(board.prices[0].direction.arrow == arrow)
        }
        // 1.0 s after the last change, which came at 5.
        #expect(board.prices[0].isFlashing(now: 5.99, for: 1))
        #expect(!board.prices[0].isFlashing(now: 6, for: 1))
        #expect(board.prices[0].messages == 6)
    }

    @Test("what is written is read again as it was meant, for any symbol and delta")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let delta = ((generator.unit() - 0.5) * 20_000).rounded(decimals: Int(generator.next() % 9))
            let bytes = StockMessage.bytes(symbol: "BRK.B", delta: delta)
            let message = try bytes.withUnsafeBytes { try StockMessage($0) }
            #expect(message == StockMessage(symbol: "BRK.B", value: .delta(delta)))
        }
        #expect(
            String(decoding: StockMessage.bytes(symbol: "AAPL", delta: -1.25), as: UTF8.self)
                == #"{"symbol":"AAPL","delta_price":-1.25}"#)
    }

    @Test("damaged messages are counted, whatever they are, and no price leaves the positive numbers")
    func damaged() {
        var generator = SeededGenerator(seed: 11)
        var board = StockBoard(Self.stocks)
        let good = [
            #"{"symbol":"AAPL","delta_price":1.25}"#,
            #"{"symbol":"BRK.B","price":186.4,"timestamp":"2026-01-05T14:30:00Z"}"#,
        ]
        for _ in 0..<20_000 {
            var bytes = Array(good.randomElement(using: &generator)!.utf8)
            MutationTests.damage(&bytes, &generator)
            _ = bytes.withUnsafeBytes { board.receive($0, now: 0, wallClock: Self.wall) }
        }
        #expect(board.counts.received == 20_000)
        #expect(board.counts.applied + board.counts.malformed == 20_000)
        #expect(board.counts.flaws[.notJSON] > 1000)
        #expect(board.prices.allSatisfy { $0.current > 0 && $0.current <= TrackedStock.highestPrice })
    }
}
