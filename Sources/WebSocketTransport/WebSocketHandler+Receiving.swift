public import NIOCore
import StreamCore

extension WebSocketHandler {
    /// Stops delivering messages and reading from the socket, so that the peer meets TCP's own backpressure. What is
    /// already here is held, in order, until `resumeReading`; pings in it are answered nevertheless. Where the peer
    /// ends the connection meanwhile, what is held is delivered before `webSocketClosed`.
    public func pauseReading() {
        guard state == .open else { return }
        isReadingPaused = true
    }

    public func resumeReading() {
        guard isReadingPaused else { return }
        isReadingPaused = false
        // Inside a delegate call the loop that made the call goes on by itself.
        guard !isHandlingInput, let context else { return }
        deliverHeld()
        endOfInput()
        releaseHeldRead(context)
    }

    func releaseHeldRead(_ context: ChannelHandlerContext) {
        guard hasHeldRead, !isReadingPaused, state != .closed else { return }
        hasHeldRead = false
        context.read()
    }

    public func read(context: ChannelHandlerContext) {
        if isReadingPaused { hasHeldRead = true } else { context.read() }
    }

    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasReceivedSincePing = true
        if needsClock { lastReceived = context.eventLoop.now }
        handleInput(Self.unwrapInboundIn(data))
    }

    public func channelReadComplete(context: ChannelHandlerContext) {
        endOfInput()
        context.fireChannelReadComplete()
    }

    func endOfInput() { if needsFlush { flush() } }

    private func handleInput(_ buffer: ByteBuffer) {
        guard state == .open || state == .closing else { return }
        isHandlingInput = true
        buffer.withUnsafeReadableBytes { bytes in
            var input = bytes
            while let event = machine.next(&input) {
                if !isWithinRate(event) {
                    held.removeAll()
                    peerFailed(.tooManyMessages)
                } else if isReadingPaused || !held.isEmpty, let event = HeldEvent(event) {
                    held.append(event)
                } else {
                    handle(event)
                }
                // The machine ends by itself after a close; this is our own doing.
                if state == .lingering || state == .closed { break }
            }
        }
        isHandlingInput = false
        // A ping may have let the application resume.
        if !isReadingPaused { deliverHeld() }
    }

    /// Delivers what was held, until it is used up or reading is paused again.
    /// - Parameter evenPaused: the connection is gone: there is no other time.
    func deliverHeld(evenPaused: Bool = false) {
        guard !isHandlingInput else { return }
        isHandlingInput = true
        while evenPaused || !isReadingPaused, let event = held.popFirst() { event.withEvent(handle) }
        isHandlingInput = false
    }

    func handle(_ event: WebSocketMachineEvent) {
        switch event {
        case .text(let bytes): if state == .open { delegate?.webSocketText(bytes, on: self) }
        case .binary(let bytes): if state == .open { delegate?.webSocketBinary(bytes, on: self) }
        case .compressed(let bytes, let isText): if state == .open { handleCompressed(bytes, isText: isText) }
        case .ping(let bytes):
            guard state == .open else { return }
            if answersPings {
                write(.pong, bytes, promise: nil)
                requestFlush()
                // Pongs count as well: a peer that pings without reading must not fill our memory.
                if !isWritable { checkOutboundLimit() }
            }
            delegate?.webSocketPing(bytes, on: self)
        case .pong(let bytes): if state == .open { delegate?.webSocketPong(bytes, on: self) }
        case .close(let code, let reason): peerClosed(code, reason: String(decoding: reason, as: UTF8.self))
        case .failed(let failure): peerFailed(failure)
        }
    }

    private func handleCompressed(_ bytes: UnsafeRawBufferPointer, isText: Bool) {
        let failure = compression?.inflate(bytes, limit: configuration.limits.inflatedBytes) { message in
            guard isText else {
                delegate?.webSocketBinary(message, on: self)
                return nil
            }
            guard UTF8Validator.isValid(message) else { return .invalidUTF8 }
            delegate?.webSocketText(message, on: self)
            return nil
        }
        if let failure { peerFailed(failure) }
    }

    /// Forgets what was held back, because no message will be delivered any more.
    /// - Returns: how the conversation ended already, where that was held.
    @discardableResult func dropHeldInput() -> HeldEvent? {
        isReadingPaused = false
        let ending = held.ending
        held.removeAll()
        if let context { releaseHeldRead(context) }
        return ending
    }
}
