public import NIOCore
public import StreamCore

/// Whole frames in one buffer each: written once, shared by every connection they are sent to.
public enum WebSocketFrames {
    /// Room that is left for the head in front of a payload.
    private static let headSpace = WebSocketFrameHeader.maximumLength

    /// A server's frame (final, unmasked) around the bytes that `body` appends.
    ///
    /// Room for the head is left in front, so the payload is written once and not moved.
    /// - Parameter capacity: payload bytes to expect; more may be written.
    public static func encode(
        _ opcode: WebSocketOpcode, capacity: Int = 240, allocator: ByteBufferAllocator = ByteBufferAllocator(),
        body: (inout ByteBuffer) -> Void
    ) -> ByteBuffer {
        frame(opcode, capacity: capacity, allocator: allocator, body: body)
    }

    private static func frame(
        _ opcode: WebSocketOpcode, isCompressed: Bool = false, capacity: Int, maskKey: UInt32? = nil,
        allocator: ByteBufferAllocator = ByteBufferAllocator(), body: (inout ByteBuffer) -> Void
    ) -> ByteBuffer {
        var buffer = allocator.buffer(capacity: headSpace + capacity)
        buffer.moveWriterIndex(to: headSpace)
        buffer.moveReaderIndex(to: headSpace)
        body(&buffer)
        let count = buffer.readableBytes
        let head = WebSocketFrameEncoder.headerLength(payloadLength: count, isMasked: maskKey != nil)
        buffer.moveReaderIndex(to: headSpace - head)
        buffer.withUnsafeMutableReadableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            WebSocketFrameEncoder.writeHeader(
                to: base, opcode: opcode, isCompressed: isCompressed, payloadLength: count, maskKey: maskKey)
            if let maskKey { WebSocketMask.apply(maskKey, from: base + head, to: base + head, count: count) }
        }
        return buffer
    }

    /// A server's text frame around `text`.
    public static func text(_ text: String, allocator: ByteBufferAllocator = ByteBufferAllocator()) -> ByteBuffer {
        encode(.text, capacity: text.utf8.count, allocator: allocator) { $0.writeString(text) }
    }

    /// One frame with its payload copied behind the head, masked where a key is given.
    static func frame(
        _ opcode: WebSocketOpcode, isFinal: Bool, payload: UnsafeRawBufferPointer, maskKey: UInt32?
    ) -> ByteBuffer {
        let length = length(of: payload, maskKey: maskKey)
        var buffer = ByteBuffer()
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: length) { target in
            guard let base = target.baseAddress else { return 0 }
            write(opcode, isFinal: isFinal, payload: payload, maskKey: maskKey, to: base)
            return length
        }
        return buffer
    }

    /// The length of a frame in bytes.
    static func length(of payload: UnsafeRawBufferPointer, maskKey: UInt32?) -> Int {
        WebSocketFrameEncoder.headerLength(payloadLength: payload.count, isMasked: maskKey != nil) + payload.count
    }

    /// One frame into `length(of:maskKey:)` bytes of memory.
    static func write(
        _ opcode: WebSocketOpcode, isFinal: Bool, payload: UnsafeRawBufferPointer, maskKey: UInt32?,
        to base: UnsafeMutableRawPointer
    ) {
        let head = WebSocketFrameEncoder.writeHeader(
            to: base, opcode: opcode, isFinal: isFinal, payloadLength: payload.count, maskKey: maskKey)
        guard let source = payload.baseAddress, payload.count > 0 else { return }
        if let maskKey {
            WebSocketMask.apply(maskKey, from: source, to: base + head, count: payload.count)
        } else {
            (base + head).copyMemory(from: source, byteCount: payload.count)
        }
    }

    /// A whole message in one compressed frame; nil where there is no memory to compress it.
    static func compressed(
        _ opcode: WebSocketOpcode, payload: UnsafeRawBufferPointer, by compression: MessageCompression, maskKey: UInt32?
    ) -> ByteBuffer? {
        var isCompressed = false
        let frame = frame(opcode, isCompressed: true, capacity: 64 + payload.count / 4, maskKey: maskKey) {
            isCompressed = compression.compress(payload, into: &$0)
        }
        return isCompressed ? frame : nil
    }

    /// Only the head, for a payload that is too large to be worth copying.
    static func head(_ opcode: WebSocketOpcode, isFinal: Bool, payloadLength: Int) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: headSpace) { target in
            guard let base = target.baseAddress else { return 0 }
            return WebSocketFrameEncoder.writeHeader(
                to: base, opcode: opcode, isFinal: isFinal, payloadLength: payloadLength)
        }
        return buffer
    }

    /// The payload of a close frame: nothing for `noStatus`, else the code and as much of the reason as fits into 123
    /// bytes, cut between two characters.
    static func closePayload(_ code: WebSocketCloseCode, reason: String) -> [UInt8] {
        guard code != .noStatus else { return [] }
        var payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]
        for scalar in reason.unicodeScalars {
            guard payload.count + UTF8.width(scalar) <= 125 else { break }
            payload.append(contentsOf: UTF8.encode(scalar)!)
        }
        return payload
    }
}
