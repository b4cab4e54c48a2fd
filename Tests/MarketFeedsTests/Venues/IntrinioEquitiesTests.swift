import MarketModel
import StreamCore
import TestKit
import Testing

@testable import MarketFeeds

@Suite("Intrinio's binary equities messages")
struct IntrinioEquitiesTests {
    /// One item, written here and not by the code under test.
    static func item(
        type: UInt8 = 0, _ symbol: String, _ price: Float, size: UInt32 = 100,
        nanoseconds: UInt64 = 1_732_130_000_123_456_789, condition: String = "@", padding: Int = 0
    ) -> [UInt8] {
        func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        var rest = [UInt8(symbol.utf8.count)] + Array(symbol.utf8) + [6]
        rest += bytes(UInt16(0x56)) + bytes(price.bitPattern) + bytes(size) + bytes(nanoseconds)
        if type == 0 { rest += bytes(UInt32(1_234_567)) }
        rest += [UInt8(condition.utf8.count)] + Array(condition.utf8) + Array(repeating: 0, count: padding)
        return [type, UInt8(rest.count + 2)] + rest
    }

    static let session = [
        item("AAPL", 189.25), item(type: 1, "BRK.B", 412.0625, condition: ""), item(type: 2, "GE", 28.97),
        item("A", 0.0001, condition: "@ TI"),
    ]

    private func message(_ items: [[UInt8]]) -> [UInt8] { [UInt8(items.count)] + items.flatMap { $0 } }

    @Test("items back to back: trades, and quotes of one side each; prices as people write them")
    func reads() {
        var transcript = Transcript(.intrinioEquities)
        #expect(transcript.send(message(Self.session)) == .trades)
        #expect(transcript.trades.map(\.symbol) == ["AAPL", "A"])
        let time = 1_732_130_000.0 + 0.123456789
        #expect(
            transcript.ticks == [
                Tick(timestamp: time, price: 189.25, volume: 100), Tick(timestamp: time, price: 0.0001, volume: 100),
            ])
        #expect(transcript.quotes.map(\.ask) == [412.0625, nil] && transcript.quotes.map(\.bid) == [nil, 28.97])
        #expect(transcript.send(message([Self.session[1]])) == .quotes)
        #expect(transcript.send([0]) == .other, "no items")
    }

    @Test("the largest time and price are numbers, and a price that is none costs its message")
    func extremes() {
        var transcript = Transcript(.intrinioEquities)
        let largest = Self.item("A", .greatestFiniteMagnitude, size: .max, nanoseconds: .max)
        #expect(transcript.send(message([largest])) == .trades)
        #expect(transcript.ticks.first?.timestamp == 18_446_744_073.709551615)
        #expect(transcript.ticks.first?.volume == 4_294_967_295)
        for price in [Float.nan, .infinity] {
            #expect(transcript.send(message([Self.item("A", 5), Self.item("A", price)])) == .malformed)
        }
        #expect(transcript.send(message([Self.item(type: 3, "A", 5)])) == .malformed)
        #expect(transcript.send(message([Self.item("", 5)])) == .malformed)
        #expect(transcript.counts.flaws[.badValue] == 4 && transcript.counts.trades == 1)
    }

    @Test("a length that lies is a counted loss wherever it stands, and never a trade")
    func lies() {
        let good = message(Self.session)
        var lengths: [Int] = [0]
        var at = 1
        for item in Self.session {
            lengths += [at + 1, at + 2]
            at += item.count
        }
        for place in lengths {
            for value in UInt8.min...UInt8.max where value != good[place] {
                var bytes = good
                bytes[place] = value
                var transcript = Transcript(.intrinioEquities)
                if transcript.send(bytes) != .malformed || !transcript.trades.isEmpty {
                    Issue.record("\(value) at \(place): \(transcript.trades)")
                }
            }
        }
        var transcript = Transcript(.intrinioEquities)
        #expect(transcript.send(good + [0]) == .malformed, "something behind the last item")
        #expect(transcript.send(message([Self.item("A", 5, padding: 3)])) == .malformed, "a field no one knows")
    }

    @Test("a 32-bit price becomes the decimal that was meant: every cent to 100,000, every hundredth of one to 1,000")
    func shortest() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<20_000 {
            let cents = Int.random(in: 0..<10_000_000, using: &generator)
            #expect(IntrinioPrice.shortest(Float(Double(cents) / 100)).value == Double(cents) / 100)
            let fine = Int.random(in: 0..<10_000_000, using: &generator)
            #expect(IntrinioPrice.shortest(Float(Double(fine) / 10_000)).value == Double(fine) / 10_000)
        }
        for bits in [UInt32(1), 0x0080_0000, 0x7F7F_FFFF, 0x8000_0000, 0xC2C8_0000] {
            let price = Float(bitPattern: bits)
            #expect(Float(IntrinioPrice.shortest(price).value) == price)
        }
        #expect(IntrinioPrice.shortest(28.97) == (28.97, 2) && IntrinioPrice.shortest(0) == (0, 0))
    }
}
