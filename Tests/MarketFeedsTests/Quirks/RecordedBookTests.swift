import Foundation
import StreamCore
import Testing

@testable import MarketFeeds

/// Findings: order books. Candles need none; each message of one must still be recognised, and report nothing else.
@Suite("Findings: order books", .enabled(if: SharedData.isPresent, "no ../shared/data"))
struct RecordedBookTests {
    /// The session's messages that have this in them, each read as a book and as nothing else.
    private static func books(_ name: String, containing part: String) throws -> [[String: Any]] {
        let recording = try SharedRecording.recording(name)
        var reader = VenueSession(venue: recording.venue)
        var books: [[String: Any]] = []
        for line in recording.lines where line.contains(part) {
            let kind = Array(line.utf8).withUnsafeBytes { reader.read($0) }
            #expect(kind == .book && reader.trades.isEmpty && reader.quotes.isEmpty, "\(line.prefix(200))")
            books.append(try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]))
        }
        return books
    }

    @Test("142,458 of 298,111 levels are removals, and 133 changes have one empty side")
    func removals() throws {
        var (levels, removals, oneSided) = (0, 0, 0)
        for day in ["08", "09"] {
            for book in try Self.books("binance_spot_btcusdt_2024-08-\(day)", containing: "@depth") {
                let data = try #require(book["data"] as? [String: Any])
                let sides = try ["b", "a"].map { try #require(data[$0] as? [[String]]) }
                levels += sides.reduce(0) { $0 + $1.count }
                removals += sides.joined().count { Double($0[1]) == 0 }
                oneSided += sides[0].isEmpty != sides[1].isEmpty ? 1 : 0
            }
        }
        #expect(levels == 298_111 && removals == 142_458 && oneSided == 133)
    }

    @Test("Gemini's 51 of 655 identical changes are each a change")
    func identical() throws {
        let lines = try SharedRecording.recording("gemini_v2_2021-06-24").lines.filter { $0.contains("l2_updates") }
        #expect(lines.count == 655 && Set(lines).count == 655 - 51)
        let received = try ReadSession("gemini_v2_2021-06-24")
        // Ten begin a market, with its last trades.
        #expect(received.counts.kinds[.book] == 645 && received.counts.duplicates == 0)
    }

    @Test("Kraken's array frames have four elements, and one of 4,279 has five")
    func fiveElements() throws {
        let lines = try SharedRecording.recording("kraken_v1_book1000_10pairs_2021-04-17").lines
        var reader = VenueSession(venue: .krakenArrays)
        var lengths: [Int: Int] = [:]
        for line in lines where line.hasPrefix("[") {
            let frame = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any])
            lengths[frame.count, default: 0] += 1
            #expect(Array(line.utf8).withUnsafeBytes { reader.read($0) } == .book)
        }
        #expect(lengths == [4: 4278, 5: 1])
    }

    @Test(
        "Kraken repeats a price inside one message, 17 times: in its order, and with all digits, each checksum is right"
    )
    func repeatedPrices() throws {
        let recording = try SharedRecording.recording("kraken_v2_book10_btcusd_2026-07-19")
        var book = ChecksummedBook()
        var (messages, right, repeated) = (0, 0, 0)
        for index in 0..<recording.messageCount {
            try recording.withMessage(index) { bytes -> Result<Void, any Error> in
                Result {
                    guard let reported = try book.read(bytes) else { return }
                    messages += 1
                    right += book.checksum == reported.checksum ? 1 : 0
                    repeated += reported.repetitions
                }
            }.get()
        }
        #expect(messages == 1254 && right == 1254 && repeated == 17)
    }
}

/// Kraken's book of ten levels a side, its digits read by the venues' scanner.
private struct ChecksummedBook {
    private struct Level {
        var value: Double
        var price: String
        var quantity: String
    }

    private var asks: [Level] = []
    private var bids: [Level] = []

    /// - Returns: what a message of the book says of itself; `nil` where it is another one.
    mutating func read(_ bytes: UnsafeRawBufferPointer) throws -> (checksum: UInt64, repetitions: Int)? {
        var checksum: UInt64?
        var repetitions = 0
        var isBook = false
        var scanner = VenueScanner(bytes)
        try scanner.json.beginObject()
        while let key = try scanner.json.nextKey() {
            if key.equals("channel") {
                isBook = try scanner.json.string().equals("book")
                if !isBook { return nil }
            } else if key.equals("type") {
                if try scanner.json.string().equals("snapshot") { (asks, bids) = ([], []) }
            } else if key.equals("data"), isBook {
                try scanner.json.beginArray()
                while try scanner.json.nextElement() {
                    try scanner.json.beginObject()
                    while let key = try scanner.json.nextKey() {
                        if key.equals("asks") {
                            repetitions += try Self.apply(&scanner, to: &asks, bytes) { $0 < $1 }
                        } else if key.equals("bids") {
                            repetitions += try Self.apply(&scanner, to: &bids, bytes) { $0 > $1 }
                        } else if key.equals("checksum") {
                            checksum = try scanner.unsigned().value
                        } else {
                            try scanner.json.skipValue()
                        }
                    }
                }
            } else {
                try scanner.json.skipValue()
            }
        }
        return checksum.map { ($0, repetitions) }
    }

    private static func apply(
        _ scanner: inout VenueScanner, to side: inout [Level], _ bytes: UnsafeRawBufferPointer,
        isBetter: (Double, Double) -> Bool
    ) throws -> Int {
        var reported: [String] = []
        try scanner.json.beginArray()
        while try scanner.json.nextElement() {
            var (price, quantity): (VenueDecimal?, VenueDecimal?)
            try scanner.json.beginObject()
            while let key = try scanner.json.nextKey() {
                if key.equals("price") { price = try scanner.decimal() } else { quantity = try scanner.decimal() }
            }
            let level = try #require(price)
            let amount = try #require(quantity)
            reported.append(level.text.read(in: bytes).string)
            side.removeAll { $0.value == level.value }
            guard amount.value > 0 else { continue }
            let at = side.firstIndex { isBetter(level.value, $0.value) } ?? side.count
            side.insert(
                Level(
                    value: level.value, price: reported[reported.count - 1],
                    quantity: amount.text.read(in: bytes).string),
                at: at)
        }
        // No removal is sent for what falls out of the ten.
        if side.count > 10 { side.removeLast(side.count - 10) }
        return reported.count - Set(reported).count
    }

    /// CRC-32 over the digits of ten asks and ten bids, without points and leading zeros.
    var checksum: UInt64 {
        var crc: UInt32 = 0xFFFF_FFFF
        for level in asks + bids {
            for number in [level.price, level.quantity] {
                for byte in number.utf8.filter({ $0 != UInt8(ascii: ".") }).drop(while: { $0 == UInt8(ascii: "0") }) {
                    crc ^= UInt32(byte)
                    for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
                }
            }
        }
        return UInt64(~crc)
    }
}
