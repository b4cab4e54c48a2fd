import NIOCore
import StreamCore

extension ByteBuffer {
    /// Appends a server's text frame.
    mutating func writeFrame(text: [UInt8]) {
        writeWithUnsafeMutableBytes(minimumWritableBytes: text.count + 10) { target in
            let head = WebSocketFrameEncoder.writeHeader(
                to: target.baseAddress!, opcode: .text, payloadLength: text.count)
            text.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: target[head...]).copyMemory(from: $0) }
            return head + text.count
        }
    }

    /// The same bytes in memory of their own, where they are a small part of something larger.
    var detached: ByteBuffer {
        guard storageCapacity > 2 * readableBytes + 512 else { return self }
        var copy = ByteBuffer()
        copy.writeBytes(readableBytesView)
        return copy
    }
}
