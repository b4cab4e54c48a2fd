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

extension TimeAmount {
    /// A delay computed from clocks and input: NaN and negative ones are none, and none is longer than an hour, after
    /// which its owner looks again.
    static func clamped(seconds: Double) -> TimeAmount {
        seconds > 0 ? .nanoseconds(Int64(min(seconds, 3600) * 1e9)) : .nanoseconds(0)
    }
}
