import NIOCore

/// The way of bytes from the lanes to the socket.
///
/// ```
///   send ──> DirectSocket                 nothing waits: one system call, nothing is stored
///   send ──> lanes ──> DirectSocket       what waits goes out in one system call
///                └───> channel ──> TLS, socket
/// ```
/// The channel never gets more than it can send soon: the rest of one frame where the socket is written to directly,
/// what fits below its high mark elsewhere. All else waits in the lanes, where a pong or a close frame can pass it.
extension WebSocketHandler {
    /// Everything about sending that a connection keeps.
    struct Outbound {
        enum Path {
            /// Not looked at yet.
            case unknown
            case direct(DirectSocket)
            case channel
        }

        /// What happens when everything is sent.
        enum Ending {
            case none
            case closeOutput
            case close
        }

        var path = Path.unknown
        var queue = OutboundQueue()
        /// Bytes that the channel holds and has not sent, on a connection that is written to directly.
        var channelBytes = 0
        /// Whether a message may go past the lanes: `path` is direct, and nothing waits.
        var direct: DirectSocket?
        var isPumping = false
        var ending = Ending.none

        var waitingBytes: Int { queue.byteCount + channelBytes }

        mutating func updateDirect() {
            direct = nil
            if case .direct(let socket) = path, queue.isEmpty, channelBytes == 0 { direct = socket }
        }
    }

    /// Above the first, a connection written to directly is not writable; at or below the second it is again.
    private static let highMark = 64 << 10
    private static let lowMark = 32 << 10

    func enqueue(_ piece: OutboundQueue.Piece, isControl: Bool) {
        outbound.direct = nil
        outbound.queue.append(piece, isControl: isControl)
        updateWritability()
    }

    /// Sends what waits, as far as the socket accepts it.
    func pump() {
        // A promise or a delegate that sends from inside: the loop that is running sends it too.
        guard !outbound.isPumping else { return }
        outbound.isPumping = true
        while let context, outbound.channelBytes == 0, !outbound.queue.isEmpty {
            if case .unknown = outbound.path { choosePath(context) }
            let hasMore =
                switch outbound.path {
                case .direct(let socket): writeDirectly(socket, context)
                case .channel, .unknown: writeToChannel(context)
                }
            updateWritability()
            guard hasMore else { break }
        }
        outbound.isPumping = false
        outbound.updateDirect()
        if outbound.ending != .none { endIfDrained() }
    }

    private func choosePath(_ context: ChannelHandlerContext) {
        outbound.path =
            configuration.bypassesChannel ? DirectSocket(context.channel).map { .direct($0) } ?? .channel : .channel
    }

    // MARK: Past the channel

    /// The socket did not accept all of a frame that went past the lanes.
    func handOverRest(_ piece: OutboundQueue.Piece) {
        guard let context else { return }
        outbound.direct = nil
        outbound.queue.append(piece, isControl: false)
        outbound.isPumping = true
        handOver(skipping: 0, context)
        outbound.isPumping = false
        updateWritability()
        pump()
    }

    /// - Returns: whether to go on, where the channel accepted nothing.
    private func writeDirectly(_ socket: DirectSocket, _ context: ChannelHandlerContext) -> Bool {
        let (sent, isComplete, count) = socket.write(outbound.queue)
        var (written, pieces) = (sent, count)
        // Kept back until the bytes are accounted for: what waits for one may send, and must not come between.
        var promises: [EventLoopPromise<Void>] = []
        while pieces > 0, isComplete || outbound.queue.first.bytes.readableBytes <= written {
            let piece = outbound.queue.removeFirst()
            written -= piece.bytes.readableBytes
            pieces -= 1
            if let promise = piece.promise { promises.append(promise) }
        }
        if !isComplete { handOver(skipping: written, context) }
        for promise in promises { promise.succeed(()) }
        return true
    }

    /// Gives the frame that is begun, or the next one, to the channel, which waits until the socket accepts it.
    private func handOver(skipping sent: Int, _ context: ChannelHandlerContext) {
        var sent = sent
        while true {
            var piece = outbound.queue.removeFirst()
            piece.bytes.moveReaderIndex(forwardBy: sent)
            sent = 0
            outbound.channelBytes += piece.bytes.readableBytes
            guard piece.endsFrame || outbound.queue.isEmpty else {
                context.write(Self.wrapOutboundOut(piece.bytes), promise: piece.promise)
                continue
            }
            let written = context.eventLoop.makePromise(of: Void.self)
            let box = NIOLoopBound(self, eventLoop: context.eventLoop)
            let promise = piece.promise
            written.futureResult.whenComplete { result in
                promise?.completeWith(result)
                box.value.channelFinished(result)
            }
            context.writeAndFlush(Self.wrapOutboundOut(piece.bytes), promise: written)
            return
        }
    }

    private func channelFinished(_ result: Result<Void, any Error>) {
        outbound.channelBytes = 0
        switch result {
        case .success:
            updateWritability()
            pump()
        case .failure:
            // The channel is about to report it; its socket is closed already, and the number may soon be another's.
            dropOutbound()
        }
    }

    // MARK: Through the channel

    private func writeToChannel(_ context: ChannelHandlerContext) -> Bool {
        var isInsideFrame = false
        while !outbound.queue.isEmpty, isInsideFrame || context.channel.isWritable {
            let piece = outbound.queue.removeFirst()
            isInsideFrame = !piece.endsFrame
            context.write(Self.wrapOutboundOut(piece.bytes), promise: piece.promise)
        }
        context.flush()
        // Otherwise `channelWritabilityChanged` goes on.
        return context.channel.isWritable
    }

    // MARK: Writability

    /// Notifies the delegate where the connection became writable or ceased to be.
    func updateWritability() {
        let isWritableNow: Bool
        if case .direct = outbound.path {
            isWritableNow = outbound.waitingBytes <= (isWritable ? Self.highMark : Self.lowMark)
        } else {
            isWritableNow =
                (context?.channel.isWritable ?? true)
                && outbound.queue.byteCount <= (isWritable ? Self.highMark : Self.lowMark)
        }
        guard isWritableNow != isWritable else { return }
        isWritable = isWritableNow
        if state == .open { delegate?.webSocketWritabilityChanged(isWritableNow, on: self) }
    }

    // MARK: The end

    /// Nothing more goes out, and nothing is kept.
    func dropOutbound() {
        outbound.path = .channel
        outbound.direct = nil
        for promise in outbound.queue.removeAll() { promise.fail(WebSocketClosedError()) }
    }

    /// Drops what has not begun. What has is ended by the channel, so that a close frame can follow.
    func dropWaiting() { for promise in outbound.queue.removeAll() { promise.fail(WebSocketClosedError()) } }

    /// Ends the connection, or our direction of it, when everything before is sent.
    func endOutput(_ ending: Outbound.Ending) {
        outbound.ending = ending
        pump()
    }

    private func endIfDrained() {
        guard let context, outbound.queue.isEmpty, outbound.channelBytes == 0 else { return }
        let ending = outbound.ending
        outbound.ending = .none
        let box = NIOLoopBound(self, eventLoop: context.eventLoop)
        let done = context.eventLoop.makePromise(of: Void.self)
        switch ending {
        case .none: return
        case .closeOutput:
            // NIO sends what it has before it closes the direction.
            context.flush()
            done.futureResult.whenFailure { _ in box.value.context?.close(promise: nil) }
            context.close(mode: .output, promise: done)
        case .close:
            // An empty write completes when everything before it is on its way, through TLS as well.
            done.futureResult.whenComplete { _ in box.value.context?.close(promise: nil) }
            context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer()), promise: done)
        }
    }
}
