import MarketModel
import NIOCore
import StreamCore
import WebSocketTransport

/// One reader of `/v1/stream`: takes its requests, sends what it subscribed to. Confined to its event loop.
final class StreamConnection: WebSocketHandlerDelegate {
    /// The most streams one connection may subscribe to.
    static let maximumSubscriptions = 256
    /// Unanswered subscriptions at which reading from the client stops, until half of them are answered.
    private static let maximumOutstanding = 64

    let id: ConnectionID
    var isTouched = false
    /// `nil` once the connection is closed or given up: then nothing is sent any more.
    private var socket: WebSocketHandler?
    private let core: MarketCore
    private let shard: StreamShard
    private let loop: any EventLoop
    private var outbox = Outbox<ByteBuffer>()
    /// Streams asked for, also those whose start is still on its way, with the number of the request.
    private var wanted: [Int: (key: StreamKey, request: Int)] = [:]
    private var lastRequest = 0
    /// Requests whose start is still on its way. Each costs the market loop a snapshot, so their number is bounded.
    private var outstanding = 0
    private var drainTimer: Scheduled<Void>?
    private var scratch: [UInt8] = []

    init(id: ConnectionID, socket: WebSocketHandler, core: MarketCore, shard: StreamShard, loop: any EventLoop) {
        self.id = id
        self.socket = socket
        self.core = core
        self.shard = shard
        self.loop = loop
    }

    var openSlots: [Int] { Array(wanted.keys) }

    // MARK: Requests

    func webSocketText(_ bytes: UnsafeRawBufferPointer, on handler: WebSocketHandler) {
        do throws(WireError) {
            switch try ClientMessage.decode(bytes) {
            case .subscribe(let request): try subscribe(request)
            case .unsubscribe(let symbol, let timeframe, let id): try unsubscribe(symbol, timeframe, id)
            case .ping(let id): answer { ServerMessageWriter.pong(id: id, into: &$0) }
            // Deployments without login take a token and ignore it, so that one client fits both.
            case .auth: break
            }
        } catch {
            answer { ServerMessageWriter.error(error, into: &$0) }
        }
    }

    private func market(_ symbol: String, _ id: RequestID?) throws(WireError) -> Int {
        if let market = core.registry.find(symbol) { return market }
        throw WireError(
            .unknownSymbol, field: "symbol",
            message: "Unknown symbol \"\(symbol)\"; this server has \(core.registry.allowedNames).", requestID: id)
    }

    private func subscribe(_ request: SubscribeRequest) throws(WireError) {
        let key = StreamKey(market: try market(request.symbol, request.id), timeframe: request.timeframe)
        guard wanted[key.slot] != nil || wanted.count < Self.maximumSubscriptions else {
            throw WireError(
                .tooManySubscriptions,
                message: "A connection may have at most \(Self.maximumSubscriptions) subscriptions.",
                requestID: request.id)
        }
        lastRequest += 1
        wanted[key.slot] = (key, lastRequest)
        outstanding += 1
        if outstanding >= Self.maximumOutstanding { socket?.pauseReading() }
        core.subscribe(id, to: key, request: StreamRequest(message: request, number: lastRequest))
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

    // MARK: Streams

    /// The stream begins, or begins anew: position and past first, then live messages.
    func begin(_ start: StreamStart) {
        let slot = start.key.slot
        if start.request != nil {
            outstanding -= 1
            if outstanding == Self.maximumOutstanding / 2 { socket?.resumeReading() }
        }
        // Unsubscribed while the start was on its way.
        guard let current = wanted[slot], socket != nil else { return shard.leave(self, slot: slot) }
        let symbol = core.registry.symbolJSON[start.key.market]
        if let request = start.request {
            // A newer request for the same stream is on its way, and its answer will follow.
            guard current.request == request.number else { return }
            outbox.open(stream: slot, maxRate: request.message.maxRate)
            var recovered = false
            if case .replay = start.catchUp { recovered = true }
            answer {
                ServerMessageWriter.subscribed(
                    id: request.message.id, symbol: symbol, timeframe: start.key.timeframe, position: start.position,
                    recovered: recovered, into: &$0)
            }
        } else {
            outbox.restart(stream: slot)
        }
        switch start.catchUp {
        case .replay(let missed):
            for frame in missed { send(frame, kind: .control) }
        case .snapshot(let candles):
            answer {
                ServerMessageWriter.snapshot(
                    symbol: symbol, timeframe: start.key.timeframe, candles: candles, position: start.position,
                    into: &$0)
            }
        }
        socket?.flush()
    }

    /// Live messages of one stream. `finishDelivery` follows.
    func deliver(_ chunk: StreamChunk) {
        guard let socket else { return }
        let slot = chunk.key.slot
        outbox.isWritable = socket.isWritable
        outbox.noteSkipped(chunk.skipped, of: slot)
        if outbox.passesThrough(stream: slot) {
            _ = socket.send(preframed: chunk.bytes, flush: false)
            return
        }
        for (index, entry) in chunk.entries.enumerated() {
            send(chunk.message(index), kind: entry.kind, stream: slot, offset: entry.offset)
        }
    }

    func finishDelivery() {
        socket?.flush()
        scheduleDrain()
    }

    // MARK: Sending

    private func answer(_ write: (inout [UInt8]) -> Void) {
        scratch.removeAll(keepingCapacity: true)
        write(&scratch)
        var frame = ByteBuffer()
        frame.writeFrame(text: scratch)
        send(frame, kind: .control)
        socket?.flush()
    }

    private func send(_ frame: ByteBuffer, kind: Outbox<ByteBuffer>.Kind, stream: Int = -1, offset: Int = 0) {
        guard let socket else { return }
        outbox.isWritable = socket.isWritable
        let message = Outbox<ByteBuffer>.Message(
            kind: kind, stream: stream, offset: offset, payload: frame, size: frame.readableBytes)
        let verdict = outbox.offer(message, now: core.clock()) { [socket] in
            _ = socket.send(preframed: $0.payload, flush: false)
        }
        if verdict == .overflow {
            // Nothing more for this reader, and nothing kept for it while the close handshake lasts.
            self.socket = nil
            outbox = Outbox()
            drainTimer?.cancel()
            drainTimer = nil
            socket.close(.slowReader, reason: "reads too slowly; reconnect and recover")
        }
    }

    func webSocketWritabilityChanged(_ isWritable: Bool, on handler: WebSocketHandler) {
        if isWritable { drain() }
    }

    private func drain() {
        guard let socket else { return }
        outbox.isWritable = socket.isWritable
        outbox.drain(now: core.clock(), canWrite: { [socket] in socket.isWritable }) { [socket] in
            _ = socket.send(preframed: $0.payload, flush: false)
        }
        socket.flush()
        scheduleDrain()
    }

    private func scheduleDrain() {
        // A write may have closed the connection: a timer would find nobody.
        guard socket != nil, drainTimer == nil, let deadline = outbox.nextDeadline else { return }
        let delay = deadline - core.clock() + 0.0005
        let bound = NIOLoopBound(self, eventLoop: loop)
        drainTimer = loop.scheduleTask(in: .clamped(seconds: delay)) {
            bound.value.drainTimer = nil
            bound.value.drain()
        }
    }

    /// Tells of skipped messages, each stream at most once a second.
    func tellSkips() {
        guard let socket else { return }
        outbox.isWritable = socket.isWritable
        var untold: [(stream: Int, count: Int)] = []
        outbox.untoldSkips(now: core.clock()) { untold.append(($0, $1)) }
        for (stream, count) in untold {
            guard let key = wanted[stream]?.key else { continue }
            answer {
                ServerMessageWriter.skipped(
                    symbol: core.registry.symbolJSON[key.market], timeframe: key.timeframe, count: count, into: &$0)
            }
        }
    }

    // MARK: The end

    func webSocketWillGoAway(on handler: WebSocketHandler) {
        // Spread over three seconds, so that the clients do not all come back in the same instant.
        answer { ServerMessageWriter.closing(reconnectAfter: 0.5 + Double.random(in: 0..<3), into: &$0) }
    }

    func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on handler: WebSocketHandler) {
        socket = nil
        drainTimer?.cancel()
        drainTimer = nil
        shard.remove(self)
        core.remove(id)
    }
}
