public import NIOCore
public import StreamCore

/// One WebSocket connection on its event loop: bytes of the channel on one side, messages on the other.
///
/// It stands behind the handshake (`WebSocketServerUpgrade`, `WebSocketClient`) as the only handler. NIO's own frame
/// decoder and encoder are not used: they allocate for each frame, copy masked payloads and leave fragments, UTF-8 and
/// close codes to whoever comes after them. `WebSocketMachine` does all of it where the bytes lie, and is fuzzed.
///
/// All methods must be called on the event loop; from elsewhere, through `NIOLoopBound` or `eventLoop.execute`.
/// Nothing here waits, and no lock is taken.
///
/// ```
///   socket ──> channelRead ──> WebSocketMachine ──> delegate
///   socket <── write, flush <── send, ping, close <── application
/// ```
public final class WebSocketHandler: ChannelDuplexHandler {
    public typealias InboundIn = ByteBuffer
    public typealias OutboundIn = ByteBuffer
    public typealias OutboundOut = ByteBuffer

    enum State {
        /// Both directions are in use.
        case open
        /// Our close frame is sent, the peer's is awaited. Data that still comes is dropped.
        case closing
        /// Both close frames went, or the peer failed: only the end of the TCP connection is awaited.
        case lingering
        case closed
    }

    public let role: WebSocketRole
    public let configuration: WebSocketConfiguration
    /// Gets everything received. Set it before the handler gets bytes, that is in the handshake's `onOpen`.
    public var delegate: (any WebSocketHandlerDelegate)?
    /// Whether more can be sent without the outbound buffer growing over its high mark.
    public internal(set) var isWritable = true
    /// What ended the conversation; nil while it lasts. Known when the delegate's `webSocketClosed` is called.
    public internal(set) var ending: WebSocketEnding?
    /// Whether pings are answered here, as RFC 6455 section 5.5.2 asks. Switch it off only to answer them yourself with
    /// `pong`: peers hang up on those who do not.
    public var answersPings = true
    /// Whether `pauseReading` holds.
    public private(set) var isReadingPaused = false

    var state = State.open
    var context: ChannelHandlerContext?
    var closeTimer: Scheduled<Void>?
    var keepAliveTimer: Scheduled<Void>?
    var isAwaitingPong = false
    var hasReceivedSincePing = false
    /// While inbound bytes are handled, flushes wait for the end: many answers go out in one system call.
    var isHandlingInput = false
    var needsFlush = false
    var outbound = Outbound()
    /// Key material for the next masks: the system's generator is asked for 8 bytes at a time.
    var randomness = SystemRandomNumberGenerator()

    /// nil where nothing was agreed on.
    let compression: MessageCompression?
    private var machine: WebSocketMachine
    /// What was read but not looked at when reading was paused: at most one read of the socket.
    private var leftover: ByteBuffer?
    /// A read that the channel asked for while paused.
    private var hasHeldRead = false

    /// A connection without compression.
    public convenience init(role: WebSocketRole, configuration: WebSocketConfiguration) {
        self.init(role: role, configuration: configuration, agreement: nil)
    }

    /// - Parameter agreement: what the handshake said about compression.
    init(role: WebSocketRole, configuration: WebSocketConfiguration, agreement: DeflateAgreement?) {
        self.role = role
        self.configuration = configuration
        compression = agreement.map {
            MessageCompression(
                role: role, configuration: configuration.compression ?? WebSocketCompression(), agreement: $0)
        }
        machine = WebSocketMachine(role: role, limits: configuration.limits, allowsCompression: agreement != nil)
    }

    /// Whether both sides agreed to compress messages.
    public var isCompressionNegotiated: Bool { compression != nil }

    /// Whether messages can still be sent: false from the decision to close on.
    public var isOpen: Bool { state == .open && context != nil }

    /// The connection's channel; nil once it is closed.
    public var channel: (any Channel)? { context?.channel }

    /// Bytes that were sent and that the socket has not taken yet.
    public var bufferedBytes: Int {
        // Where the channel is passed by, what it holds is counted already.
        guard case .channel = outbound.path, let options = context?.channel.syncOptions else {
            return outbound.waitingBytes
        }
        return outbound.waitingBytes + ((try? options.getOption(ChannelOptions.bufferedWritableBytes)) ?? 0)
    }

    // MARK: Reading

    /// Stops delivering messages and reading from the socket, so that the peer meets TCP's own backpressure. Messages
    /// that are already here stay undelivered, in order. Pings go unanswered and a close unseen meanwhile.
    public func pauseReading() {
        guard state == .open else { return }
        isReadingPaused = true
    }

    public func resumeReading() {
        guard isReadingPaused else { return }
        isReadingPaused = false
        // Inside a delegate call the loop that made the call goes on by itself.
        guard !isHandlingInput, let context else { return }
        if let buffer = leftover {
            leftover = nil
            handleInput(buffer)
            endOfInput(context)
        }
        releaseHeldRead(context)
    }

    private func releaseHeldRead(_ context: ChannelHandlerContext) {
        guard hasHeldRead, !isReadingPaused, state != .closed else { return }
        hasHeldRead = false
        context.read()
    }

    public func read(context: ChannelHandlerContext) {
        if isReadingPaused {
            hasHeldRead = true
        } else {
            context.read()
        }
    }

    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasReceivedSincePing = true
        var buffer = Self.unwrapInboundIn(data)
        if var earlier = leftover {
            earlier.writeBuffer(&buffer)
            leftover = earlier
        } else if isReadingPaused {
            leftover = buffer
        } else {
            handleInput(buffer)
        }
    }

    public func channelReadComplete(context: ChannelHandlerContext) {
        endOfInput(context)
        context.fireChannelReadComplete()
    }

    private func endOfInput(_ context: ChannelHandlerContext) {
        if needsFlush { flush() }
    }

    private func handleInput(_ buffer: ByteBuffer) {
        guard state == .open || state == .closing else { return }
        isHandlingInput = true
        let used = buffer.withUnsafeReadableBytes { bytes in
            var input = bytes
            while let event = machine.next(&input) {
                handle(event)
                // The machine ends by itself after a close; this is the application's doing.
                if isReadingPaused || state == .lingering || state == .closed { break }
            }
            return bytes.count - input.count
        }
        isHandlingInput = false
        guard isReadingPaused, used < buffer.readableBytes else { return }
        var rest = buffer
        rest.moveReaderIndex(forwardBy: used)
        leftover = rest
    }

    private func handle(_ event: WebSocketEvent) {
        switch event {
        case .text(let bytes):
            if state == .open { delegate?.webSocketText(bytes, on: self) }
        case .binary(let bytes):
            if state == .open { delegate?.webSocketBinary(bytes, on: self) }
        case .compressed(let bytes, let isText):
            if state == .open { handleCompressed(bytes, isText: isText) }
        case .ping(let bytes):
            guard state == .open else { return }
            if answersPings {
                write(.pong, bytes, promise: nil)
                requestFlush()
                // Pongs count as well: a peer that pings without reading must not fill our memory.
                if !isWritable { checkOutboundLimit() }
            }
            delegate?.webSocketPing(bytes, on: self)
        case .pong(let bytes):
            if state == .open { delegate?.webSocketPong(bytes, on: self) }
        case .close(let code, let reason):
            peerClosed(code, reason: String(decoding: reason, as: UTF8.self))
        case .failed(let failure):
            peerFailed(failure)
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

    // MARK: Life of the channel

    public func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        isWritable = context.channel.isWritable
        if context.channel.isActive { startKeepAlive() }
    }

    public func channelActive(context: ChannelHandlerContext) {
        startKeepAlive()
        context.fireChannelActive()
    }

    public func channelInactive(context: ChannelHandlerContext) {
        connectionEnded(.endOfStream, reason: "connection lost")
        dropOutbound()
        context.fireChannelInactive()
    }

    public func handlerRemoved(context: ChannelHandlerContext) {
        connectionEnded(.endOfStream, reason: "connection lost")
        dropOutbound()
        self.context = nil
    }

    public func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connectionEnded(.failed, reason: "connection failed: \(error)")
        context.close(promise: nil)
    }

    public func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        // The socket's number may be another's right after.
        if mode != .input { dropOutbound() }
        context.close(mode: mode, promise: promise)
    }

    public func channelWritabilityChanged(context: ChannelHandlerContext) {
        pump()
        updateWritability()
        context.fireChannelWritabilityChanged()
    }

    public func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed as ChannelEvent:
            // Servers allow half-closed connections; a WebSocket has no use for one.
            connectionEnded(.endOfStream, reason: "connection lost")
            context.close(promise: nil)
        case is ChannelShouldQuiesceEvent:
            goAway()
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// Forgets what was held back, because nothing will be delivered any more.
    func dropHeldInput() {
        isReadingPaused = false
        leftover = nil
        if let context { releaseHeldRead(context) }
    }
}

// Confined to its event loop.
@available(*, unavailable)
extension WebSocketHandler: Sendable {}
