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
    private static let maximumBadRequests = 20

    let id: ConnectionID
    var isTouched = false
    /// `nil` once the connection is closed or given up: then nothing is sent any more.
    private var socket: WebSocketHandler?
    private let core: MarketCore
    private let shard: StreamShard
    private let loop: any EventLoop
    private var outbox = makeOutbox()
    /// Streams requested, also those whose start is still on its way, with the number of the request.
    private var wanted: [Int: (key: StreamKey, request: Int, history: Int)] = [:]
    /// Channels requested, with the number of the request and the channel's stream in the outbox.
    private var channels: [ChannelKey: (request: Int, stream: Int)] = [:]
    /// The last stream given to a channel: below -1, where no market's stream and no control message is.
    private var lastChannelStream = -1
    private var lastRequest = 0
    /// Requests whose start is still on its way. Each costs the market loop a snapshot, so their number is bounded.
    private var outstanding = 0
    /// Messages in a row that were no requests.
    private var badRequests = 0
    private var drainTimer: Scheduled<Void>?
    private var scratch: [UInt8] = []
    private let admission: StreamAdmission
    private var authTimer: Scheduled<Void>?
    private var isAuthorized: Bool
    /// Of outboxes that were given up.
    private var pastSkipped = 0
    private var pastSnapshots = 0

    init(
        id: ConnectionID, socket: WebSocketHandler, core: MarketCore, shard: StreamShard, loop: any EventLoop,
        admission: StreamAdmission
    ) {
        self.id = id
        self.socket = socket
        self.core = core
        self.shard = shard
        self.loop = loop
        self.admission = admission
        isAuthorized = admission.tokens == nil
        if !isAuthorized { awaitToken() }
    }

    var counts: ReaderCounts {
        var counts = ReaderCounts()
        counts.connections = 1
        counts.skipped = pastSkipped + outbox.skippedTotal
        counts.snapshots = pastSnapshots + outbox.lapses
        return counts
    }

    func reads(market: Int) -> Bool { wanted.values.contains { $0.key.market == market } }

    private static func makeOutbox() -> Outbox<ByteBuffer> { Outbox { $0.detached } }

    var openSlots: [Int] { Array(wanted.keys) }

    var openChannels: [ChannelKey] { Array(channels.keys) }

    // MARK: Requests

    func webSocketText(_ bytes: UnsafeRawBufferPointer, on handler: WebSocketHandler) {
        shard.bytesIn &+= bytes.count
        do throws(WireError) {
            let message = try ClientMessage.decode(bytes)
            badRequests = 0
            if !isAuthorized {
                guard case .auth = message else { return refuse("The first message must be auth with a token.") }
            }
            switch message {
            case .subscribe(let request): try subscribe(request)
            case .unsubscribe(let symbol, let timeframe, let id): try unsubscribe(symbol, timeframe, id)
            case .subscribeChannel(let key, let id): try subscribe(key, id)
            case .unsubscribeChannel(let key, let id): try unsubscribe(key, id)
            case .ping(let id): answer { ServerMessageWriter.pong(id: id, into: &$0) }
            case .auth(let token): authenticate(token)
            }
        } catch {
            answer { ServerMessageWriter.error(error, into: &$0) }
            if error.isMalformed { countBadRequest() }
        }
    }

    private func countBadRequest() {
        badRequests += 1
        guard badRequests >= Self.maximumBadRequests, let socket else { return }
        forget()
        shard.closes.add(.badRequests)
        socket.close(.badRequests, reason: "\(badRequests) messages in a row were no requests")
    }

    // MARK: Authorization

    private func awaitToken() {
        let bound = NIOLoopBound(self, eventLoop: loop)
        authTimer = loop.scheduleTask(in: .clamped(seconds: admission.tokenTime)) {
            bound.value.refuse("No token came within \(Int(bound.value.admission.tokenTime)) seconds.")
        }
    }

    /// Deployments without tokens accept any, so that one client fits both.
    private func authenticate(_ token: String) {
        if let tokens = admission.tokens, !tokens.contains(token) {
            let text = "The token is not valid."
            // A renewal that fails leaves what the earlier token gave.
            guard isAuthorized else { return refuse(text) }
            return answer { ServerMessageWriter.error(WireError(.unauthorized, message: text), into: &$0) }
        }
        isAuthorized = true
        authTimer?.cancel()
        authTimer = nil
        answer { ServerMessageWriter.authenticated(into: &$0) }
    }

    private func refuse(_ text: String) {
        guard let socket else { return }
        answer { ServerMessageWriter.error(WireError(.unauthorized, message: text), into: &$0) }
        forget()
        shard.closes.add(.unauthorized)
        socket.close(.unauthorized, reason: text)
    }

    private func market(_ symbol: String, _ id: RequestID?) throws(WireError) -> Int {
        if let market = core.registry.find(symbol) { return market }
        throw WireError(
            .unknownSymbol, field: "symbol",
            message: "Unknown symbol \"\(symbol)\"; this server has \(core.registry.allowedNames).", requestID: id)
    }

    private func subscribe(_ request: SubscribeRequest) throws(WireError) {
        let key = StreamKey(market: try market(request.symbol, request.id), timeframe: request.timeframe)
        if wanted[key.slot] == nil { try checkRoom(request.id) }
        lastRequest += 1
        wanted[key.slot] = (key, lastRequest, request.history)
        outstanding += 1
        adjustReading()
        core.subscribe(id, to: key, request: StreamRequest(message: request, number: lastRequest))
    }

    private func checkRoom(_ id: RequestID?) throws(WireError) {
        guard wanted.count + channels.count < Self.maximumSubscriptions else {
            throw WireError(
                .tooManySubscriptions,
                message: "A connection may have at most \(Self.maximumSubscriptions) subscriptions.", requestID: id)
        }
    }

    private func unsubscribe(_ symbol: String, _ timeframe: Timeframe?, _ id: RequestID?) throws(WireError) {
        let market = try market(symbol, id)
        let keys = wanted.values.map(\.key).filter {
            $0.market == market && (timeframe == nil || $0.timeframe == timeframe)
        }
        guard !keys.isEmpty else {
            throw WireError(
                .notSubscribed, field: "symbol", message: "There is no such subscription to end.", requestID: id)
        }
        for key in keys.sorted(by: { $0.slot < $1.slot }) {
            wanted[key.slot] = nil
            outbox.close(stream: key.slot)
            shard.leave(self, slot: key.slot)
            core.unsubscribe(self.id, from: key)
            answer {
                ServerMessageWriter.unsubscribed(
                    id: id, symbol: core.registry.symbolJSON[market], timeframe: key.timeframe, into: &$0)
            }
        }
    }

    // MARK: Channels

    private func subscribe(_ key: ChannelKey, _ id: RequestID?) throws(WireError) {
        if channels[key] == nil { try checkRoom(id) }
        lastRequest += 1
        let stream: Int
        if let known = channels[key]?.stream {
            stream = known
        } else {
            lastChannelStream -= 1
            stream = lastChannelStream
        }
        channels[key] = (lastRequest, stream)
        outstanding += 1
        adjustReading()
        core.subscribe(self.id, to: ChannelRequest(key: key, id: id, number: lastRequest))
    }

    private func unsubscribe(_ key: ChannelKey, _ id: RequestID?) throws(WireError) {
        guard let channel = channels.removeValue(forKey: key) else {
            throw WireError(
                .notSubscribed, field: "channel", message: "There is no such subscription to end.", requestID: id)
        }
        outbox.close(stream: channel.stream)
        shard.leave(self, key)
        core.unsubscribe(self.id, from: key)
        answer { ServerMessageWriter.unsubscribed(id: id, from: key, into: &$0) }
    }

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

    /// The stream begins, or begins anew: position and past first, then live messages.
    func begin(_ start: StreamStart) {
        let slot = start.key.slot
        guard socket != nil, let current = wanted[slot] else {
            // Unsubscribed while the start was on its way.
            if case .answer = start.reason { answered() }
            return shard.leave(self, slot: slot)
        }
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

    /// - Returns: false where the market loop gets another request.
    private func begin(_ start: StreamStart, answering request: StreamRequest) -> Bool {
        let slot = start.key.slot
        var position = start.position.offset
        if case .replay(let missed) = start.catchUp {
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
                timeframe: start.key.timeframe, position: start.position,
                recovered: start.catchUp.isReplay, into: &$0)
        }
        switch start.catchUp {
        case .replay(let missed):
            for (index, frame) in missed.enumerated() {
                send(frame, kind: .past, stream: slot, offset: position + 1 + Int64(index))
            }
        case .snapshot: sendSnapshot(start, isNewEpoch: false)
        }
        return true
    }

    private func sendSnapshot(_ start: StreamStart, isNewEpoch: Bool) {
        guard let socket, case .snapshot(let candles) = start.catchUp else { return }
        let frame = makeFrame {
            ServerMessageWriter.snapshot(
                symbol: core.registry.symbolJSON[start.key.market], timeframe: start.key.timeframe, candles: candles,
                position: start.position, into: &$0)
        }
        followWritability(of: socket)
        let message = Outbox<ByteBuffer>.Message(
            kind: .snapshot, stream: start.key.slot, offset: start.position.offset, payload: frame,
            size: frame.readableBytes)
        obey(outbox.begin(with: message, isNewEpoch: isNewEpoch) { write($0, $1, to: socket) })
    }

    /// A request came back from the market loop.
    private func answered() {
        outstanding -= 1
        adjustReading()
    }

    /// Reading from the client stops while it is owed much: each request costs the market loop a snapshot, and each
    /// answer that waits costs memory.
    private func adjustReading() {
        guard let socket else { return }
        if socket.isReadingPaused {
            if outstanding <= Self.maximumOutstanding / 2, outbox.heldBytes <= Self.readingLimit / 2 {
                socket.resumeReading()
            }
        } else if outstanding >= Self.maximumOutstanding || outbox.heldBytes > Self.readingLimit {
            socket.pauseReading()
        }
    }

    /// Live messages of one stream. `finishDelivery` follows.
    func deliver(_ chunk: StreamChunk) {
        if !passThrough(chunk, flush: false) { offer(chunk) }
    }

    /// Live messages of one stream, when there are none of others.
    func deliverAll(_ chunk: StreamChunk) {
        // What passes leaves nothing behind that would have to be flushed or drained.
        guard !passThrough(chunk, flush: true) else { return }
        offer(chunk)
        finishDelivery()
    }

    /// - Returns: whether all of it was sent as it is, because nothing waits.
    private func passThrough(_ chunk: StreamChunk, flush: Bool) -> Bool {
        guard let socket, let first = chunk.entries.first, let last = chunk.entries.last else { return true }
        followWritability(of: socket)
        guard chunk.isWhole, outbox.passThrough(stream: chunk.key.slot, first: first.offset, last: last.offset) else {
            return false
        }
        shard.bytesOut &+= chunk.bytes.readableBytes
        _ = socket.send(preframed: chunk.bytes, flush: flush)
        return true
    }

    private func offer(_ chunk: StreamChunk) {
        for (index, entry) in chunk.entries.enumerated() {
            send(chunk.message(index), kind: entry.kind, stream: chunk.key.slot, offset: entry.offset)
        }
    }

    func finishDelivery() {
        socket?.flush()
        scheduleDrain()
    }

    // MARK: Sending

    private func makeFrame(_ write: (inout [UInt8]) -> Void) -> ByteBuffer {
        scratch.removeAll(keepingCapacity: true)
        write(&scratch)
        var frame = ByteBuffer()
        frame.writeFrame(text: scratch)
        return frame
    }

    private func answer(_ write: (inout [UInt8]) -> Void) {
        send(makeFrame(write), kind: .control)
        socket?.flush()
        adjustReading()
    }

    private func send(_ frame: ByteBuffer, kind: OutboxKind, stream: Int = -1, offset: Int64 = 0) {
        guard let socket else { return }
        followWritability(of: socket)
        let message = Outbox<ByteBuffer>.Message(
            kind: kind, stream: stream, offset: offset, payload: frame, size: frame.readableBytes)
        obey(outbox.offer(message, now: core.clock()) { write($0, $1, to: socket) })
    }

    /// Puts a message on its way, behind the number of those that were left out before it.
    private func write(_ message: Outbox<ByteBuffer>.Message, _ skipped: Int, to socket: WebSocketHandler) {
        if skipped > 0 {
            let key = StreamKey(slot: message.stream)
            let frame = makeFrame {
                ServerMessageWriter.skipped(
                    symbol: core.registry.symbolJSON[key.market], timeframe: key.timeframe, count: skipped, into: &$0)
            }
            shard.bytesOut &+= frame.readableBytes
            _ = socket.send(preframed: frame, flush: false)
        }
        shard.bytesOut &+= message.size
        _ = socket.send(preframed: message.payload, flush: false)
    }

    private func followWritability(of socket: WebSocketHandler) {
        // The clock is only read where something changed.
        if socket.isWritable != outbox.isWritable { outbox.setWritable(socket.isWritable, now: core.clock()) }
    }

    private func obey(_ verdict: Outbox<ByteBuffer>.Verdict) {
        switch verdict {
        case .fine: break
        case .overflow: giveUp("reads too slowly: too much waits; reconnect and recover")
        case .stalled: giveUp("reads too slowly: nothing was read for a while; reconnect and recover")
        }
    }

    private func giveUp(_ reason: String) {
        guard let socket else { return }
        forget()
        shard.closes.add(.slowReader)
        socket.close(.slowReader, reason: reason, discardsUnsent: true)
    }

    /// Nothing more for this reader, and nothing kept for it while the close handshake lasts.
    private func forget() {
        socket = nil
        pastSkipped += outbox.skippedTotal
        pastSnapshots += outbox.lapses
        outbox = Self.makeOutbox()
        endTimers()
    }

    private func endTimers() {
        drainTimer?.cancel()
        drainTimer = nil
        authTimer?.cancel()
        authTimer = nil
    }

    func webSocketWritabilityChanged(_ isWritable: Bool, on handler: WebSocketHandler) {
        if isWritable { drain() }
    }

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
        let delay = deadline - core.clock() + 0.0005
        let bound = NIOLoopBound(self, eventLoop: loop)
        drainTimer = loop.scheduleTask(in: .clamped(seconds: delay)) {
            bound.value.drainTimer = nil
            bound.value.drain()
        }
    }

    /// Once a second: looks how the reader is doing.
    func turn() {
        guard let socket else { return }
        followWritability(of: socket)
        obey(outbox.turn(now: core.clock(), pendingBytes: socket.bufferedBytes))
        requestSnapshots()
    }

    func reportStale(market: Int, age: Double) {
        answer { ServerMessageWriter.stale(symbol: core.registry.symbolJSON[market], age: age, into: &$0) }
    }

    // MARK: The end

    func webSocketWillGoAway(on handler: WebSocketHandler) {
        // Spread over three seconds, so that the clients do not all come back in the same instant.
        answer { ServerMessageWriter.closing(reconnectAfter: 0.5 + Double.random(in: 0..<3), into: &$0) }
    }

    func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on handler: WebSocketHandler) {
        // The transport's own limit; the other codes are counted where they are decided.
        if code == .tooManyMessages, handler.ending == .violation { shard.closes.add(code) }
        socket = nil
        endTimers()
        shard.remove(self)
        core.remove(id)
    }
}
