import NIOCore
import NIOPosix
import WebSocketTransport

/// One connection through the proxy: a client's socket, the target's, and a lane for each direction. Confined to one
/// event loop, on which both sockets live.
final class ChaosLink {
    enum Side {
        case client, target

        var other: Side { self == .client ? .target : .client }
    }

    /// What goes from one side to the other.
    private final class Direction {
        var lane = ChaosLane()
        /// The sender has closed its half.
        var hasEnded = false
        /// The receiver knows it.
        var hasReportedEnd = false
        /// A read was requested and has not completed.
        var isReading = false
        var timer: Scheduled<Void>?
        var forwarded = 0
    }

    private let number: Int
    private let address: ChaosProxy.Target
    private let client: any Channel
    private var target: (any Channel)?
    private let proxy: ChaosProxy
    private var generator: SeededGenerator
    private let up = Direction()
    private let down = Direction()
    private var cutReason: ChaosEvent.Reason?
    private var hasReportedHalfOpen = false
    private var isClientClosed = false
    private var isTargetClosed = false
    private var isFinished = false

    init(number: Int, client: any Channel, address: ChaosProxy.Target, proxy: ChaosProxy, seed: UInt64) {
        self.number = number
        self.address = address
        self.client = client
        self.proxy = proxy
        generator = SeededGenerator(seed: seed)
    }

    private var loop: any EventLoop { client.eventLoop }
    private var now: Double { Double(NIODeadline.now().uptimeNanoseconds) / 1e9 }
    private var forwarded: Int { up.forwarded + down.forwarded }
    private func direction(from side: Side) -> Direction { side == .client ? up : down }
    private func channel(_ side: Side) -> (any Channel)? { side == .client ? client : target }
    private func isClosed(_ side: Side) -> Bool { side == .client ? isClientClosed : isTargetClosed }
    private func settings(from side: Side) -> ChaosSettings { proxy.settings.lane(isUp: side == .client) }

    /// Adopts the client's side. The target's is opened once the client's is active: a read that is requested before
    /// would never happen.
    func begin() throws { try client.pipeline.syncOperations.addHandler(ChaosEndHandler(link: self, side: .client)) }

    /// Opens the target's side. Until it is open nothing of the client's is read.
    fileprivate func clientIsActive() {
        let address = address
        let bound = NIOLoopBound(self, eventLoop: loop)
        ClientBootstrap(group: loop)
            .channelOption(.autoRead, value: false)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ChaosEndHandler(link: bound.value, side: .target))
                }
            }
            .connect(host: address.host, port: address.port)
            .whenComplete { result in
                switch result {
                case .success(let channel): bound.value.connected(channel)
                case .failure(let error): bound.value.unreachable(NetworkFailure(error).words)
                }
            }
    }

    private func connected(_ channel: any Channel) {
        guard !isFinished else { return channel.reset() }
        target = channel
        readMore(from: .client)
        readMore(from: .target)
    }

    private func unreachable(_ reason: String) {
        guard !isFinished else { return }
        proxy.note(.unreachable(connection: number, reason: reason)) { $0.unreachable += 1 }
        isTargetClosed = true
        client.reset()
    }

    // MARK: What happens to it

    func received(_ bytes: ByteBuffer, from side: Side) {
        guard !isFinished else { return }
        let settings = settings(from: side)
        let direction = direction(from: side)
        let corruptedBefore = direction.lane.corrupted
        let discardedBefore = direction.lane.discarded
        direction.lane.accept(bytes, settings, now: now, using: &generator)
        let corrupted = direction.lane.corrupted - corruptedBefore
        let discarded = direction.lane.discarded - discardedBefore
        let held = direction.lane.held
        proxy.count { counts in
            counts.bytesLost += discarded
            counts.bytesCorrupted += corrupted
            counts.maxHeld = max(counts.maxHeld, held)
        }
        if corrupted > 0 { proxy.note(.corrupted(connection: number, bytes: corrupted)) { _ in } }
        if direction.lane.ending == .cut, cutReason == nil {
            let isLimit = settings.cutAfter.map { direction.lane.accepted >= $0 } ?? false
            cutReason = isLimit ? .cutAfter : .drop
        }
        advance(from: side)
    }

    func readCompleted(from side: Side) {
        direction(from: side).isReading = false
        readMore(from: side)
    }

    /// `side` will not send any more; it may still read.
    func ended(_ side: Side) {
        direction(from: side).hasEnded = true
        // Nothing will ever go to or come from a side that ended while the link is silent both ways.
        if up.lane.ending == .halfOpen, down.lane.ending == .halfOpen {
            channel(side)?.close(promise: nil)
        } else {
            advance(from: side)
        }
    }

    func writable(_ side: Side) { advance(from: side.other) }

    func closed(_ side: Side) {
        if side == .client { isClientClosed = true } else { isTargetClosed = true }
        guard !isFinished else { return }
        if isClosed(side.other) || target == nil { return finish() }
        // What was on its way to the closed side is lost, and what still comes is thrown away.
        let back = direction(from: side.other)
        back.lane.abandon()
        back.lane.end(.halfOpen)
        direction(from: side).hasEnded = true
        advance(from: side)
        readMore(from: side.other)
    }

    // MARK: What is done to it

    func cut(_ reason: ChaosEvent.Reason) {
        guard !isFinished else { return }
        let lost = up.lane.held + down.lane.held
        up.lane.abandon()
        down.lane.abandon()
        finish(.cut(connection: number, reason, bytes: forwarded)) { counts in
            counts.cut += 1
            counts.bytesLost += lost
        }
        client.reset()
        target?.reset()
    }

    func halfOpen() {
        guard !isFinished else { return }
        up.lane.end(.halfOpen)
        down.lane.end(.halfOpen)
        advance(from: .client)
        advance(from: .target)
    }

    private func finish() { finish(.closed(connection: number, bytes: forwarded)) { $0.closed += 1 } }

    private func finish(_ event: ChaosEvent, _ change: (inout ChaosCounts) -> Void) {
        guard !isFinished else { return }
        isFinished = true
        up.timer?.cancel()
        down.timer?.cancel()
        proxy.remove(number)
        proxy.note(event, change)
    }

    // MARK: Forwarding

    /// Forwards what came from `side` and is due, and arranges for the rest.
    private func advance(from side: Side) {
        guard !isFinished, let destination = channel(side.other) else { return }
        let direction = direction(from: side)
        let throttle = settings(from: side).throttle
        let now = now
        var wrote: EventLoopFuture<Void>?
        if destination.isWritable {
            var count = 0
            for piece in direction.lane.release(now: now, throttle: throttle) {
                count += piece.readableBytes
                wrote = destination.write(piece)
            }
            if count > 0 {
                // Counted before it can arrive: a test that has all of it looks at the counts at once.
                direction.forwarded += count
                proxy.count { if side == .client { $0.bytesUp += count } else { $0.bytesDown += count } }
                destination.flush()
            }
        }
        direction.timer?.cancel()
        direction.timer = nil
        if destination.isWritable, let due = direction.lane.nextRelease(now: now, throttle: throttle) {
            let bound = NIOLoopBound(self, eventLoop: loop)
            // At least a millisecond: a timer that is due now would turn the loop without an end.
            direction.timer = loop.scheduleTask(in: .nanoseconds(Int64(max(0.001, due - now) * 1e9))) {
                bound.value.advance(from: side)
            }
        }
        if direction.lane.isEmpty {
            switch direction.lane.ending {
            case .cut: cutOnceWritten(wrote)
            case .halfOpen: stopForwarding()
            case nil: if direction.hasEnded { reportEnd(of: side) }
            }
        }
        readMore(from: side)
    }

    /// A reset throws away what the kernel has not sent; the bytes before it are to arrive.
    private func cutOnceWritten(_ wrote: EventLoopFuture<Void>?) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        (wrote ?? loop.makeSucceededVoidFuture()).whenComplete { _ in
            bound.value.cut(bound.value.cutReason ?? .drop)
        }
    }

    private func stopForwarding() {
        guard !hasReportedHalfOpen, !isClientClosed, !isTargetClosed else { return }
        hasReportedHalfOpen = true
        if proxy.settings.direction == .both {
            up.lane.end(.halfOpen)
            down.lane.end(.halfOpen)
        }
        proxy.note(.halfOpened(connection: number, bytes: forwarded)) { $0.halfOpened += 1 }
        readMore(from: .client)
        readMore(from: .target)
    }

    private func reportEnd(of side: Side) {
        let direction = direction(from: side)
        guard let destination = channel(side.other) else { return }
        // The whole socket where nothing can come back any more.
        if isClosed(side) {
            destination.close(promise: nil)
        } else if !direction.hasReportedEnd {
            destination.close(mode: .output, promise: nil)
        }
        direction.hasReportedEnd = true
    }

    /// Requests more while there is room. A lane that fell silent reads on and throws away: it notices its end closing,
    /// and holds no memory.
    private func readMore(from side: Side) {
        let direction = direction(from: side)
        guard !isFinished, target != nil, let source = channel(side), let destination = channel(side.other),
            !direction.isReading, !direction.hasEnded,
            direction.lane.ending != nil || direction.lane.held < ChaosProxy.bufferLimit && destination.isWritable
        else { return }
        direction.isReading = true
        source.read()
    }
}

/// Reports to a link what happens to one of its sockets.
private final class ChaosEndHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let link: ChaosLink
    private let side: ChaosLink.Side

    init(link: ChaosLink, side: ChaosLink.Side) {
        self.link = link
        self.side = side
    }

    func channelActive(context: ChannelHandlerContext) { if side == .client { link.clientIsActive() } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        link.received(Self.unwrapInboundIn(data), from: side)
    }

    func channelReadComplete(context: ChannelHandlerContext) { link.readCompleted(from: side) }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { link.writable(side) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { link.ended(side) }
    }

    func channelInactive(context: ChannelHandlerContext) { link.closed(side) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A reset by the peer and the like: the socket's end, which `channelInactive` reports.
        context.close(promise: nil)
    }
}
