/// The masking of RFC 6455 section 5.3: byte i of the payload is combined with byte i mod 4 of the key.
///
/// The key is held with its first byte on the wire in the lowest bits, so that the next byte's key is a rotation away
/// and no step of it depends on the machine's byte order.
@usableFromInline package enum WebSocketMask {
    /// The key for what follows after `count` more payload bytes.
    @inlinable package static func advance(_ key: UInt32, by count: Int) -> UInt32 {
        let shift = UInt32(truncatingIfNeeded: count & 3) * 8
        return shift == 0 ? key : key >> shift | key << (32 - shift)
    }

    /// Masks or unmasks `count` bytes from `source` to `target`, which may be the same memory.
    ///
    /// - Returns: all resulting bytes or-ed together in each lane: a bit of `0x8080_8080_8080_8080` is set where some
    ///   byte is not ASCII. It costs nothing here and saves text its validation.
    /// - Complexity: O(count), eight bytes a step.
    @discardableResult package static func apply(
        _ key: UInt32, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int
    ) -> UInt64 {
        let wide = UInt64(key) << 32 | UInt64(key)
        var seen: UInt64 = 0
        var at = 0
        while at &+ 8 <= count {
            let word = UInt64(littleEndian: source.loadUnaligned(fromByteOffset: at, as: UInt64.self)) ^ wide
            seen |= word
            target.storeBytes(of: word.littleEndian, toByteOffset: at, as: UInt64.self)
            at &+= 8
        }
        var rest = key
        while at < count {
            let byte = source.load(fromByteOffset: at, as: UInt8.self) ^ UInt8(truncatingIfNeeded: rest)
            seen |= UInt64(byte)
            target.storeBytes(of: byte, toByteOffset: at, as: UInt8.self)
            rest = advance(rest, by: 1)
            at &+= 1
        }
        return seen
    }
}
