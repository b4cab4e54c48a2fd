public import MarketModel

/// Decides who gets what: the streams, their positions and rings, and their subscribers.
///
/// A stream is active from its first subscriber until `linger` seconds after its last one left; only active streams are
/// encoded and numbered. An inactive stream has no position: when it becomes active again a new epoch begins, so that
/// no reader mistakes the pause for continuity.
///
/// Subscribing notes the position before the data: the caller builds the snapshot from the same state, before it
/// publishes anything further. So history and live messages neither overlap nor leave a hole.
public struct Hub<Payload, Subscriber: Hashable> {
    /// What a new subscriber starts with.
    public struct Start {
        /// The stream's position at the moment of subscribing; the next message has the next offset.
        public var position: StreamPosition
        public var catchUp: StreamRing<Payload>.CatchUp
    }

    private struct Stream {
        var key: StreamKey
        var ring: StreamRing<Payload>
        var subscribers: Set<Subscriber>
        var idleSince: Double?
    }

    /// Seconds an abandoned stream keeps its ring, for subscribers that reconnect.
    public let linger: Double
    public let ringCapacity: Int
    public let ringBytes: Int
    private var streams: [Stream?]
    private var keysOf: [Subscriber: Set<StreamKey>] = [:]

    /// - Parameter markets: how many markets there are; streams are `StreamKey.slot` numbers over them.
    public init(markets: Int, linger: Double = 120, ringCapacity: Int = 4096, ringBytes: Int = 1 << 20) {
        self.linger = linger
        self.ringCapacity = ringCapacity
        self.ringBytes = ringBytes
        streams = Array(repeating: nil, count: StreamKey(market: markets, timeframe: .s1).slot)
    }

    /// Subscribes; a repeated subscription keeps the one there is and restarts it.
    /// - Parameters:
    ///   - recover: where the subscriber left off.
    ///   - epoch: the name of a new epoch, used if the stream was inactive.
    public mutating func subscribe(
        _ subscriber: Subscriber, to key: StreamKey, recover: StreamPosition? = nil, epoch: () -> String
    ) -> Start {
        var stream = streams[key.slot] ?? Stream(key: key, ring: makeRing(epoch: epoch()), subscribers: [])
        stream.subscribers.insert(subscriber)
        stream.idleSince = nil
        let catchUp = recover.map { stream.ring.catchUp(from: $0) } ?? .snapshot
        streams[key.slot] = stream
        keysOf[subscriber, default: []].insert(key)
        return Start(position: stream.ring.position, catchUp: catchUp)
    }

    /// - Returns: whether there was such a subscription.
    @discardableResult
    public mutating func unsubscribe(_ subscriber: Subscriber, from key: StreamKey, now: Double) -> Bool {
        guard keysOf[subscriber]?.remove(key) != nil else { return false }
        if keysOf[subscriber]?.isEmpty == true { keysOf[subscriber] = nil }
        leave(subscriber, key, now)
        return true
    }

    /// Ends all of a subscriber's subscriptions.
    public mutating func remove(_ subscriber: Subscriber, now: Double) {
        guard let keys = keysOf.removeValue(forKey: subscriber) else { return }
        for key in keys { leave(subscriber, key, now) }
    }

    private mutating func leave(_ subscriber: Subscriber, _ key: StreamKey, _ now: Double) {
        streams[key.slot]?.subscribers.remove(subscriber)
        if streams[key.slot]?.subscribers.isEmpty == true { streams[key.slot]?.idleSince = now }
    }

    /// Drops the streams that have had no reader for `linger` seconds.
    public mutating func expire(now: Double) {
        for slot in streams.indices {
            if let idleSince = streams[slot]?.idleSince, now - idleSince >= linger { streams[slot] = nil }
        }
    }

    // MARK: Publishing

    public func isActive(_ key: StreamKey) -> Bool { streams[key.slot] != nil }

    /// Where a stream is; `nil` for an inactive one.
    public func position(of key: StreamKey) -> StreamPosition? { streams[key.slot]?.ring.position }

    /// The offset that the next message must carry; `nil` for an inactive stream, which needs none.
    public func nextOffset(of key: StreamKey) -> Int64? { streams[key.slot].map { $0.ring.lastOffset + 1 } }

    /// Records the message that carries `nextOffset(of:)`.
    public mutating func record(_ payload: Payload, size: Int, in key: StreamKey) {
        streams[key.slot]?.ring.append(payload, size: size)
    }

    public func subscribers(of key: StreamKey) -> Set<Subscriber> { streams[key.slot]?.subscribers ?? [] }
    public func subscriptions(of subscriber: Subscriber) -> Set<StreamKey> { keysOf[subscriber] ?? [] }
    public var activeKeys: [StreamKey] { streams.compactMap { $0?.key } }

    /// Breaks continuity: the stream goes on in a new epoch, and its subscribers need a snapshot.
    public mutating func restart(_ key: StreamKey, epoch: String) -> StreamPosition? {
        guard streams[key.slot] != nil else { return nil }
        let ring = makeRing(epoch: epoch)
        streams[key.slot]?.ring = ring
        return ring.position
    }

    private func makeRing(epoch: String) -> StreamRing<Payload> {
        StreamRing(epoch: epoch, capacity: ringCapacity, byteLimit: ringBytes)
    }
}

/// What one can subscribe to: a market's candles of one timeframe, together with its ticks.
public struct StreamKey: Sendable, Hashable {
    /// The market's number in its registry.
    public var market: Int
    public var timeframe: Timeframe

    @inlinable public init(market: Int, timeframe: Timeframe) {
        self.market = market
        self.timeframe = timeframe
    }

    /// The key of a slot.
    @inlinable public init(slot: Int) {
        let timeframes = Timeframe.allCases
        market = slot / timeframes.count
        timeframe = timeframes[slot % timeframes.count]
    }

    /// A dense number, for arrays over all streams.
    @inlinable public var slot: Int { market * Timeframe.allCases.count + timeframe.index }
}
