public import NIOCore
public import StreamCore

/// One WebSocket connection on its event loop: bytes of the channel on one side, messages on the other.
///
/// It stands behind the handshake (`WebSocketServerUpgrade`, `WebSocketConnector`) as the only handler. NIO's own frame
/// decoder and encoder are not used: they allocate for each frame, copy masked payloads and leave fragments, UTF-8 and
/// close codes to the next handler. `WebSocketMachine` does all of it where the bytes lie, and is fuzzed.
///
/// All methods must be called on the event loop; from elsewhere, through `NIOLoopBound` or `eventLoop.execute`.
/// Nothing here waits, and there is no lock.
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
    /// Whether pings are answered here, as RFC 6455 section 5.5.2 requires. Switch it off only to answer them yourself
    /// with `pong`: peers hang up on those who do not.
    public var answersPings = true
    /// Whether `pauseReading` holds.
    public internal(set) var isReadingPaused = false

    var state = State.open
    var context: ChannelHandlerContext?
    var closeTimer: Scheduled<Void>?
    var keepAliveTimer: Scheduled<Void>?
    var wheel: KeepAliveWheel?
    var wheelPlace: KeepAliveWheel.Place?
    var isAwaitingPong = false
    var hasReceivedSincePing = false
    /// While inbound bytes are handled, flushes wait for the end: many answers go out in one system call.
    var isHandlingInput = false
    var needsFlush = false
    var outbound = Outbound()
    /// Key material for the next masks: the system's generator gives 8 bytes at a time.
    var randomness = SystemRandomNumberGenerator()

    /// nil where nothing was agreed on.
    let compression: MessageCompression?
    /// Whether a limit needs to know when bytes come.
    let needsClock: Bool
    var machine: WebSocketMachine
    /// What came while reading was paused, in order: at most what one round of reading brought.
    var held = HeldEvents()
    /// A read that the channel requested while paused.
    var hasHeldRead = false
    /// For the limits that need a clock: when bytes came last.
    var lastReceived = NIODeadline.uptimeNanoseconds(0)
    var idleTimer: Scheduled<Void>?
    var messageBucket: TokenBucket?
    /// Pings that the application sent and the peer has not answered: their pongs use nothing of its allowance.
    package var expectedPongs = 0

    /// A connection without compression.
    public convenience init(role: WebSocketRole, configuration: WebSocketConfiguration) {
        self.init(role: role, configuration: configuration, agreement: nil)
    }

    /// - Parameter agreement: what the handshake agreed on compression.
    init(role: WebSocketRole, configuration: WebSocketConfiguration, agreement: DeflateAgreement?) {
        self.role = role
        self.configuration = configuration
        compression = agreement.map {
            MessageCompression(
                role: role, configuration: configuration.compression ?? WebSocketCompression(), agreement: $0)
        }
        machine = WebSocketMachine(role: role, limits: configuration.limits, allowsCompression: agreement != nil)
        needsClock = configuration.idleTimeout != nil || configuration.messageRate != nil
    }

    /// Whether both sides agreed to compress messages.
    public var isCompressionNegotiated: Bool { compression != nil }

    /// Whether messages can still be sent: false from the decision to close on.
    public var isOpen: Bool { state == .open && context != nil }

    /// The connection's channel; nil once it is closed.
    public var channel: (any Channel)? { context?.channel }

    /// Bytes that were sent and that the socket has not accepted yet.
    public var bufferedBytes: Int {
        // Where the channel is passed by, what it holds is counted already.
        guard case .channel = outbound.path, let options = context?.channel.syncOptions else {
            return outbound.waitingBytes
        }
        return outbound.waitingBytes + ((try? options.getOption(ChannelOptions.bufferedWritableBytes)) ?? 0)
    }

    // MARK: Life of the channel

    public func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        isWritable = context.channel.isWritable
        if context.channel.isActive { startTimers(context) }
    }

    public func channelActive(context: ChannelHandlerContext) {
        startTimers(context)
        context.fireChannelActive()
    }

    private func startTimers(_ context: ChannelHandlerContext) {
        startKeepAlive()
        startLimits(context)
    }

    public func channelInactive(context: ChannelHandlerContext) {
        deliverHeld(evenPaused: true)
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
        deliverHeld(evenPaused: true)
        connectionEnded(.failed, reason: "connection failed: \(NetworkFailure(error).words)")
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
            deliverHeld(evenPaused: true)
            connectionEnded(.endOfStream, reason: "connection lost")
            context.close(promise: nil)
        case is ChannelShouldQuiesceEvent: goAway()
        default: context.fireUserInboundEventTriggered(event)
        }
    }
}

// Confined to its event loop.
@available(*, unavailable)
extension WebSocketHandler: Sendable {}
