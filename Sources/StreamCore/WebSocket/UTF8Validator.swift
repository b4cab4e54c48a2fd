/// Validates UTF-8 that arrives in pieces, and refuses at the first byte that cannot be continued to valid text.
///
/// The table is the one of RFC 3629 section 4 (Unicode table 3-7): no overlong forms, no surrogates, nothing above
/// U+10FFFF. The allowed range of the next byte is all the state there is: after some first bytes the second is
/// limited more narrowly than to 0x80...0xBF, and that is what rules those forms out.
package struct UTF8Validator: Sendable {
    /// How many more bytes the sequence under way needs; 0 between characters.
    @usableFromInline var missing: UInt8 = 0
    @usableFromInline var lowest: UInt8 = 0x80
    @usableFromInline var highest: UInt8 = 0xBF

    @inlinable package init() {}

    /// Whether the bytes so far end between two characters.
    @inlinable package var isComplete: Bool { missing == 0 }

    /// Whether `bytes` alone are valid and complete.
    package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var validator = UTF8Validator()
        return validator.consume(bytes) && validator.isComplete
    }

    /// Checks the next piece.
    /// - Returns: false where no continuation can make the text valid; the validator is then of no more use.
    /// - Complexity: O(n); ASCII goes 32 bytes a step.
    package mutating func consume(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        let count = bytes.count
        let highBits: UInt64 = 0x8080_8080_8080_8080
        var at = 0
        while at < count {
            if missing == 0 {
                // Market data is ASCII but for names: skip as much of it as there is.
                while at &+ 32 <= count {
                    let first = base.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                    let second = base.loadUnaligned(fromByteOffset: at &+ 8, as: UInt64.self)
                    let third = base.loadUnaligned(fromByteOffset: at &+ 16, as: UInt64.self)
                    let fourth = base.loadUnaligned(fromByteOffset: at &+ 24, as: UInt64.self)
                    if (first | second | third | fourth) & highBits != 0 { break }
                    at &+= 32
                }
                while at &+ 8 <= count, base.loadUnaligned(fromByteOffset: at, as: UInt64.self) & highBits == 0 {
                    at &+= 8
                }
                while at < count, base.load(fromByteOffset: at, as: UInt8.self) < 0x80 { at &+= 1 }
                if at == count { return true }
            }
            guard step(base.load(fromByteOffset: at, as: UInt8.self)) else { return false }
            at &+= 1
        }
        return true
    }

    /// Checks one byte that is not ASCII, or any byte inside a sequence.
    @inline(__always)
    private mutating func step(_ byte: UInt8) -> Bool {
        if missing > 0 {
            guard byte >= lowest, byte <= highest else { return false }
            missing &-= 1
            lowest = 0x80
            highest = 0xBF
            return true
        }
        switch byte {
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, lowest) = (2, 0xA0)
        case 0xED: (missing, highest) = (2, 0x9F)
        case 0xE1...0xEF: missing = 2
        case 0xF0: (missing, lowest) = (3, 0x90)
        case 0xF4: (missing, highest) = (3, 0x8F)
        case 0xF1...0xF3: missing = 3
        default: return false
        }
        return true
    }
}
