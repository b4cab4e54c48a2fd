import Testing

@testable import MarketModel

@Suite("Checksums of order books")
struct BookChecksumTests {
    private static func book(bids: [(String, String)], asks: [(String, String)]) -> OrderBook {
        var book = OrderBook()
        for (price, size) in bids { book.set(.bid, price: BookDecimal(price)!, size: BookDecimal(size)!) }
        for (price, size) in asks { book.set(.ask, price: BookDecimal(price)!, size: BookDecimal(size)!) }
        return book
    }

    /// CRC-32 without a table.
    private static func plainSum(_ text: String) -> UInt32 {
        ~text.utf8.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }

    @Test("a CRC-32 has the check value of its catalogue")
    func check() {
        var sum = CRC32()
        for byte in "123456789".utf8 { sum.add(byte) }
        #expect(sum.value == 0xCBF4_3926 && Self.plainSum("123456789") == 0xCBF4_3926)
    }

    @Test("the digits of the ten best levels of both sides have the checksum of Kraken's guide")
    func digits() {
        let asks = (0..<10).map { ("0.0\(5005 + 5 * $0)", "0.00000500") }
        let bids = [
            "0.05000", "0.04995", "0.04990", "0.04980", "0.04975", "0.04970", "0.04965", "0.04960", "0.04955",
            "0.04950",
        ]
        var book = Self.book(bids: bids.map { ($0, "0.00000500") }, asks: asks)
        let rule = BookChecksum(levels: 10, .digits)
        #expect(book.checksum(rule) == 974_947_235)
        book.set(.ask, price: BookDecimal("0.06")!, size: BookDecimal("1")!)
        #expect(book.checksum(rule) == 974_947_235, "the eleventh level does not count")
        book.set(.bid, price: BookDecimal("0.04950")!, size: BookDecimal("0.00000501")!)
        #expect(book.checksum(rule) != 974_947_235)
    }

    @Test("prices and sizes alternate as they were written, and the longer side goes on alone")
    func alternating() {
        let book = Self.book(
            bids: [("3366.1", "7"), ("3366", "6")], asks: [("3366.8", "9"), ("3368", "8.50"), ("3370", "7e-7")])
        let text = "3366.1:7:3366.8:9:3366:6:3368:8.50:3370:7e-7"
        #expect(book.checksum(BookChecksum(levels: 25, .alternating(hasNegativeAsks: false))) == Self.plainSum(text))
        let negative = "3366.1:7:3366.8:-9:3366:6:3368:-8.50"
        #expect(book.checksum(BookChecksum(levels: 2, .alternating(hasNegativeAsks: true))) == Self.plainSum(negative))
        #expect(OrderBook().checksum(BookChecksum(levels: 25, .alternating(hasNegativeAsks: true))) == 0)
    }

    @Test("of a book order by order the numbers of the orders count, oldest first at one price")
    func orders() {
        var book = OrderBook()
        var orders = BookOrders()
        for (number, side, price, size) in [
            (9, BookSide.bid, "100", "1.5"), (4, .bid, "100", "2"), (12, .bid, "101", "3"), (7, .ask, "102", "0.25"),
        ] as [(UInt64, BookSide, String, String)] {
            orders.set(number, side, price: BookDecimal(price)!, size: BookDecimal(size)!, in: &book)
        }
        let rule = BookChecksum(levels: 25, .alternating(hasNegativeAsks: true))
        #expect(orders.checksum(rule) == Self.plainSum("12:3:7:-0.25:4:2:9:1.5"))
    }
}
