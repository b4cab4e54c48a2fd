public import NIOCore
public import StreamCore

extension WebSocketHandler {
    /// Payloads above this size go out behind a head of their own instead of being copied behind it.
    private static let copyLimit = 4096

    /// Sends a frame that is encoded already (`WebSocketFrames.encode`): one buffer for any number of subscribers.
    ///
    /// Servers only: a client's frames must each be masked separately.
    /// - Parameter flush: false leaves the frame for the next `flush()`, so that many go out in one system call.
    /// - Returns: false where the connection is closing and nothing was written.
    @discardableResult public func send(preframed frame: ByteBuffer, flush: Bool = true) -> Bool {
        precondition(role == .server, "a client cannot send frames without masking them")
        guard state == .open, context != nil else { return false }
        if flush, !isHandlingInput, let socket = outbound.direct {
            let sent = frame.withUnsafeReadableBytes { socket.write($0) }
            if sent == frame.readableBytes { return true }
            var rest = frame
            rest.moveReaderIndex(forwardBy: sent)
            handOverRest(OutboundQueue.Piece(bytes: rest))
        } else {
            enqueue(OutboundQueue.Piece(bytes: frame), isControl: false)
            if flush { requestFlush() }
        }
        if !isWritable { checkOutboundLimit() }
        return state == .open
    }

    /// Sends a text message. `text` must be UTF-8.
    ///
    /// - Parameter promise: completes when the socket accepted the bytes, fails where nothing was written.
    /// - Returns: false where the connection is closing and nothing was written.
    @discardableResult
    public func send(text: ByteBuffer, flush: Bool = true, promise: EventLoopPromise<Void>? = nil) -> Bool {
        send(.text, text, flush: flush, promise: promise)
    }

    @discardableResult
    public func send(text: String, flush: Bool = true, promise: EventLoopPromise<Void>? = nil) -> Bool {
        var text = text
        return text.withUTF8 { send(.text, UnsafeRawBufferPointer($0), isFinal: true, flush: flush, promise: promise) }
    }

    @discardableResult
    public func send(binary: ByteBuffer, flush: Bool = true, promise: EventLoopPromise<Void>? = nil) -> Bool {
        send(.binary, binary, flush: flush, promise: promise)
    }

    /// Sends a whole message whose bytes lie somewhere in memory; they are copied.
    ///
    /// - Parameter opcode: `text` (the bytes must be UTF-8) or `binary`.
    @discardableResult public func send(
        _ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer, flush: Bool = true,
        promise: EventLoopPromise<Void>? = nil
    ) -> Bool {
        precondition(opcode == .text || opcode == .binary, "a message is text or binary")
        return send(opcode, payload, isFinal: true, flush: flush, promise: promise)
    }

    /// Sends one fragment of a message: the first with `text` or `binary`, those after it with `continuation`, the last
    /// one final. The order is the caller's; no other data frame may come between.
    @discardableResult public func send(
        fragment: ByteBuffer, _ opcode: WebSocketOpcode, isFinal: Bool, flush: Bool = true,
        promise: EventLoopPromise<Void>? = nil
    ) -> Bool {
        precondition(!opcode.isControl, "control frames cannot be fragmented")
        return send(opcode, fragment, isFinal: isFinal, flush: flush, promise: promise)
    }

    /// Sends a ping of at most 125 bytes.
    @discardableResult public func ping(_ payload: [UInt8] = []) -> Bool { sendControl(.ping, payload) }

    /// Sends a pong of at most 125 bytes that answers no ping here: a sign of life (RFC 6455 section 5.5.3), or the
    /// answer where `answersPings` is off.
    @discardableResult public func pong(_ payload: [UInt8] = []) -> Bool { sendControl(.pong, payload) }

    private func sendControl(_ opcode: WebSocketOpcode, _ payload: [UInt8]) -> Bool {
        precondition(payload.count <= 125, "a control frame holds at most 125 bytes")
        return payload.withUnsafeBytes { send(opcode, $0, isFinal: true, flush: true, promise: nil) }
    }

    /// Sends what was sent with `flush: false`, in one system call where the socket accepts it.
    public func flush() {
        needsFlush = false
        pump()
    }

    private func send(
        _ opcode: WebSocketOpcode, _ payload: ByteBuffer, isFinal: Bool = true, flush: Bool,
        promise: EventLoopPromise<Void>?
    ) -> Bool {
        guard role == .server, compression == nil, payload.readableBytes > Self.copyLimit, state == .open,
            context != nil
        else {
            return payload.withUnsafeReadableBytes {
                send(opcode, $0, isFinal: isFinal, flush: flush, promise: promise)
            }
        }
        let head = WebSocketFrames.head(opcode, isFinal: isFinal, payloadLength: payload.readableBytes)
        enqueue(OutboundQueue.Piece(bytes: head, endsFrame: false), isControl: false)
        enqueue(OutboundQueue.Piece(bytes: payload, promise: promise), isControl: false)
        wrote(flush: flush)
        return state == .open
    }

    private func send(
        _ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer, isFinal: Bool, flush: Bool,
        promise: EventLoopPromise<Void>?
    ) -> Bool {
        guard state == .open, context != nil else {
            promise?.fail(WebSocketClosedError())
            return false
        }
        if flush, !isHandlingInput, let socket = outbound.direct, compression == nil, payload.count <= Self.copyLimit {
            writeDirectly(opcode, payload, isFinal: isFinal, to: socket, promise: promise)
            if !isWritable { checkOutboundLimit() }
        } else {
            write(opcode, payload, isFinal: isFinal, promise: promise)
            wrote(flush: flush)
        }
        return state == .open
    }

    /// A frame that is made on the stack and gone when the socket accepted it: no allocation.
    private func writeDirectly(
        _ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer, isFinal: Bool, to socket: DirectSocket,
        promise: EventLoopPromise<Void>?
    ) {
        let maskKey = newMaskKey()
        let length = WebSocketFrames.length(of: payload, maskKey: maskKey)
        let rest: ByteBuffer? = withUnsafeTemporaryAllocation(byteCount: length, alignment: 1) { frame in
            guard let base = frame.baseAddress else { return nil }
            WebSocketFrames.write(opcode, isFinal: isFinal, payload: payload, maskKey: maskKey, to: base)
            let sent = socket.write(UnsafeRawBufferPointer(frame))
            return sent == length ? nil : ByteBuffer(bytes: frame[sent...])
        }
        if let rest {
            handOverRest(OutboundQueue.Piece(bytes: rest, promise: promise))
        } else {
            promise?.succeed(())
        }
    }

    /// Writes one frame whatever the state: the callers decide.
    func write(
        _ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer, isFinal: Bool = true,
        promise: EventLoopPromise<Void>?
    ) {
        guard context != nil else {
            promise?.fail(WebSocketClosedError())
            return
        }
        if let compression, isFinal, opcode == .text || opcode == .binary,
            payload.count >= compression.configuration.threshold,
            let frame = WebSocketFrames.compressed(opcode, payload: payload, by: compression, maskKey: newMaskKey())
        {
            enqueue(OutboundQueue.Piece(bytes: frame, promise: promise), isControl: false)
            return
        }
        let frame = WebSocketFrames.frame(opcode, isFinal: isFinal, payload: payload, maskKey: newMaskKey())
        // A close frame ends what was sent before it.
        enqueue(OutboundQueue.Piece(bytes: frame, promise: promise), isControl: opcode == .ping || opcode == .pong)
    }

    /// RFC 6455 section 10.3: an unpredictable key, a new one for each frame.
    private func newMaskKey() -> UInt32? {
        role == .client ? UInt32.random(in: .min ... .max, using: &randomness) : nil
    }

    private func wrote(flush: Bool) {
        if flush { requestFlush() }
        if !isWritable { checkOutboundLimit() }
    }

    /// Flushes now, or at the end of the input that is being handled.
    func requestFlush() { if isHandlingInput { needsFlush = true } else { pump() } }

    func checkOutboundLimit() {
        guard state == .open, bufferedBytes > configuration.outboundLimit else { return }
        close(.slowReader, reason: "too slow: the queue of unsent messages is full", discardsUnsent: true)
    }
}
