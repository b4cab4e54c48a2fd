/// How a checksum over the best levels of a book is computed: a CRC-32 over a text that is made of them.
public struct BookChecksum: Sendable, Equatable {
    public enum Layout: Sendable, Equatable {
        /// The asks and then the bids, prices and sizes without points and leading zeros, and nothing between them: Kraken.
        case digits
        /// The best bid, the best ask, the next bid, and so on, prices and sizes as they were written, with colons between
        /// them: OKX; Bitfinex, where the sizes of asks are negative.
        case alternating(hasNegativeAsks: Bool)
    }

    /// Levels of each side.
    public var levels: Int
    public var layout: Layout

    public init(levels: Int, _ layout: Layout) {
        self.levels = levels
        self.layout = layout
    }
}

extension OrderBook {
    /// The checksum of the book as it is.
    /// - Complexity: a few microseconds; allocates nothing.
    public func checksum(_ rule: BookChecksum) -> UInt32 {
        var sum = CRC32()
        switch rule.layout {
        case .digits:
            addDigits(.ask, rule.levels, to: &sum)
            addDigits(.bid, rule.levels, to: &sum)
        case .alternating(let hasNegativeAsks):
            var isFirst = true
            for index in 0..<rule.levels {
                addText(.bid, index, sign: nil, to: &sum, &isFirst)
                addText(.ask, index, sign: hasNegativeAsks ? UInt8(ascii: "-") : nil, to: &sum, &isFirst)
            }
        }
        return sum.value
    }

    private func addDigits(_ side: BookSide, _ count: Int, to sum: inout CRC32) {
        var left = count
        forEachLevel(side) { level in
            guard left > 0 else { return false }
            left -= 1
            level.price.forEachSignificantDigit { sum.add($0) }
            level.size.forEachSignificantDigit { sum.add($0) }
            return true
        }
    }

    private func addText(_ side: BookSide, _ index: Int, sign: UInt8?, to sum: inout CRC32, _ isFirst: inout Bool) {
        guard let level = level(side, index) else { return }
        if !isFirst { sum.add(UInt8(ascii: ":")) }
        isFirst = false
        level.price.forEachByte { sum.add($0) }
        sum.add(UInt8(ascii: ":"))
        if let sign { sum.add(sign) }
        level.size.forEachByte { sum.add($0) }
    }
}

/// CRC-32 as Ethernet and zlib have it: polynomial 0x04C11DB7, reflected.
package struct CRC32: Sendable {
    private var state: UInt32 = 0xFFFF_FFFF

    /// What the eight shifts of a byte make of it.
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }

    package init() {}

    package mutating func add(_ byte: UInt8) {
        state = state &>> 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: state) ^ byte)]
    }

    package var value: UInt32 { ~state }
}
