import NIOCore
import StreamCore

extension ByteBuffer {
    /// A server's frame of one message.
    /// - Parameter scratch: memory for the message.
    init(framedIn scratch: inout [UInt8], as opcode: WebSocketOpcode = .text, _ write: (inout [UInt8]) -> Void) {
        scratch.removeAll(keepingCapacity: true)
        write(&scratch)
        self.init()
        writeFrame(scratch, as: opcode)
    }

    /// Appends a server's frame of one message.
    mutating func writeFrame(_ message: [UInt8], as opcode: WebSocketOpcode) {
        writeWithUnsafeMutableBytes(minimumWritableBytes: message.count + 10) { target in
            let head = WebSocketFrameEncoder.writeHeader(
                to: target.baseAddress!, opcode: opcode, payloadLength: message.count)
            message.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: target[head...]).copyMemory(from: $0) }
            return head + message.count
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

extension EventLoop {
    /// On this loop: runs `body` in this many seconds; as soon as the loop has nothing else to do where it is 0.
    func run(after seconds: Double, _ body: @escaping () -> Void) {
        if seconds > 0 {
            assumeIsolated().scheduleTask(in: .clamped(seconds: seconds), body)
        } else {
            assumeIsolated().execute(body)
        }
    }

    /// On this loop: runs `body` every `seconds` with an owner that lives on it.
    /// - Parameter first: seconds until it does so for the first time; `nil`: as many.
    @discardableResult func runEvery<Owner>(
        _ seconds: Double, first: Double? = nil, _ owner: Owner, _ body: @escaping @Sendable (Owner) -> Void
    ) -> RepeatedTask {
        let bound = NIOLoopBound(owner, eventLoop: self)
        return scheduleRepeatedTask(
            initialDelay: .clamped(seconds: first ?? seconds), delay: .clamped(seconds: seconds)
        ) { _ in body(bound.value) }
    }
}
