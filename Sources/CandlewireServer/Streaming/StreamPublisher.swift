import MarketModel
import NIOCore
import StreamCore

/// Numbers and frames the messages of all active streams, and hands them to the event loops of their subscribers.
///
/// Each message is written once in JSON, from which readers recover, and once in binary while somebody reads its stream so.
/// To the event loops the two are different streams with the same offsets.
///
/// Confined to the market loop. Messages are gathered until the loop has finished its turn and then go into the mailboxes of
/// the loops that have readers of them.
final class StreamPublisher {
    private struct ActiveStream {
        var key: StreamKey
        var finals = FinalLog()
        var json: Output
        var binary: Output

        subscript(encoding: StreamEncoding) -> Output {
            get { encoding == .json ? json : binary }
            _modify { if encoding == .json { yield &json } else { yield &binary } }
        }

        func hasReaders(on shard: Int) -> Bool { json.audience[shard] > 0 || binary.audience[shard] > 0 }
    }

    /// A stream in one encoding.
    private struct Output {
        /// Numbers the epochs of all streams in all encodings.
        var epoch: Int
        var gathered = MessageBatch()
        /// Subscribers on each shard.
        private(set) var audience: [Int]
        private(set) var hasReaders = false

        init(epoch: Int, shards: Int) {
            self.epoch = epoch
            audience = Array(repeating: 0, count: shards)
        }

        mutating func changeAudience(on shard: Int, by change: Int) {
            audience[shard] += change
            hasReaders = audience.contains { $0 > 0 }
        }

        /// Adds messages to those of each shard that has readers.
        func add(_ messages: [StreamMessage], to batches: inout [[ShardReference.Batch]]) {
            for shard in audience.indices where audience[shard] > 0 { batches[shard].append((epoch, messages)) }
        }
    }

    private let registry: MarketRegistry
    /// Of each market, without a lock on the way of a message.
    private var symbolJSON: [[UInt8]]
    private var symbolUTF8: [[UInt8]]
    private let loop: any EventLoop
    private let shards: [ShardReference]
    private var hub: Hub<ByteBuffer, ConnectionID>
    /// Active streams by market.
    private var active: [[ActiveStream]]
    private var lastEpoch = 0
    /// Active streams that have gathered messages.
    private var gathered: [(market: Int, index: Int)] = []
    private var isFlushScheduled = false
    /// When the first of the gathered messages was made, by `clock`.
    private var madeFrom = 0.0
    /// `nil`: no batch is traced.
    var tracing: BatchTracing?
    private var scratch: [UInt8] = []
    private var random = SystemRandomNumberGenerator()
    /// Seconds on a clock that never goes back.
    private let clock: () -> Double
    private(set) var published = 0
    /// Those of them that were written in binary too.
    private(set) var publishedInBinary = 0

    init(registry: MarketRegistry, loop: any EventLoop, shards: [ShardReference], clock: @escaping () -> Double) {
        self.registry = registry
        symbolJSON = registry.symbolJSON
        symbolUTF8 = registry.symbolUTF8
        self.loop = loop
        self.shards = shards
        self.clock = clock
        hub = Hub(markets: registry.markets.count)
        active = registry.markets.map { _ in [] }
        scratch.reserveCapacity(512)
    }

    /// The registry's symbols have changed.
    func readSymbols() { (symbolJSON, symbolUTF8) = (registry.symbolJSON, registry.symbolUTF8) }

    // MARK: Publishing

    /// Publishes a tick in each active stream of its market.
    func publish(_ tick: Tick, market: Int) {
        for index in active[market].indices {
            let timeframe = active[market][index].key.timeframe
            add(market, index, .tick) { offset, sink in
                ServerMessageWriter.tick(
                    tick, symbol: symbolJSON[market], timeframe: timeframe, offset: offset, into: &sink)
            } binary: { symbol, offset, sink in
                BinaryMessageWriter.tick(tick, symbol: symbol, timeframe: timeframe, offset: offset, into: &sink)
            }
        }
    }

    /// Publishes a bar in its stream, if that is active.
    /// - Parameter isCorrection: the bar ended earlier, and a late tick changed it.
    func publish(_ bar: Bar, market: Int, isCorrection: Bool = false) {
        let kind: OutboxKind = !bar.isFinal ? .forming : isCorrection ? .correction : .final
        for index in active[market].indices where active[market][index].key.timeframe == bar.timeframe {
            add(market, index, kind, barStart: bar.isFinal ? bar.candle.timestamp : nil) { offset, sink in
                ServerMessageWriter.candle(bar, symbol: symbolJSON[market], offset: offset, into: &sink)
            } binary: { symbol, offset, sink in
                BinaryMessageWriter.candle(bar, symbol: symbol, offset: offset, into: &sink)
            }
        }
    }

    /// Publishes the forming bar of each active stream of a market.
    func forEachActiveTimeframe(of market: Int, _ forming: (Timeframe) -> Bar?) {
        for index in active[market].indices {
            if let bar = forming(active[market][index].key.timeframe) { publish(bar, market: market) }
        }
    }

    private func add(
        _ market: Int, _ index: Int, _ kind: OutboxKind, barStart: Double? = nil,
        json: (_ offset: Int64, inout [UInt8]) -> Void,
        binary: (_ symbol: [UInt8], _ offset: Int64, inout [UInt8]) -> Void
    ) {
        let key = active[market][index].key
        guard let next = hub.nextOffset(of: key) else { return }
        let offset = next + Int64(active[market][index].json.gathered.count)
        scratch.removeAll(keepingCapacity: true)
        json(offset, &scratch)
        if active[market][index].json.gathered.isEmpty { gathered.append((market, index)) }
        active[market][index].json.gathered.append(kind, scratch, as: .text)
        if active[market][index].binary.hasReaders { addBinary(market, index, kind) { binary($0, offset, &$1) } }
        if let barStart { active[market][index].finals.append(offset: offset, start: barStart) }
        published += 1
        if gathered.count == 1, active[market][index].json.gathered.count == 1 {
            madeFrom = clock()
            tracing?.begin()
        }
        if !isFlushScheduled {
            isFlushScheduled = true
            loop.assumeIsolated().execute {
                self.isFlushScheduled = false
                self.flush()
            }
        }
    }

    /// The message that was just written in JSON, for those who read in binary.
    private func addBinary(
        _ market: Int, _ index: Int, _ kind: OutboxKind, _ write: (_ symbol: [UInt8], inout [UInt8]) -> Void
    ) {
        let symbol = symbolUTF8[market]
        guard symbol.count <= BinaryMessageWriter.maximumNameBytes else {
            return active[market][index].binary.gathered.append(kind, scratch, as: .text)
        }
        scratch.removeAll(keepingCapacity: true)
        write(symbol, &scratch)
        active[market][index].binary.gathered.append(kind, scratch, as: .binary)
        publishedInBinary += 1
    }

    /// Puts what was gathered into the mailboxes.
    func flush() {
        guard !gathered.isEmpty else { return }
        var batches: [[ShardReference.Batch]] = shards.map { _ in [] }
        for (market, index) in gathered {
            let key = active[market][index].key
            guard let next = hub.nextOffset(of: key) else { continue }
            let messages = active[market][index].json.gathered.remove(slot: key.slot, first: next)
            for message in messages { hub.record(message.payload, size: message.size, in: key) }
            active[market][index].json.add(messages, to: &batches)
            // Where its last reader left meanwhile it ends early, and nobody gets it.
            guard !active[market][index].binary.gathered.isEmpty else { continue }
            let binary = active[market][index].binary.gathered.remove(slot: key.slot, first: next)
            active[market][index].binary.add(binary, to: &batches)
        }
        gathered.removeAll(keepingCapacity: true)
        for (shard, batches) in batches.enumerated() where !batches.isEmpty {
            shards[shard].deliver(batches, madeFrom: madeFrom, trace: tracing?.delivery)
        }
        tracing?.end()
    }

    // MARK: Subscribing

    /// Begins a subscription: what was gathered leaves first, so that the position, the snapshot and the messages that
    /// follow fit together.
    func subscribe(_ id: ConnectionID, to key: StreamKey, request: StreamRequest, snapshot: () -> [Candle]) {
        flush()
        let isNew = !hub.subscriptions(of: id).contains(key)
        let start = hub.subscribe(id, to: key, recover: request.message.recover, epoch: newEpoch)
        if place(of: key) == nil {
            active[key.market].append(ActiveStream(key: key, json: newOutput(), binary: newOutput()))
        }
        if isNew { changeAudience(of: key, id, by: 1) }
        guard let index = place(of: key) else { return }
        var begun = StreamStart(
            key: key, epoch: active[key.market][index][id.encoding].epoch, reason: .answer(request),
            position: start.position)
        switch start.catchUp {
        case .replay(let missed): begun.missed = missed
        case .snapshot: begun.candles = snapshot()
        }
        begin(id, begun)
    }

    private func begin(_ id: ConnectionID, _ start: StreamStart) { shards[id.shard].post { $0.begin(id, start) } }

    /// Where the stream is among the active ones of its market.
    private func place(of key: StreamKey) -> Int? { active[key.market].firstIndex { $0.key == key } }

    /// The state of a stream for a reader that could not follow its messages: what was gathered leaves first.
    /// - Parameters:
    ///   - offset: the last message that the reader got.
    ///   - snapshot: candles that go back to a time at least.
    func refresh(_ id: ConnectionID, _ key: StreamKey, after offset: Int64, snapshot: (_ from: Double) -> [Candle]) {
        flush()
        guard hub.subscriptions(of: id).contains(key), let position = hub.position(of: key), let index = place(of: key)
        else { return }
        let candles = snapshot(active[key.market][index].finals.earliest(after: offset))
        begin(
            id,
            StreamStart(
                key: key, epoch: active[key.market][index][id.encoding].epoch, reason: .refresh, position: position,
                candles: candles))
    }

    func unsubscribe(_ id: ConnectionID, from key: StreamKey) {
        if hub.unsubscribe(id, from: key, now: clock()) { changeAudience(of: key, id, by: -1) }
    }

    func remove(_ id: ConnectionID) {
        for key in hub.subscriptions(of: id) { changeAudience(of: key, id, by: -1) }
        hub.remove(id, now: clock())
    }

    private func changeAudience(of key: StreamKey, _ id: ConnectionID, by change: Int) {
        guard let index = place(of: key) else { return }
        active[key.market][index][id.encoding].changeAudience(on: id.shard, by: change)
    }

    /// Ends every subscription to a market that was removed, after what was gathered.
    func end(market: Int) {
        flush()
        for key in hub.activeKeys where key.market == market {
            for id in hub.subscribers(of: key) {
                unsubscribe(id, from: key)
                shards[id.shard].post { $0.end(id, key) }
            }
        }
    }

    /// A subscription came for a market that was removed while it was on its way.
    func refuse(_ id: ConnectionID, _ key: StreamKey) { shards[id.shard].post { $0.end(id, key, isAnswer: true) } }

    /// Drops streams that have had no reader for a while.
    func expire() {
        flush()
        hub.expire(now: clock())
        for market in active.indices { active[market].removeAll { !hub.isActive($0.key) } }
    }

    /// Continuity is lost for every stream: a new epoch, and an empty snapshot for each subscriber.
    func restartAll() {
        flush()
        for key in hub.activeKeys { restart(key, with: []) }
    }

    /// The same for one market, with its candles: so much of its past changed that sending each change would be more than
    /// a new start.
    func restart(market: Int, candles: (Timeframe) -> [Candle]) {
        flush()
        for key in hub.activeKeys where key.market == market { restart(key, with: candles(key.timeframe)) }
    }

    private func restart(_ key: StreamKey, with candles: [Candle]) {
        guard let position = hub.restart(key, epoch: newEpoch()), let index = place(of: key) else { return }
        active[key.market][index].finals = FinalLog()
        active[key.market][index].json.epoch = nextEpoch()
        active[key.market][index].binary.epoch = nextEpoch()
        for id in hub.subscribers(of: key) {
            begin(
                id,
                StreamStart(
                    key: key, epoch: active[key.market][index][id.encoding].epoch, reason: .newEpoch,
                    position: position, candles: candles))
        }
    }

    // MARK: Stale markets

    func hasReaders(market: Int) -> Bool { active[market].contains { $0.json.hasReaders || $0.binary.hasReaders } }

    /// Notifies the readers of a market for how many seconds it has not traded.
    func reportStale(market: Int, age: Double) {
        for shard in shards.indices where active[market].contains(where: { $0.hasReaders(on: shard) }) {
            shards[shard].post { $0.reportStale(market: market, age: age) }
        }
    }

    var activeStreams: Int { active.reduce(0) { $0 + $1.count } }

    private func newOutput() -> Output { Output(epoch: nextEpoch(), shards: shards.count) }

    private func nextEpoch() -> Int {
        lastEpoch += 1
        return lastEpoch
    }

    /// Eight characters of 36: two runs of a stream do not share a name by accident.
    private func newEpoch() -> String {
        let letters = Array("0123456789abcdefghijklmnopqrstuvwxyz")
        return String((0..<8).map { _ in letters[Int.random(in: 0..<36, using: &random)] })
    }
}
