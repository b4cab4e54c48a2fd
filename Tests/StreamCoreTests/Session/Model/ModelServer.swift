import MarketModel
import StreamCore
import TestKit

/// The server around the real `Hub` and `Outbox`, as one piece without threads: what it publishes, to whom, and how it
/// treats slow readers.
final class ModelServer {
    final class Connection {
        let link: ModelLink
        var outbox = Outbox<ModelWire>(
            limits: OutboxLimits(streamBytes: 4 << 10, shortenableBytes: 16 << 10, bytes: 96 << 10, stall: 20))
        var wanted: [Int: (key: StreamKey, history: Int)] = [:]
        var channels: Set<ChannelKey> = []
        var token: String?

        init(_ link: ModelLink) {
            self.link = link
        }
    }

    static let symbols = ["BTC-USD", "ETH-USD"]
    static let timeframes: [Timeframe] = [.s1, .s5, .m1]
    /// The world's clock begins here.
    static let origin = 1_700_000_000.0

    private var hub = Hub<ModelWire, Int>(markets: 2, linger: 40, ringCapacity: 150, ringBytes: 20 << 10)
    private(set) var streams: [Int: ModelStream] = [:]
    private(set) var connections: [Int: Connection] = [:]
    private(set) var ledger = ModelLedger()
    private let symbolJSON = symbols.map(ServerMessageWriter.symbolJSON)
    private var prices = [100.0, 50.0]
    private var epochs = 0
    private var isDirty = [false, false]
    private(set) var isUp = true
    /// The token that is valid now; `nil`: every client is accepted.
    var token: String?
    private(set) var slowClosed = 0
    private(set) var lapses = 0
    private(set) var maxHeld = 0
    private var now = 0.0
    /// Closes a connection from the server's side.
    var onClose: (Connection, WebSocketCloseCode, String) -> Void = { _, _, _ in }

    init() {
        for market in 0..<2 {
            for timeframe in Self.timeframes {
                let key = StreamKey(market: market, timeframe: timeframe)
                streams[key.slot] = ModelStream(key)
            }
        }
    }

    func stream(_ symbol: String, _ timeframe: Timeframe) -> ModelStream? {
        guard let market = Self.symbols.firstIndex(of: symbol) else { return nil }
        return streams[StreamKey(market: market, timeframe: timeframe).slot]
    }

    func nextOffset(of stream: ModelStream) -> Int64? { hub.nextOffset(of: stream.key) }

    // MARK: Publishing

    func tick(market: Int, using random: inout SeededGenerator, now: Double) {
        guard isUp else { return }
        self.now = now
        prices[market] = max(1, prices[market] + Double(Int.random(in: -3...3, using: &random)))
        let tick = Tick(
            timestamp: Self.origin + now, price: prices[market], volume: Double(Int.random(in: 1...5, using: &random)))
        isDirty[market] = true
        for timeframe in Self.timeframes {
            guard let stream = streams[StreamKey(market: market, timeframe: timeframe).slot] else { continue }
            if let ended = stream.ingest(tick) { publish(.candle(ended), .final, of: stream) }
            publish(.tick(tick), .tick, of: stream)
        }
    }

    func publishForming(now: Double) {
        guard isUp else { return }
        self.now = now
        for market in 0..<2 where isDirty[market] {
            isDirty[market] = false
            for timeframe in Self.timeframes {
                guard let stream = streams[StreamKey(market: market, timeframe: timeframe).slot],
                    let candle = stream.forming
                else { continue }
                let bar = Bar(
                    timeframe: timeframe, candle: candle, isFinal: false, revision: 0, quality: .complete)
                publish(.candle(bar), .forming, of: stream)
            }
        }
    }

    func correct(market: Int, _ timeframe: Timeframe, age: Int, now: Double) {
        self.now = now
        guard isUp, let stream = streams[StreamKey(market: market, timeframe: timeframe).slot],
            let bar = stream.correct(age)
        else { return }
        publish(.candle(bar), .correction, of: stream)
    }

    // MARK: Channels

    func changeOrder(_ account: String, order: Int, now: Double) {
        guard isUp else { return }
        self.now = now
        publish(ledger.change(account, order: order), on: ChannelKey(.orders, account: account))
    }

    func movePositions(_ account: String, now: Double) {
        guard isUp else { return }
        self.now = now
        publish(ledger.move(account), on: ChannelKey(.positions, account: account))
    }

    func sendHealth(now: Double) {
        guard isUp else { return }
        self.now = now
        publish(ledger.turn(), on: ChannelKey(.health))
    }

    private func publish(_ bytes: [UInt8], on key: ChannelKey) {
        for connection in connections.values.sorted(by: { $0.link.number < $1.link.number })
        where connection.channels.contains(key) {
            deliver(connection, bytes)
        }
    }

    private func deliver(_ connection: Connection, _ bytes: [UInt8]) {
        send(
            OutboxMessage(
                kind: .control, stream: -1, offset: 0, payload: ModelWire(bytes: bytes, isIndispensable: true),
                size: bytes.count),
            to: connection)
    }

    private func subscribe(_ connection: Connection, _ key: ChannelKey, _ id: RequestID?) throws(WireError) {
        if let account = key.account, !ModelLedger.accounts.contains(account) {
            throw WireError(.unknownAccount, field: "account", message: "Unknown account.", requestID: id)
        }
        connection.channels.insert(key)
        answer(connection) {
            ServerMessageWriter.subscribed(id: id, to: key, sequence: ledger.sequence(key), into: &$0)
        }
        deliver(connection, ledger.snapshot(key))
    }

    private func unsubscribe(_ connection: Connection, _ key: ChannelKey, _ id: RequestID?) throws(WireError) {
        guard connection.channels.remove(key) != nil else {
            throw WireError(.notSubscribed, message: "No such channel.", requestID: id)
        }
        answer(connection) { ServerMessageWriter.unsubscribed(id: id, from: key, into: &$0) }
    }

    private func publish(_ what: ModelStream.Published, _ kind: OutboxKind, of stream: ModelStream) {
        guard let offset = hub.nextOffset(of: stream.key) else { return }
        stream.publish(what)
        var bytes: [UInt8] = []
        let symbol = symbolJSON[stream.key.market]
        switch what {
        case .tick(let tick):
            ServerMessageWriter.tick(
                tick, symbol: symbol, timeframe: stream.key.timeframe, offset: offset, into: &bytes)
        case .candle(let bar): ServerMessageWriter.candle(bar, symbol: symbol, offset: offset, into: &bytes)
        }
        let wire = ModelWire(bytes: bytes)
        hub.record(wire, size: bytes.count, in: stream.key)
        for id in hub.subscribers(of: stream.key).sorted() {
            guard let connection = connections[id] else { continue }
            send(
                OutboxMessage(kind: kind, stream: stream.key.slot, offset: offset, payload: wire, size: bytes.count),
                to: connection)
        }
    }

    /// A recording begins anew: new epochs while the connections stay.
    func restartStreams(now: Double) {
        guard isUp else { return }
        self.now = now
        for stream in streams.values { stream.clear() }
        for key in hub.activeKeys {
            let hadMessages = hub.nextOffset(of: key) ?? 1 > 1
            let epoch = newEpoch()
            guard let position = hub.restart(key, epoch: epoch), let stream = streams[key.slot] else { continue }
            stream.begin(epoch: epoch)
            for id in hub.subscribers(of: key).sorted() {
                guard let connection = connections[id] else { continue }
                // An epoch without messages has no offset that could look wrong.
                snapshot(stream, position, history: 300, isNewEpoch: true, isIndispensable: !hadMessages, connection)
            }
        }
    }

    private func newEpoch() -> String {
        epochs += 1
        return "e\(epochs)"
    }

    // MARK: Connections

    func accept(_ link: ModelLink, now: Double) {
        self.now = now
        let connection = Connection(link)
        connection.outbox.setWritable(link.isWritable, now: now)
        connections[link.number] = connection
    }

    func remove(_ number: Int, now: Double) {
        guard let connection = connections.removeValue(forKey: number) else { return }
        lapses += connection.outbox.lapses
        hub.remove(number, now: now)
    }

    func close(_ connection: Connection, _ code: WebSocketCloseCode, _ reason: String, now: Double) {
        guard connections[connection.link.number] != nil else { return }
        remove(connection.link.number, now: now)
        onClose(connection, code, reason)
    }

    func received(_ bytes: [UInt8], on link: ModelLink, now: Double) {
        self.now = now
        guard isUp, let connection = connections[link.number] else { return }
        do throws(WireError) {
            let message = try bytes.withUnsafeBytes { raw in
                Result { () throws(WireError) in try ClientMessage.decode(raw) }
            }
            .get()
            if case .auth(let text) = message { return authenticate(connection, text) }
            guard token == nil || connection.token != nil else {
                throw WireError(.unauthorized, message: "A token is needed.")
            }
            switch message {
            case .subscribe(let request): try subscribe(connection, request)
            case .unsubscribe(let symbol, let timeframe, let id): try unsubscribe(connection, symbol, timeframe, id)
            case .ping(let id): answer(connection) { ServerMessageWriter.pong(id: id, into: &$0) }
            case .subscribeChannel(let key, let id, _): try subscribe(connection, key, id)
            case .unsubscribeChannel(let key, let id): try unsubscribe(connection, key, id)
            case .auth: break
            }
        } catch {
            answer(connection) { ServerMessageWriter.error(error, into: &$0) }
        }
    }

    private func authenticate(_ connection: Connection, _ text: String) {
        if token == nil || text == token {
            connection.token = text
            answer(connection) { ServerMessageWriter.authenticated(into: &$0) }
        } else {
            refuseToken(connection)
        }
    }

    private func refuseToken(_ connection: Connection) {
        answer(connection) {
            ServerMessageWriter.error(WireError(.unauthorized, message: "The token is not valid."), into: &$0)
        }
        close(connection, .unauthorized, "", now: now)
    }

    /// The tokens of all connections end; clients are notified, and have to show another.
    func expireTokens(_ next: String, isGentle: Bool, now: Double) {
        self.now = now
        token = next
        for connection in connections.values.sorted(by: { $0.link.number < $1.link.number })
        where connection.token != nil {
            if isGentle {
                answer(connection) {
                    ServerMessageWriter.error(WireError(.unauthorized, message: "The token ended."), into: &$0)
                }
            } else {
                refuseToken(connection)
            }
        }
    }

    private func subscribe(_ connection: Connection, _ request: SubscribeRequest) throws(WireError) {
        guard let stream = stream(request.symbol, request.timeframe) else {
            throw WireError(.unknownSymbol, field: "symbol", message: "Unknown symbol.", requestID: request.id)
        }
        let key = stream.key
        let start = hub.subscribe(connection.link.number, to: key, recover: request.recover) {
            let epoch = newEpoch()
            stream.begin(epoch: epoch)
            return epoch
        }
        connection.wanted[key.slot] = (key, request.history)
        var position = start.position.offset
        var missed: [ModelWire] = []
        var isReplay = false
        if case .replay(let messages) = start.catchUp {
            missed = messages
            isReplay = true
            position -= Int64(messages.count)
        }
        connection.outbox.open(stream: key.slot, at: position, maxRate: request.maxRate)
        answer(connection) {
            ServerMessageWriter.subscribed(
                id: request.id, symbol: symbolJSON[key.market], timeframe: key.timeframe, position: start.position,
                recovered: isReplay, into: &$0)
        }
        guard isReplay else {
            return snapshot(
                stream, start.position, history: request.history, isNewEpoch: false, isIndispensable: false, connection)
        }
        for wire in missed {
            position += 1
            send(
                OutboxMessage(kind: .past, stream: key.slot, offset: position, payload: wire, size: wire.bytes.count),
                to: connection)
        }
    }

    private func unsubscribe(
        _ connection: Connection, _ symbol: String, _ timeframe: Timeframe?, _ id: RequestID?
    ) throws(WireError) {
        guard let timeframe, let stream = stream(symbol, timeframe), connection.wanted[stream.key.slot] != nil else {
            throw WireError(.notSubscribed, message: "No such subscription.", requestID: id)
        }
        connection.wanted[stream.key.slot] = nil
        connection.outbox.close(stream: stream.key.slot)
        hub.unsubscribe(connection.link.number, from: stream.key, now: now)
        answer(connection) {
            ServerMessageWriter.unsubscribed(
                id: id, symbol: symbolJSON[stream.key.market], timeframe: timeframe, into: &$0)
        }
    }

    private func snapshot(
        _ stream: ModelStream, _ position: StreamPosition, history: Int, isNewEpoch: Bool, isIndispensable: Bool,
        _ connection: Connection
    ) {
        var bytes: [UInt8] = []
        ServerMessageWriter.snapshot(
            symbol: symbolJSON[stream.key.market], timeframe: stream.key.timeframe,
            candles: stream.candles(history), position: position, into: &bytes)
        let message = OutboxMessage(
            kind: .snapshot, stream: stream.key.slot, offset: position.offset,
            payload: ModelWire(bytes: bytes, isIndispensable: isIndispensable), size: bytes.count)
        follow(connection)
        apply(connection.outbox.begin(with: message, isNewEpoch: isNewEpoch) { write($0, $1, connection) }, connection)
    }

    // MARK: Sending

    private func answer(_ connection: Connection, _ write: (inout [UInt8]) -> Void) {
        var bytes: [UInt8] = []
        write(&bytes)
        send(
            OutboxMessage(kind: .control, stream: -1, offset: 0, payload: ModelWire(bytes: bytes), size: bytes.count),
            to: connection)
    }

    private func send(_ message: OutboxMessage<ModelWire>, to connection: Connection) {
        guard connections[connection.link.number] != nil else { return }
        follow(connection)
        apply(connection.outbox.offer(message, now: now) { write($0, $1, connection) }, connection)
    }

    private func write(_ message: OutboxMessage<ModelWire>, _ skipped: Int, _ connection: Connection) {
        if skipped > 0 {
            let key = streams[message.stream]!.key
            var bytes: [UInt8] = []
            ServerMessageWriter.skipped(
                symbol: symbolJSON[key.market], timeframe: key.timeframe, count: skipped, into: &bytes)
            connection.link.toClient(.text(ModelWire(bytes: bytes)), now: now)
        }
        connection.link.toClient(.text(message.payload), now: now)
    }

    private func follow(_ connection: Connection) {
        if connection.link.isWritable != connection.outbox.isWritable {
            connection.outbox.setWritable(connection.link.isWritable, now: now)
        }
    }

    private func apply(_ verdict: Outbox<ModelWire>.Verdict, _ connection: Connection) {
        maxHeld = max(maxHeld, connection.outbox.heldBytes)
        guard verdict != .fine else { return }
        slowClosed += 1
        close(connection, .slowReader, "slow consumer", now: now)
    }

    /// The network took something, or a rate-limited message's time has come.
    func drain(_ connection: Connection, now: Double) {
        self.now = now
        follow(connection)
        connection.outbox.drain(now: now, canWrite: { connection.link.isWritable }) { write($0, $1, connection) }
        follow(connection)
        refresh(connection)
    }

    private func refresh(_ connection: Connection) {
        while let need = connection.outbox.popSnapshotNeed() {
            guard let stream = streams[need.stream], connection.wanted[need.stream] != nil,
                let next = hub.nextOffset(of: stream.key)
            else { continue }
            let position = StreamPosition(epoch: stream.lastEpoch, offset: next - 1)
            snapshot(stream, position, history: 400, isNewEpoch: false, isIndispensable: true, connection)
        }
    }

    /// Once a second.
    func turn(now: Double) {
        self.now = now
        hub.expire(now: now)
        for connection in connections.values.sorted(by: { $0.link.number < $1.link.number }) {
            follow(connection)
            apply(connection.outbox.turn(now: now, pendingBytes: connection.link.bytesOnTheWay), connection)
            if connections[connection.link.number] != nil { refresh(connection) }
        }
    }

    // MARK: Coming and going

    /// Notifies all and goes, or just goes.
    func stop(isGraceful: Bool, now: Double) {
        guard isUp else { return }
        self.now = now
        for connection in connections.values.sorted(by: { $0.link.number < $1.link.number }) {
            if isGraceful {
                answer(connection) { ServerMessageWriter.closing(reconnectAfter: 2.5, into: &$0) }
                close(connection, .goingAway, "", now: now)
            } else {
                remove(connection.link.number, now: now)
                connection.link.cut(isNoticed: true, now: now)
            }
        }
        isUp = false
        hub = Hub(markets: 2, linger: 40, ringCapacity: 150, ringBytes: 20 << 10)
    }

    func start() { isUp = true }

    /// What a client's connection is served; `nil` where it has none.
    func served(_ link: ModelLink) -> Set<Int>? { connections[link.number].map { Set($0.wanted.keys) } }

    func channels(_ link: ModelLink) -> Set<ChannelKey> { connections[link.number]?.channels ?? [] }

    func position(of stream: ModelStream) -> StreamPosition? {
        hub.nextOffset(of: stream.key).map { StreamPosition(epoch: stream.lastEpoch, offset: $0 - 1) }
    }
}
