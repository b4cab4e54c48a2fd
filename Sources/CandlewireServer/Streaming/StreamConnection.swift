import MarketModel
import NIOCore
import StreamCore
import WebSocketTransport

/// One reader of `/v1/stream`: reads its requests, sends what it subscribed to. Confined to its event loop.
final class StreamConnection: WebSocketHandlerDelegate {
    /// The most streams one connection may subscribe to.
    static let maximumSubscriptions = 256
    /// Unanswered subscriptions at which reading from the client stops, until half of them are answered.
    private static let maximumOutstanding = 16
    /// Bytes waiting in order at which reading from the client stops, until half of them are sent.
    private static let readingLimit = 1 << 20
    /// Bytes waiting in order up to which a recovering reader gets what it missed; beyond, it gets a snapshot.
    private static let replayLimit = 2 << 20

    /// Messages in a row that are no requests at all, at which the connection is closed: their sender does not speak
    /// this protocol, and each costs an answer.
    static let maximumBadRequests = 20

    /// `nil` once the connection is closed or given up: then nothing is sent any more.
    private var socket: WebSocketHandler?
    let shard: StreamShard
    /// Streams that have begun, in the epoch that the reader is in, and where the shard has their messages.
    private(set) var streams: [(slot: Int, epoch: Int, place: Int)] = []
    var outbox = makeOutbox()
    let id: ConnectionID
    /// Its number among the readers of its loop.
    var reader = -1
    let core: MarketCore
    let loop: any EventLoop
    /// Streams requested, also those whose start is still on its way, with the number of the request.
    var wanted: [Int: (key: StreamKey, request: Int, history: Int)] = [:]
    /// Channels requested, with the number of the request and the channel's stream in the outbox.
    var channels: [ChannelKey: (request: Int, stream: Int)] = [:]
    /// The last stream given to a channel: below -1, where no market's stream and no control message is.
    var lastChannelStream = -1
    var lastRequest = 0
    /// Requests whose start is still on its way. Each costs the market loop a snapshot, so their number is bounded.
    var outstanding = 0
    /// Messages in a row that were no requests.
    var badRequests = 0
    private var drainTimer: Scheduled<Void>?
    private var scratch: [UInt8] = []
    let admission: StreamAdmission
    var authTimer: Scheduled<Void>?
    let address: ClientAddress
    /// An app's key that came with the handshake.
    let key: String?
    /// Who reads; `nil`: the first message has to say it.
    var principal: Principal?
    /// Channels of accounts whose open orders are cancelled when the connection ends.
    var cancelledAtEnd: Set<ChannelKey> = []
    /// Whose share of connections this one uses.
    private var counted: ClientLimits.Client?
    /// Of outboxes that were given up.
    private var pastSkipped = 0
    private var pastSkippedForRate = 0
    private var pastSkippedForLoad = 0
    private var pastSnapshots = 0

    init(
        id: ConnectionID, socket: WebSocketHandler, core: MarketCore, shard: StreamShard, loop: any EventLoop,
        admission: StreamAdmission, address: ClientAddress, key: String?
    ) {
        self.id = id
        self.socket = socket
        self.core = core
        self.shard = shard
        self.loop = loop
        self.admission = admission
        self.address = address
        self.key = key
        principal = admission.access.withoutLogin
        if principal == nil { awaitToken() }
    }

    /// The connection is a client's with a login from now on.
    /// - Returns: false where that client has as many connections as it may.
    func login(_ principal: Principal) -> Bool {
        let client = ClientLimits.Client(principal, address)
        if principal.isLoggedIn, client != counted {
            guard admission.limiter.opened(client) else { return false }
            if let counted { admission.limiter.closed(counted) }
            counted = client
        }
        self.principal = principal
        return true
    }

    var counts: ReaderCounts {
        ReaderCounts(
            connections: 1, skipped: pastSkipped + outbox.skippedTotal,
            skippedForRate: pastSkippedForRate + outbox.skippedForRate,
            skippedForLoad: pastSkippedForLoad + outbox.skippedForLoad, snapshots: pastSnapshots + outbox.lapses)
    }

    func reads(market: Int) -> Bool { wanted.values.contains { $0.key.market == market } }

    private static func makeOutbox() -> Outbox<ByteBuffer> { Outbox { $0.detached } }

    var openChannels: [ChannelKey] { Array(channels.keys) }

    // MARK: Channels

    /// The channel begins: its answer and its snapshot first, then live messages.
    func begin(_ start: ChannelStart) {
        answered()
        let key = start.request.key
        guard socket != nil, let channel = channels[key] else { return shard.leave(self, key) }
        // Where a newer request for the same channel is on its way, its answer will follow.
        guard channel.request == start.request.number else { return }
        switch start.outcome {
        case .success(let frames):
            // What waits of it is older than the snapshot.
            outbox.open(stream: channel.stream, at: 0)
            for frame in frames { send(frame, kind: .control) }
        case .failure(let error):
            channels[key] = nil
            cancelledAtEnd.remove(key)
            outbox.close(stream: channel.stream)
            shard.leave(self, key)
            answer { ServerMessageWriter.error(error, into: &$0) }
        }
        socket?.flush()
        adjustReading()
    }

    /// A live message of a channel. A state waits for a slow reader as the latest one only; the rest goes in
    /// order, and who lets too much of it pile up is closed.
    func deliver(_ frame: ByteBuffer, of key: ChannelKey, isState: Bool) {
        // Before its answer, the snapshot is still on its way, and contains this.
        guard let channel = channels[key], outbox.isOpen(stream: channel.stream) else { return }
        // All at the same offset: nothing is counted as skipped, for each has all there is.
        if isState { send(frame, kind: .tick, stream: channel.stream) } else { send(frame, kind: .control) }
        finishDelivery()
    }

    // MARK: Streams

    /// The stream begins, or begins again: position and past first, then live messages.
    func begin(_ start: StreamStart) {
        let slot = start.key.slot
        guard socket != nil, let current = wanted[slot] else {
            // Unsubscribed while the start was on its way.
            if case .answer = start.reason { answered() }
            return
        }
        join(slot, epoch: start.epoch)
        switch start.reason {
        case .answer(let request):
            // Where a newer request for the same stream is on its way, its answer will follow.
            let isOver = current.request != request.number || begin(start, answering: request)
            if isOver { answered() }
        case .refresh: sendSnapshot(start, isNewEpoch: false)
        case .newEpoch: sendSnapshot(start, isNewEpoch: true)
        }
        socket?.flush()
    }

    private func join(_ slot: Int, epoch: Int) {
        guard !streams.contains(where: { $0.slot == slot && $0.epoch == epoch }) else { return }
        leave(slot)
        streams.append((slot, epoch, shard.join(self, epoch: epoch)))
    }

    /// Nothing more of a stream.
    func leave(_ slot: Int) {
        guard let index = streams.firstIndex(where: { $0.slot == slot }) else { return }
        shard.leave(self, place: streams.remove(at: index).place)
    }

    /// The stream has ended: its market was removed. An end without a request's id is one that the server made.
    func end(_ key: StreamKey, isAnswer: Bool) {
        if isAnswer { answered() }
        leave(key.slot)
        guard wanted.removeValue(forKey: key.slot) != nil else { return }
        outbox.close(stream: key.slot)
        answer {
            ServerMessageWriter.unsubscribed(
                id: nil, symbol: core.registry.symbolJSON[key.market], timeframe: key.timeframe, into: &$0)
        }
        socket?.flush()
    }

    /// - Returns: false where the market loop gets another request.
    private func begin(_ start: StreamStart, answering request: StreamRequest) -> Bool {
        let slot = start.key.slot
        var position = start.position.offset
        if let missed = start.missed {
            let size = missed.reduce(0) { $0 + $1.readableBytes }
            guard outbox.heldBytes + size <= Self.replayLimit else {
                // Too much waits already: the state is less than what led to it.
                var again = request
                again.message.recover = nil
                core.subscribe(id, to: start.key, request: again)
                return false
            }
            position -= Int64(missed.count)
        }
        outbox.open(stream: slot, at: position, maxRate: request.message.maxRate)
        answer {
            ServerMessageWriter.subscribed(
                id: request.message.id, symbol: core.registry.symbolJSON[start.key.market],
                timeframe: start.key.timeframe, position: start.position, recovered: start.missed != nil, into: &$0)
        }
        guard let missed = start.missed else {
            sendSnapshot(start, isNewEpoch: false)
            return true
        }
        for (index, frame) in missed.enumerated() {
            send(frame, kind: .past, stream: slot, offset: position + 1 + Int64(index))
        }
        return true
    }

    private func sendSnapshot(_ start: StreamStart, isNewEpoch: Bool) {
        guard let socket else { return }
        let frame = dataFrame(of: start.key.market) { symbol, sink in
            ServerMessageWriter.snapshot(
                symbol: symbol, timeframe: start.key.timeframe, candles: start.candles, position: start.position,
                into: &sink)
        } binary: { symbol, sink in
            BinaryMessageWriter.snapshot(
                symbol: symbol, timeframe: start.key.timeframe, candles: start.candles, position: start.position,
                into: &sink)
        }
        followWritability(of: socket)
        let message = StreamMessage(
            kind: .snapshot, stream: start.key.slot, offset: start.position.offset, payload: frame,
            size: frame.readableBytes)
        apply(outbox.begin(with: message, isNewEpoch: isNewEpoch) { write($0, $1, to: socket) })
    }

    /// A request came back from the market loop.
    private func answered() {
        outstanding -= 1
        adjustReading()
    }

    /// Reading from the client stops while it is owed much: each request costs the market loop a snapshot, and each
    /// answer that waits costs memory.
    func adjustReading() {
        guard let socket else { return }
        if socket.isReadingPaused {
            if outstanding <= Self.maximumOutstanding / 2, outbox.heldBytes <= Self.readingLimit / 2 {
                socket.resumeReading()
            }
        } else if outstanding >= Self.maximumOutstanding || outbox.heldBytes > Self.readingLimit {
            socket.pauseReading()
        }
    }

    /// Sends what the reader lacks of its streams, in one write.
    func catchUp() {
        guard let socket else { return }
        followWritability(of: socket)
        /// Not sent yet, for what follows may leave in the same write.
        var last: ByteBuffer?
        var isQueued = false
        for (slot, _, place) in streams {
            var run: StreamShard.Run?
            let passes = outbox.passThrough(stream: slot) { position in
                run = shard.run(place: place, after: position) { joined($0, of: slot, skipped: $1) }
                return run.map { ($0.last, $0.skipped) }
            }
            if let run {
                shard.bytesOut &+= run.payload.readableBytes
                shard.deliveries &+= run.messages
                if let last {
                    _ = socket.send(preframed: last, flush: false)
                    isQueued = true
                }
                last = run.payload
            } else if !passes || shard.hasLosses {
                offerMissing(slot, place)
                isQueued = true
            }
        }
        if let last {
            _ = socket.send(preframed: last, flush: true)
        } else if isQueued {
            socket.flush()
        }
        if isQueued { scheduleDrain() }
    }

    /// Messages side by side, and between them announcements of those that were left out.
    private func joined(_ messages: ArraySlice<StreamMessage>, of slot: Int, skipped: Int) -> ByteBuffer {
        guard let last = messages.last else { return ByteBuffer() }
        if messages.count == 1, skipped == 0 { return last.payload }
        var bytes = ByteBuffer()
        bytes.reserveCapacity(messages.reduce(128) { $0 + $1.size })
        var next = last.offset - Int64(messages.count + skipped) + 1
        for message in messages {
            if message.offset > next {
                bytes.writeImmutableBuffer(announcement(of: Int(clamping: message.offset - next), slot))
            }
            bytes.writeImmutableBuffer(message.payload)
            next = message.offset + 1
        }
        return bytes
    }

    private func announcement(of skipped: Int, _ slot: Int) -> ByteBuffer {
        let key = StreamKey(slot: slot)
        return dataFrame(of: key.market) { symbol, sink in
            ServerMessageWriter.skipped(symbol: symbol, timeframe: key.timeframe, count: skipped, into: &sink)
        } binary: { symbol, sink in
            BinaryMessageWriter.skipped(symbol: symbol, timeframe: key.timeframe, count: skipped, into: &sink)
        }
    }

    /// A frame of market data, written as the reader wants it.
    private func dataFrame(
        of market: Int, json: (_ symbol: [UInt8], inout [UInt8]) -> Void,
        binary: (_ symbol: [UInt8], inout [UInt8]) -> Void
    ) -> ByteBuffer {
        if id.encoding == .binary {
            let symbol = core.registry.symbolUTF8[market]
            if symbol.count <= BinaryMessageWriter.maximumNameBytes {
                return ByteBuffer(framedIn: &scratch, as: .binary) { binary(symbol, &$0) }
            }
        }
        let symbol = core.registry.symbolJSON[market]
        return ByteBuffer(framedIn: &scratch) { json(symbol, &$0) }
    }

    /// The same one by one: something waits already, or was lost.
    private func offerMissing(_ slot: Int, _ place: Int) {
        guard let position = outbox.newest(of: slot) else { return }
        let loss = shard.loss(place: place, after: position)
        if let loss { outbox.lose(stream: slot, through: loss) }
        guard outbox.takesLatest(of: slot) else {
            for message in shard.messages(place: place, after: loss ?? position) { send(message) }
            return
        }
        guard let latest = shard.latest(place: place, after: loss ?? position),
            !outbox.keep(latest.messages, missing: latest.missing, of: slot, now: core.clock())
        else { return }
        // All missing ones count as if they lay before the first: what is reported is right to the message.
        for (index, message) in latest.messages.enumerated() { send(message, missing: index == 0 ? latest.missing : 0) }
    }

    private func finishDelivery() {
        socket?.flush()
        scheduleDrain()
    }

    // MARK: Sending

    func answer(_ write: (inout [UInt8]) -> Void) {
        send(ByteBuffer(framedIn: &scratch, write), kind: .control)
        socket?.flush()
        adjustReading()
    }

    private func send(_ frame: ByteBuffer, kind: OutboxKind, stream: Int = -1, offset: Int64 = 0) {
        send(
            StreamMessage(kind: kind, stream: stream, offset: offset, payload: frame, size: frame.readableBytes))
    }

    private func send(_ message: StreamMessage, missing: Int? = nil) {
        guard let socket else { return }
        followWritability(of: socket)
        apply(outbox.offer(message, missing: missing, now: core.clock()) { write($0, $1, to: socket) })
    }

    /// Puts a message on its way, behind the number of those that were left out before it.
    private func write(_ message: StreamMessage, _ skipped: Int, to socket: WebSocketHandler) {
        if skipped > 0 {
            let frame = announcement(of: skipped, message.stream)
            shard.bytesOut &+= frame.readableBytes
            _ = socket.send(preframed: frame, flush: false)
        }
        shard.bytesOut &+= message.size
        shard.deliveries &+= 1
        _ = socket.send(preframed: message.payload, flush: false)
    }

    private func followWritability(of socket: WebSocketHandler) {
        // The clock is only read where something changed.
        if socket.isWritable != outbox.isWritable { outbox.setWritable(socket.isWritable, now: core.clock()) }
    }

    private func apply(_ verdict: Outbox<ByteBuffer>.Verdict) {
        switch verdict {
        case .fine: break
        case .overflow: giveUp("queue limit exceeded")
        case .stalled: giveUp("client stopped reading")
        }
    }

    private func giveUp(_ why: String) {
        close(.slowReader, "slow consumer: \(why); reconnect and recover", discardsUnsent: true)
    }

    /// Nothing more for this reader, and nothing kept for it while the close handshake lasts.
    func close(_ code: WebSocketCloseCode, _ reason: String, discardsUnsent: Bool = false) {
        guard let socket else { return }
        pastSkipped += outbox.skippedTotal
        pastSkippedForRate += outbox.skippedForRate
        pastSkippedForLoad += outbox.skippedForLoad
        pastSnapshots += outbox.lapses
        outbox = Self.makeOutbox()
        release()
        shard.closes.add(code)
        socket.close(code, reason: reason, discardsUnsent: discardsUnsent)
    }

    private func release() {
        socket = nil
        drainTimer?.cancel()
        drainTimer = nil
        authTimer?.cancel()
        authTimer = nil
        if let counted { admission.limiter.closed(counted) }
        counted = nil
    }

    func webSocketWritabilityChanged(_ isWritable: Bool, on handler: WebSocketHandler) { if isWritable { drain() } }

    private func drain() {
        guard let socket else { return }
        followWritability(of: socket)
        outbox.drain(now: core.clock(), canWrite: { socket.isWritable }) { write($0, $1, to: socket) }
        socket.flush()
        adjustReading()
        requestSnapshots()
        scheduleDrain()
    }

    /// Gets the state of streams whose messages were given up, now that there is room for it.
    private func requestSnapshots() {
        guard let socket else { return }
        followWritability(of: socket)
        while let need = outbox.popSnapshotNeed() {
            guard let stream = wanted[need.stream] else { continue }
            core.refresh(id, stream.key, after: need.after, history: stream.history)
        }
    }

    private func scheduleDrain() {
        // A write may have closed the connection: a timer would find no connection.
        guard socket != nil, drainTimer == nil, let deadline = outbox.nextDeadline else { return }
        drainTimer = loop.assumeIsolated().scheduleTask(in: .clamped(seconds: deadline - core.clock() + 0.0005)) {
            self.drainTimer = nil
            self.drain()
        }
    }

    /// Once a second: looks how the reader is doing.
    func turn() {
        guard let socket else { return }
        if let principal, !admission.access.stillOpens(principal) { return refuse("The token is not valid any more.") }
        followWritability(of: socket)
        apply(outbox.turn(now: core.clock(), pendingBytes: socket.bufferedBytes))
        requestSnapshots()
    }

    func reportStale(market: Int, age: Double) {
        answer { ServerMessageWriter.stale(symbol: core.registry.symbolJSON[market], age: age, into: &$0) }
    }

    // MARK: The end

    func webSocketWillGoAway(on handler: WebSocketHandler) {
        // It is the server that ends, and not the client.
        cancelledAtEnd = []
        // Spread over three seconds, so that the clients do not all come back in the same instant.
        answer { ServerMessageWriter.closing(reconnectAfter: 0.5 + Double.random(in: 0..<3), into: &$0) }
    }

    func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on handler: WebSocketHandler) {
        // The transport's own limit; the other codes are counted where they are decided.
        if code == .tooManyMessages, handler.ending == .violation { shard.closes.add(code) }
        release()
        shard.remove(self)
        let cancelled = cancelledAtEnd.compactMap(\.account).sorted()
        core.remove(
            id,
            cancelling: cancelled.isEmpty
                ? nil : LeftOrders(accounts: cancelled, principal: principal?.name ?? "", address: "\(address)"))
    }
}
