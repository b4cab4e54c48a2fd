import MarketModel
import NIOCore

/// One TCP connection of a simulated network: two channels, each on a loop of its own, and what lies between them.
final class SimulatedLink {
    let server: SimulatedChannel
    let client: SimulatedChannel
    /// Seconds that a byte needs.
    var latency: Double
    /// Bytes a second that the client reads.
    var pace = Double.infinity
    /// Nothing passes any more, and neither side is notified.
    private(set) var isHalfOpen = false
    private(set) var isEnded = false

    init(server: SimulatedLoop, client: SimulatedLoop, latency: Double) {
        self.latency = latency
        self.server = SimulatedChannel(server)
        self.client = SimulatedChannel(client)
        (self.server.link, self.client.link) = (self, self)
    }

    /// Both sides are connected.
    func open() { for channel in [server, client] { channel.open() } }

    /// - Parameter isNoticed: each side learns of it.
    func cut(isNoticed: Bool) {
        isHalfOpen = true
        guard isNoticed else { return }
        end()
    }

    /// What is under way is lost.
    func end() {
        guard !isEnded else { return }
        isEnded = true
        for channel in [server, client] {
            channel.loop.run(in: latency) { channel.close0(error: ChannelError.eof, mode: .all, promise: nil) }
        }
    }

    fileprivate func carry(_ bytes: ByteBuffer, from sender: SimulatedChannel) {
        guard !isHalfOpen, !isEnded else { return }
        let receiver = sender === server ? client : server
        var arrival = max(sender.loop.now + .seconds(of: latency), sender.lastArrival)
        if receiver === client { arrival = arrival + .seconds(of: Double(bytes.readableBytes) / pace) }
        sender.lastArrival = arrival
        receiver.loop.run(at: arrival) { [self] in
            guard !isHalfOpen, !isEnded else { return }
            sender.arrived(bytes.readableBytes)
            receiver.receive(bytes)
        }
    }

    /// One side closed: the other learns of it behind the bytes that are under way.
    fileprivate func closed(_ sender: SimulatedChannel) {
        guard !isHalfOpen, !isEnded else { return }
        let receiver = sender === server ? client : server
        receiver.loop.run(at: max(sender.loop.now + .seconds(of: latency), sender.lastArrival)) { [self] in
            guard !isHalfOpen else { return }
            isEnded = true
            receiver.close0(error: ChannelError.eof, mode: .all, promise: nil)
        }
    }
}

/// One end of a link.
final class SimulatedChannel: Channel, ChannelCore, @unchecked Sendable {
    let loop: SimulatedLoop
    fileprivate weak var link: SimulatedLink?
    /// When the last bytes that were sent arrive: none overtake others.
    fileprivate var lastArrival = NIODeadline.distantPast
    private(set) var isActive = false
    private(set) var isWritable = true
    /// Bytes that were sent and have not arrived.
    private(set) var inFlight = 0
    private var pending: [(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)] = []
    private var unread: [ByteBuffer] = []
    private var wantsRead = false
    private var isClosed = false
    private var madePipeline: ChannelPipeline!

    /// As a socket's buffers, but smaller: above the first it is not writable, at the second it is again.
    static let highMark = 6 << 10
    static let lowMark = 3 << 10

    init(_ loop: SimulatedLoop) {
        self.loop = loop
        madePipeline = ChannelPipeline(channel: self)
    }

    fileprivate func open() {
        isActive = true
        pipeline.fireChannelActive()
        pipeline.read()
    }

    /// Its process is gone: nothing happens on it any more.
    func abandon() {
        (isClosed, isActive) = (true, false)
        failPending()
        removeHandlers(pipeline: pipeline)
    }

    fileprivate func arrived(_ count: Int) {
        inFlight -= count
        guard !isWritable, inFlight <= Self.lowMark, isActive else { return }
        isWritable = true
        loop.run(in: 0) { if self.isActive { self.pipeline.fireChannelWritabilityChanged() } }
    }

    fileprivate func receive(_ bytes: ByteBuffer) {
        guard isActive else { return }
        unread.append(bytes)
        deliver()
    }

    private func deliver() {
        while wantsRead, isActive, !unread.isEmpty {
            wantsRead = false
            pipeline.fireChannelRead(unread.removeFirst())
            pipeline.fireChannelReadComplete()
            pipeline.read()
        }
    }

    // MARK: Channel

    var eventLoop: any EventLoop { loop }
    var pipeline: ChannelPipeline { madePipeline }
    var allocator: ByteBufferAllocator { ByteBufferAllocator() }
    var closeFuture: EventLoopFuture<Void> { loop.makeSucceededVoidFuture() }
    var localAddress: SocketAddress? { nil }
    var remoteAddress: SocketAddress? { nil }
    var parent: (any Channel)? { nil }
    var _channelCore: any ChannelCore { self }

    func setOption<Option: ChannelOption>(_ option: Option, value: Option.Value) -> EventLoopFuture<Void> {
        loop.makeSucceededVoidFuture()
    }

    func getOption<Option: ChannelOption>(_ option: Option) -> EventLoopFuture<Option.Value> {
        loop.makeFailedFuture(ChannelError.operationUnsupported)
    }

    // MARK: ChannelCore

    func localAddress0() throws -> SocketAddress { throw ChannelError.operationUnsupported }
    func remoteAddress0() throws -> SocketAddress { throw ChannelError.operationUnsupported }
    func register0(promise: EventLoopPromise<Void>?) { promise?.succeed(()) }
    func registerAlreadyConfigured0(promise: EventLoopPromise<Void>?) { promise?.succeed(()) }
    func bind0(to: SocketAddress, promise: EventLoopPromise<Void>?) { promise?.succeed(()) }
    func connect0(to: SocketAddress, promise: EventLoopPromise<Void>?) { promise?.succeed(()) }
    func triggerUserOutboundEvent0(_ event: Any, promise: EventLoopPromise<Void>?) { promise?.succeed(()) }
    func channelRead0(_ data: NIOAny) {}
    func errorCaught0(error: any Error) {}

    func write0(_ data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard isActive else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        pending.append((unwrapData(data), promise))
    }

    func flush0() {
        let sent = pending
        pending = []
        for (bytes, promise) in sent {
            inFlight += bytes.readableBytes
            link?.carry(bytes, from: self)
            promise?.succeed(())
        }
        guard isWritable, inFlight > Self.highMark else { return }
        isWritable = false
        loop.run(in: 0) { if self.isActive { self.pipeline.fireChannelWritabilityChanged() } }
    }

    func read0() {
        wantsRead = true
        // Never from inside a handler's own read.
        if !unread.isEmpty { loop.run(in: 0) { self.deliver() } }
    }

    func close0(error: any Error, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .all, !isClosed else {
            promise?.succeed(())
            return
        }
        (isClosed, isActive) = (true, false)
        failPending()
        link?.closed(self)
        promise?.succeed(())
        pipeline.fireChannelInactive()
        loop.run(in: 0) { self.removeHandlers(pipeline: self.pipeline) }
    }

    private func failPending() {
        for (_, promise) in pending { promise?.fail(ChannelError.ioOnClosedChannel) }
        pending = []
    }
}
