import MarketModel
import NIOCore
import StreamCore
import Synchronization
import Tracing

/// The connections of one event loop, and who of them reads what. Confined to that loop.
final class StreamShard {
    let index: Int
    private var connections: [Int: StreamConnection] = [:]
    private var subscribers: [Int: [StreamConnection]] = [:]
    private var channelReaders: [ChannelKey: [StreamConnection]] = [:]
    private var nextNumber = 0
    /// Of the connections that ended.
    private var gone = ReaderCounts()
    /// Of all its connections, so that each costs nothing for being counted.
    var closes = ReaderCounts.Closes()
    var bytesIn = 0
    var bytesOut = 0
    var deliveries = 0
    var shortened = 0
    private var sendDelay = DurationHistogram(DurationHistogram.internalBounds)

    init(index: Int) { self.index = index }

    func add(_ connection: (ConnectionID) -> StreamConnection) -> StreamConnection {
        let id = ConnectionID(shard: index, number: nextNumber)
        nextNumber += 1
        let made = connection(id)
        connections[id.number] = made
        return made
    }

    func remove(_ connection: StreamConnection) {
        guard connections.removeValue(forKey: connection.id.number) != nil else { return }
        var counts = connection.counts
        counts.connections = 0
        gone.add(counts)
        for slot in connection.openSlots { leave(connection, slot: slot) }
        for key in connection.openChannels { leave(connection, key) }
    }

    func leave(_ connection: StreamConnection, slot: Int) {
        subscribers[slot]?.removeAll { $0 === connection }
        if subscribers[slot]?.isEmpty == true { subscribers[slot] = nil }
    }

    func begin(_ id: ConnectionID, _ start: StreamStart) {
        guard let connection = connections[id.number] else { return }
        let slot = start.key.slot
        if subscribers[slot]?.contains(where: { $0 === connection }) != true {
            subscribers[slot, default: []].append(connection)
        }
        connection.begin(start)
    }

    /// A stream has ended: its market was removed.
    /// - Parameter isAnswer: whether the reader still waits for the subscription to begin.
    func end(_ id: ConnectionID, _ key: StreamKey, isAnswer: Bool = false) {
        connections[id.number]?.end(key, isAnswer: isAnswer)
    }

    /// - Parameter start: when the first message of the batch was made.
    func deliver(_ chunks: [StreamChunk], madeFrom start: NIODeadline) {
        deliver(chunks)
        sendDelay.add(Double((NIODeadline.now() - start).nanoseconds) / 1e9)
    }

    private func deliver(_ chunks: [StreamChunk]) {
        if chunks.count == 1 {
            // The usual case: everything a reader gets is in one buffer, so there is nothing to gather first.
            for reader in subscribers[chunks[0].key.slot] ?? [] { reader.deliverAll(chunks[0]) }
            return
        }
        var touched: [StreamConnection] = []
        for chunk in chunks {
            guard let readers = subscribers[chunk.key.slot] else { continue }
            for reader in readers {
                reader.deliver(chunk)
                if !reader.isTouched {
                    reader.isTouched = true
                    touched.append(reader)
                }
            }
        }
        for reader in touched {
            reader.isTouched = false
            reader.finishDelivery()
        }
    }

    // MARK: Channels

    func begin(_ id: ConnectionID, _ start: ChannelStart) {
        guard let connection = connections[id.number] else { return }
        let key = start.request.key
        if channelReaders[key]?.contains(where: { $0 === connection }) != true {
            channelReaders[key, default: []].append(connection)
        }
        connection.begin(start)
    }

    func leave(_ connection: StreamConnection, _ key: ChannelKey) {
        channelReaders[key]?.removeAll { $0 === connection }
        if channelReaders[key]?.isEmpty == true { channelReaders[key] = nil }
    }

    func deliver(_ frame: ByteBuffer, of key: ChannelKey, isState: Bool) {
        for reader in channelReaders[key] ?? [] { reader.deliver(frame, of: key, isState: isState) }
    }

    /// Each connection is notified once, however many of the market's streams it reads.
    func reportStale(market: Int, age: Double) {
        for connection in connections.values where connection.reads(market: market) {
            connection.reportStale(market: market, age: age)
        }
    }

    /// Once a second: looks how the readers are doing.
    func housekeeping() {
        // A copy, for a reader that is given up leaves the table.
        for connection in Array(connections.values) { connection.turn() }
    }

    /// All readers so far, those that are gone included.
    var counts: ReaderCounts {
        var sum = gone
        sum.closes = closes
        sum.bytesIn = bytesIn
        sum.bytesOut = bytesOut
        sum.deliveries = deliveries
        sum.shortened = shortened
        sum.sendDelay = sendDelay
        for connection in connections.values { sum.add(connection.counts) }
        return sum
    }
}

/// A shard seen from another thread: everything hops to its loop, in the order of the calls.
///
/// What is under way is bounded: while a loop is too far behind, it gets the latest tick and forming candle of each turn
/// only; final candles always go.
struct ShardReference: Sendable {
    let loop: any EventLoop
    private let shard: NIOLoopBoundBox<StreamShard>
    private let inTransit = InTransit()

    private final class InTransit: Sendable { let bytes = Atomic<Int>(0) }

    /// Bytes on their way to one loop, beyond which only final candles go.
    private static let inTransitLimit = 16 << 20

    init(index: Int, loop: any EventLoop) {
        self.loop = loop
        shard = NIOLoopBoundBox.makeBoxSendingValue(StreamShard(index: index), eventLoop: loop)
    }

    /// The shard itself, for callers on its loop.
    var onLoop: StreamShard { shard.value }

    /// - Parameters:
    ///   - start: when the first message of the batch was made.
    ///   - trace: `nil`: the batch is not traced.
    func deliver(_ chunks: [StreamChunk], madeFrom start: NIODeadline, trace: BatchTracing.Delivery? = nil) {
        let isBehind = inTransit.bytes.load(ordering: .relaxed) > Self.inTransitLimit
        let messages = isBehind ? chunks.reduce(0) { $0 + $1.entries.count } : 0
        let chunks = isBehind ? chunks.map { $0.shortened() } : chunks
        let leftOut = isBehind ? messages - chunks.reduce(0) { $0 + $1.entries.count } : 0
        let bytes = chunks.reduce(0) { $0 + $1.bytes.readableBytes }
        inTransit.bytes.add(bytes, ordering: .relaxed)
        loop.execute { [shard, inTransit] in
            let span = trace?.begin(on: shard.value.index, chunks)
            shard.value.shortened += leftOut
            shard.value.deliver(chunks, madeFrom: start)
            span?.end()
            inTransit.bytes.subtract(bytes, ordering: .relaxed)
        }
    }

    func run(_ body: @escaping @Sendable (StreamShard) -> Void) {
        loop.execute { [shard] in body(shard.value) }
    }

    func counts() -> EventLoopFuture<ReaderCounts> { loop.submit { [shard] in shard.value.counts } }

    func startHousekeeping() {
        loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { [shard] _ in
            shard.value.housekeeping()
        }
    }
}
