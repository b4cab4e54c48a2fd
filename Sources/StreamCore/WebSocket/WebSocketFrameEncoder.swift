/// Writes frame heads into memory of the caller.
public enum WebSocketFrameEncoder {
    /// The length of a frame's head in bytes: 2, 4 or 10, and 4 more where it is masked.
    @inlinable public static func headerLength(payloadLength: Int, isMasked: Bool) -> Int {
        let base = payloadLength <= 125 ? 2 : payloadLength <= 0xFFFF ? 4 : 10
        return isMasked ? base &+ 4 : base
    }

    /// Writes a head, with the length in its shortest form.
    ///
    /// - Parameters:
    ///   - target: at least `headerLength(...)` bytes; `WebSocketFrameHeader.maximumLength` always suffice.
    ///   - isCompressed: sets RSV1, on the first frame of a message whose payload was compressed (RFC 7692 section 6).
    ///   - maskKey: first wire byte in the lowest bits. A client must give one, unpredictable and new for each frame; a
    ///     server must not.
    /// - Returns: the bytes written.
    @inlinable
    @discardableResult public static func writeHeader(
        to target: UnsafeMutableRawPointer, opcode: WebSocketOpcode, isFinal: Bool = true, isCompressed: Bool = false,
        payloadLength: Int, maskKey: UInt32? = nil
    ) -> Int {
        let maskBit: UInt8 = maskKey == nil ? 0 : 0x80
        var length: Int
        target.storeBytes(of: opcode.rawValue | (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0), as: UInt8.self)
        if payloadLength <= 125 {
            target.storeBytes(of: UInt8(truncatingIfNeeded: payloadLength) | maskBit, toByteOffset: 1, as: UInt8.self)
            length = 2
        } else if payloadLength <= 0xFFFF {
            target.storeBytes(of: 126 | maskBit, toByteOffset: 1, as: UInt8.self)
            target.storeBytes(of: UInt16(truncatingIfNeeded: payloadLength).bigEndian, toByteOffset: 2, as: UInt16.self)
            length = 4
        } else {
            target.storeBytes(of: 127 | maskBit, toByteOffset: 1, as: UInt8.self)
            target.storeBytes(of: UInt64(payloadLength).bigEndian, toByteOffset: 2, as: UInt64.self)
            length = 10
        }
        if let maskKey {
            target.storeBytes(of: maskKey.littleEndian, toByteOffset: length, as: UInt32.self)
            length &+= 4
        }
        return length
    }
}
