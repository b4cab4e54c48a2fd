/// What waits to be sent to one reader, and the policy when it reads slower than the market moves.
///
/// Two lanes. In the ordered one wait answers, errors, snapshots and final candles; nothing overtakes there. Ticks and
/// forming candles wait beside it, of each stream the latest of both. A message never overtakes an older one of its
/// stream. A slow reader goes down a ladder, one step only after the other did not help:
///
/// 1. **Conflate.** A tick or forming candle that waits is replaced by the next one.
/// 2. **Lower the rate.** Behind for half of a second and more: `ReaderPace`.
/// 3. **Snapshot.** Where a stream's final candles pile up beyond `OutboxLimits`, they are given up and the stream
///    pauses. When the reader has read everything else, `popSnapshotNeed` returns where it left off, the owner gets the
///    stream's state from then on, and with that `snapshot` the stream goes on.
/// 4. **Close.** `overflow` or `stalled`: the reader is hopeless, close with 4008. It may reconnect and recover.
///
/// Whatever is left out is reported: `write` gets each message together with the number of messages of its stream that
/// lie between it and the one written before. The owner writes `skipped` with that number in front of the message.
public struct Outbox<Payload> {
    public typealias Kind = OutboxKind
    public typealias Message = OutboxMessage<Payload>

    public enum Verdict: Sendable, Equatable {
        case fine
        /// More waits in order than may: close with 4008.
        case overflow
        /// The network has accepted nothing for too long: close with 4008.
        case stalled
    }

    /// A stream that needs a snapshot, and the position after which the reader lacks everything.
    public struct SnapshotNeed: Sendable, Equatable {
        public var stream: Int
        public var after: Int64
    }

    @usableFromInline enum PendingSnapshot { case none, due, requested }

    @usableFromInline struct Slot {
        /// Seconds between two sendings that the reader requested; 0: no limit.
        @usableFromInline var interval: Double
        /// Offset of the last message given to the network.
        @usableFromInline var last: Int64
        /// Offset of the last message offered.
        @usableFromInline var newest: Int64
        /// Messages that were left out before they came here, and are not reported yet.
        @usableFromInline var missing = 0
        @usableFromInline var nextAt = -Double.infinity
        // What `passThrough` needs comes first, in a line of the processor's cache.
        @usableFromInline var pendingSnapshot = PendingSnapshot.none
        @usableFromInline var tick: Message?
        @usableFromInline var forming: Message?
        /// Cost of the finals and corrections that wait in the lane.
        @usableFromInline var laneCost = 0
    }

    /// Snapshots requested at the same time: each may be large, and all of them may have to wait.
    static var snapshotRequestLimit: Int { 4 }

    // What `passThrough` needs comes first: with thousands of readers each line of the processor's cache counts.

    /// Whether the network accepts more; kept up to date with `setWritable`.
    public internal(set) var isWritable = true
    @usableFromInline var pace = ReaderPace()
    @usableFromInline var lane: [Message] = []
    @usableFromInline var slots = StreamTable<Slot>()
    @usableFromInline var waitingSlots: Set<Int> = []

    public let limits: OutboxLimits
    /// What waits in order, with about 128 bytes a message on top of the payloads.
    public internal(set) var heldBytes = 0
    /// Messages that were left out and reported, over the reader's life.
    public internal(set) var skippedTotal = 0
    /// Those of them that were left out for a stream whose reader wants no more than `maxRate`, while nothing else slowed it
    /// down.
    public internal(set) var skippedForRate = 0
    /// Those of them that did not even come here, because the server was behind.
    public internal(set) var skippedForLoad = 0
    /// Times that a stream's final candles were replaced by a snapshot.
    public internal(set) var lapses = 0
    let detach: (Payload) -> Payload
    /// Streams that pause, in the order in which they shall go on.
    var lapsed: [Int] = []
    var snapshotRequests = 0
    /// Cost of what waits in order and could be replaced by snapshots.
    var shortenable = 0
    /// Where the next round over the waiting streams begins, so that none is always the last.
    var cursor = 0
    var progressAt = 0.0
    var lastPending = Int.max

    /// - Parameter detach: makes a payload independent of memory it shares with others, before it waits in order. A
    ///   slice of a large buffer would otherwise keep all of it alive for as long as the reader is slow.
    public init(limits: OutboxLimits = OutboxLimits(), detach: @escaping (Payload) -> Payload = { $0 }) {
        self.limits = limits
        self.detach = detach
    }

    /// Opens a stream, or restarts it.
    /// - Parameters:
    ///   - offset: the reader's position; the next message is expected to follow it.
    ///   - maxRate: sendings a second at the most.
    public mutating func open(stream: Int, at offset: Int64, maxRate: Double? = nil) {
        close(stream: stream)
        slots[stream] = Slot(interval: maxRate.map { 1 / $0 } ?? 0, last: offset, newest: offset)
    }

    /// Closes a stream; what waited of it is dropped.
    public mutating func close(stream: Int) {
        guard let slot = slots[stream] else { return }
        dropWaiting(of: stream)
        if slot.pendingSnapshot == .requested { snapshotRequests -= 1 }
        slots[stream] = nil
    }

    public func isOpen(stream: Int) -> Bool { slots[stream] != nil }

    /// Offset of the last message of a stream that was written; `nil` for a closed one.
    public func position(of stream: Int) -> Int64? { slots[stream]?.last }

    /// To be called before anything is offered when the network begins or ceases to accept more.
    public mutating func setWritable(_ writable: Bool, now: Double) {
        guard writable != isWritable else { return }
        isWritable = writable
        if writable {
            pace.unblock(now: now)
        } else {
            pace.block(now: now)
            progressAt = now
            lastPending = .max
        }
    }

    /// Seconds between two sendings of a stream to which the reader was slowed down; 0: not at all.
    public var paceInterval: Double { pace.interval }

    /// Offset of the last message of a stream that was offered; `nil` for a closed one.
    public func newest(of stream: Int) -> Int64? { slots[stream]?.newest }

    /// Whether what a reader lacks of a stream may be written as it is, without a decision for each message: nothing waits.
    /// - Parameter run: called if so, with the reader's position; returns the position after the messages, which count as
    ///   written, and how many were left out before they came here. `nil`: there are none.
    @inlinable public mutating func passThrough(
        stream: Int, run: (_ after: Int64) -> (last: Int64, skipped: Int)?
    ) -> Bool {
        guard isWritable, lane.isEmpty, waitingSlots.isEmpty, pace.interval == 0,
            let index = slots.index(of: stream), slots.entries[index].value.interval == 0,
            slots.entries[index].value.pendingSnapshot == .none
        else { return false }
        guard let (last, skipped) = run(slots.entries[index].value.last) else { return true }
        slots.entries[index].value.last = last
        slots.entries[index].value.newest = last
        if skipped > 0 { count(skipped, missing: skipped) }
        return true
    }

    /// Whether only the latest tick and forming candle of a stream can matter to the reader: it is slow, or wants few.
    @inlinable public mutating func takesLatest(of stream: Int) -> Bool {
        guard isWritable, lane.isEmpty, pace.interval == 0, let index = slots.index(of: stream) else { return true }
        return slots.entries[index].value.interval > 0
    }

    /// Keeps the latest tick and forming candle of a stream of which nothing may be written now.
    /// - Parameter missing: how many messages were left out before they came here.
    /// - Returns: false where more is to be decided: the messages are to be offered.
    @inlinable public mutating func keep(_ latest: [Message], missing: Int, of stream: Int, now: Double) -> Bool {
        guard let index = slots.index(of: stream), slots.entries[index].value.pendingSnapshot == .none,
            !isWritable || !lane.isEmpty || now < slots.entries[index].value.nextAt,
            let last = latest.last, latest.allSatisfy({ $0.kind == .tick || $0.kind == .forming })
        else { return false }
        let hasNone = slots.entries[index].value.tick == nil && slots.entries[index].value.forming == nil
        if hasNone { waitingSlots.insert(stream) }
        for message in latest {
            if message.kind == .tick {
                slots.entries[index].value.tick = message
            } else {
                slots.entries[index].value.forming = message
            }
        }
        slots.entries[index].value.missing += missing
        slots.entries[index].value.newest = last.offset
        return true
    }

    /// Counts messages that were left out and reported, some of which did not even come here.
    @usableFromInline mutating func count(_ skipped: Int, missing: Int) {
        skippedTotal += skipped
        skippedForLoad += missing
    }

    // MARK: Messages

    /// Accepts one message: writes it at once, or keeps it.
    /// - Parameters:
    ///   - missing: how many were left out since the last one, before they came here. `nil`: all that lie between the two.
    ///   - write: gets a message, and how many of its stream were left out right before it.
    public mutating func offer(
        _ message: Message, missing: Int? = nil, now: Double, write: (_ message: Message, _ skipped: Int) -> Void
    ) -> Verdict {
        switch message.kind {
        case .control: return offerOrdered(message, write)
        case .snapshot: return begin(with: message, isNewEpoch: false, write: write)
        case .past, .final, .correction, .tick, .forming: break
        }
        guard let index = slots.index(of: message.stream) else { return .fine }
        slots.entries[index].value.follow(to: message.offset, missing: missing)
        // The snapshot that is to come will contain it.
        guard slots.entries[index].value.pendingSnapshot == .none else { return .fine }
        switch message.kind {
        case .past: return offerOrdered(message, write)
        case .final:
            // What waits of this stream is older than the final candle, which contains it.
            _ = removeWaiting(of: message.stream)
            return offerOrdered(message, write)
        case .correction:
            var verdict = Verdict.fine
            for message in removeWaiting(of: message.stream) + [message] {
                // Each may be the one that is too much: nothing of the stream then waits behind the state that is to come.
                guard slots[message.stream]?.pendingSnapshot == PendingSnapshot.none else { break }
                verdict = offerOrdered(message, write)
            }
            return verdict
        default: offerLatest(message, now: now, write)
        }
        return .fine
    }

    /// The stream goes on with its state, after a pause or in a new epoch; what waits of it is older.
    public mutating func begin(
        with snapshot: Message, isNewEpoch: Bool, write: (_ message: Message, _ skipped: Int) -> Void
    ) -> Verdict {
        guard let slot = slots[snapshot.stream] else { return .fine }
        var snapshot = snapshot
        // Offsets of two epochs cannot be compared: what was left out is the rest of the old one.
        snapshot.follows = isNewEpoch ? slot.newest : snapshot.offset
        _ = removeWaiting(of: snapshot.stream)
        if slot.pendingSnapshot == .requested { snapshotRequests -= 1 }
        if slot.pendingSnapshot == .due { lapsed.removeAll { $0 == snapshot.stream } }
        slots[snapshot.stream]?.pendingSnapshot = .none
        slots[snapshot.stream]?.newest = snapshot.offset
        return offerOrdered(snapshot, write)
    }

    private mutating func offerOrdered(_ message: Message, _ write: (Message, Int) -> Void) -> Verdict {
        if isWritable, lane.isEmpty {
            emit(message, write)
            return .fine
        }
        var kept = message
        kept.payload = detach(message.payload)
        lane.append(kept)
        heldBytes += kept.cost
        if kept.kind.isShortenable {
            shortenable += kept.cost
            if kept.kind != .past { slots[kept.stream]?.laneCost += kept.cost }
            shorten(kept.stream)
        }
        return heldBytes > limits.bytes ? .overflow : .fine
    }

    private mutating func offerLatest(_ message: Message, now: Double, _ write: (Message, Int) -> Void) {
        guard let index = slots.index(of: message.stream) else { return }
        var slot = slots.entries[index].value
        if isWritable, lane.isEmpty, now >= slot.nextAt {
            writeWaiting(&slot, write)
            emit(message, &slot, write)
            waitingSlots.remove(message.stream)
            slot.nextAt = nextSending(of: slot, now: now)
        } else {
            if message.kind == .tick { slot.tick = message } else { slot.forming = message }
            waitingSlots.insert(message.stream)
        }
        slots.entries[index].value = slot
    }

    private func nextSending(of slot: Slot, now: Double) -> Double {
        let interval = max(slot.interval, pace.interval)
        return interval > 0 ? now + interval : -.infinity
    }

    /// Writes a message of the lane, or one that may pass it.
    private mutating func emit(_ message: Message, _ write: (Message, Int) -> Void) {
        var skipped = 0
        if message.kind != .control, let index = slots.index(of: message.stream) {
            let left = slots.entries[index].value.write(message)
            count(left.out, missing: left.missing)
            skipped = left.out
        }
        write(message, skipped)
    }

    private mutating func emit(_ message: Message, _ slot: inout Slot, _ write: (Message, Int) -> Void) {
        let left = slot.write(message)
        count(left.out, missing: left.missing)
        if slot.interval > pace.interval { skippedForRate += left.out - left.missing }
        write(message, left.out)
    }

    /// Writes a slot's tick and forming candle, the older one first.
    private mutating func writeWaiting(_ slot: inout Slot, _ write: (Message, Int) -> Void) {
        let (tick, forming) = (slot.tick, slot.forming)
        slot.tick = nil
        slot.forming = nil
        let tickFirst = (tick?.offset ?? 0) < (forming?.offset ?? 0)
        if tickFirst, let tick { emit(tick, &slot, write) }
        if let forming { emit(forming, &slot, write) }
        if !tickFirst, let tick { emit(tick, &slot, write) }
    }

    /// Writes what may be written now. To be called when the network accepts more, and at `nextDeadline`.
    /// - Parameter canWrite: called before each message, since each one may fill the network's buffer.
    public mutating func drain(now: Double, canWrite: () -> Bool, write: (_ message: Message, _ skipped: Int) -> Void) {
        var written = 0
        while written < lane.count, canWrite() {
            let message = lane[written]
            forget(message)
            emit(message, write)
            written += 1
        }
        lane.removeFirst(written)
        guard lane.isEmpty, !waitingSlots.isEmpty else { return }
        let waiting = waitingSlots.sorted()
        let start = waiting.firstIndex { $0 >= cursor } ?? 0
        for step in waiting.indices {
            let stream = waiting[(start + step) % waiting.count]
            guard canWrite() else {
                cursor = stream
                return
            }
            guard let index = slots.index(of: stream) else { continue }
            var slot = slots.entries[index].value
            if now >= slot.nextAt {
                writeWaiting(&slot, write)
                slot.nextAt = nextSending(of: slot, now: now)
                waitingSlots.remove(stream)
            }
            slots.entries[index].value = slot
        }
    }

    /// When the next rate-limited message may go; `nil` where none waits for the clock.
    public var nextDeadline: Double? {
        guard isWritable, lane.isEmpty, !waitingSlots.isEmpty else { return nil }
        var deadline = Double.infinity
        for stream in waitingSlots {
            if let slot = slots[stream], slot.nextAt < deadline { deadline = slot.nextAt }
        }
        return deadline
    }
}

extension Outbox.Slot {
    /// A message was offered.
    /// - Parameter count: how many did not come here since the last one; `nil`: all that lie between the two.
    mutating func follow(to offset: Int64, missing count: Int?) {
        missing += count ?? Int(clamping: max(0, offset - 1 - newest))
        newest = offset
    }

    /// A message is written.
    /// - Returns: how many were left out before it, and how many of those did not even come here.
    mutating func write(_ message: Outbox.Message) -> (out: Int, missing: Int) {
        let out = Int(clamping: max(0, message.follows - last))
        let missing = min(out, missing)
        self.missing -= missing
        last = message.offset
        return (out, missing)
    }
}

extension OutboxKind {
    /// Whether a snapshot can replace it.
    var isShortenable: Bool {
        switch self {
        case .past, .final, .correction, .tick, .forming: true
        case .control, .snapshot: false
        }
    }
}
