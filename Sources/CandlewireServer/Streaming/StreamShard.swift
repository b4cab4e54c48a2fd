import MarketModel
import NIOCore
import StreamCore
import Tracing

/// The connections of one event loop, who of them reads what, and what they have not got yet. Confined to that loop.
final class StreamShard {
    /// What happens between two messages of a stream.
    typealias Event = @Sendable (StreamShard) -> Void
    typealias Run = DeliveryRounds<ByteBuffer>.Run

    /// Readers between two looks at the clock.
    private static let readersPerLook = 16

    let index: Int
    private var connections: [Int: StreamConnection] = [:]
    /// The same by their numbers as readers.
    private var readers: [StreamConnection?] = []
    private var rounds: DeliveryRounds<ByteBuffer>
    /// What was collected from the mailbox, from `nextItem` on still to be done.
    private var collected = Mailbox<ByteBuffer, Event>.Collection()
    private var nextItem = 0
    private var channelReaders: [ChannelKey: [StreamConnection]] = [:]
    private var nextNumber = 0
    /// Of the connections that ended.
    private var gone = ReaderCounts()
    /// Of all its connections, so that each costs nothing for being counted.
    var closes = ReaderCounts.Closes()
    var bytesIn = 0
    var bytesOut = 0
    var deliveries = 0
    private var sendDelay = DurationHistogram(DurationHistogram.internalBounds)
    /// Of batches that are traced and not delivered yet, with the round in which they came.
    private var spans: [(span: any Span, round: Int)] = []
    private var roundsDone = 0

    /// - Parameter minSaving: deliveries that conflation must save.
    init(index: Int, minSaving: Int) {
        self.index = index
        rounds = DeliveryRounds(minSaving: minSaving)
    }

    /// - Parameter encoding: how its market data is written.
    func add(
        _ encoding: StreamEncoding = .json, _ connection: (ConnectionID) -> StreamConnection
    ) -> StreamConnection {
        let id = ConnectionID(shard: index, number: nextNumber, encoding: encoding)
        nextNumber += 1
        let made = connection(id)
        made.reader = rounds.addReader()
        if made.reader == readers.count { readers.append(nil) }
        readers[made.reader] = made
        connections[id.number] = made
        return made
    }

    func remove(_ connection: StreamConnection) {
        guard connections.removeValue(forKey: connection.id.number) != nil else { return }
        var counts = connection.counts
        counts.connections = 0
        gone.add(counts)
        for stream in connection.streams { rounds.leave(connection.reader, place: stream.place) }
        rounds.removeReader(connection.reader)
        readers[connection.reader] = nil
        for key in connection.openChannels { leave(connection, key) }
    }

    func leave(_ connection: StreamConnection, place: Int) { rounds.leave(connection.reader, place: place) }

    /// - Returns: where the stream's messages are found.
    func join(_ connection: StreamConnection, epoch: Int) -> Int { rounds.join(connection.reader, epoch: epoch) }

    func begin(_ id: ConnectionID, _ start: StreamStart) {
        guard let connection = connections[id.number] else { return }
        // What was published before comes before.
        connection.catchUp()
        connection.begin(start)
    }

    /// A stream has ended: its market was removed.
    /// - Parameter isAnswer: whether the reader still waits for the subscription to begin.
    func end(_ id: ConnectionID, _ key: StreamKey, isAnswer: Bool = false) {
        guard let connection = connections[id.number] else { return }
        connection.catchUp()
        connection.end(key, isAnswer: isAnswer)
    }

    // MARK: Delivery

    /// Whether everything that was collected is done: only then more may be collected, so that the mailbox's bounds hold.
    var hasDoneCollected: Bool { nextItem == collected.items.count }
    /// Whether no reader lacks anything of what was collected.
    private(set) var isIdle = true

    func accept(_ collection: Mailbox<ByteBuffer, Event>.Collection) {
        collected = collection
        nextItem = 0
    }

    /// Delivers what was collected, until it is done or the time is up.
    /// - Parameters:
    ///   - now: seconds on the clock that dates messages.
    ///   - end: when the loop needs to do something else.
    func deliver(until end: Double, now: () -> Double) {
        // Half of the time at the most: a storm of subscriptions must not keep all others waiting.
        let half = (now() + end) / 2
        while nextItem < collected.items.count {
            let item = collected.items[nextItem]
            nextItem += 1
            switch item {
            case .messages(let epoch, let messages):
                rounds.post(messages, epoch: epoch, madeFrom: collected.madeFrom)
            case .lost(let epoch, _, let through):
                rounds.lose(epoch: epoch, through: through, madeFrom: collected.madeFrom)
            case .event(let event):
                event(self)
                if now() >= half { return deliverToReaders(until: end, now: now) }
            }
        }
        collected.items = []
        nextItem = 0
        deliverToReaders(until: end, now: now)
    }

    private func deliverToReaders(until end: Double, now: () -> Double) {
        isIdle = false
        rounds.conflate(now: now())
        var count = 0
        while true {
            switch rounds.next() {
            case .reader(let number):
                readers[number]?.catchUp()
                count += 1
                guard count % Self.readersPerLook != 0 || now() < end else { return }
            case .endOfRound(let madeFrom):
                sendDelay.add(now() - madeFrom)
                roundsDone += 1
                // What came in a round is delivered at the end of the next one.
                endSpans { $0 + 2 <= roundsDone }
            case .idle:
                endSpans { _ in true }
                isIdle = true
                return
            }
        }
    }

    /// What a reader of a stream lacks, made once for all that lack the same.
    func run(place: Int, after position: Int64, join: (ArraySlice<StreamMessage>, Int) -> ByteBuffer) -> Run? {
        rounds.run(place: place, after: position, join: join)
    }

    /// The same without what newer messages replace, and how many are missing that were dropped here.
    func latest(place: Int, after position: Int64) -> (messages: [StreamMessage], missing: Int)? {
        rounds.latest(place: place, after: position)
    }

    /// The same one by one.
    func messages(place: Int, after position: Int64) -> ArraySlice<StreamMessage> {
        rounds.messages(place: place, after: position)
    }

    /// Whether messages were given up before they came here, and readers may lack them.
    var hasLosses: Bool { rounds.hasLosses }

    /// The last message that was given up before it came here, where a reader lacks it.
    func loss(place: Int, after position: Int64) -> Int64? { rounds.loss(place: place, after: position) }

    /// A batch that is traced came just before.
    func trace(_ delivery: BatchTracing.Delivery, streams: Int, messages: Int) {
        spans.append((delivery.begin(on: index, streams: streams, messages: messages), roundsDone))
    }

    private func endSpans(where isOver: (_ round: Int) -> Bool) {
        guard !spans.isEmpty else { return }
        for (span, round) in spans where isOver(round) { span.end() }
        spans.removeAll { isOver($0.round) }
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
        sum.sendDelay = sendDelay
        for connection in connections.values { sum.add(connection.counts) }
        return sum
    }
}
