/// What waits to be sent to one reader, and the policy when it reads slower than the market moves.
///
/// Two lanes. Answers, errors, snapshots and final candles wait in order and are never left out; when they exceed
/// `byteLimit` the reader is hopeless and is closed with 4008 (it may reconnect). Ticks and forming candles are
/// conflated: of each stream only the latest tick and the latest forming candle wait, the ones they replace are counted
/// as skipped. The order within a stream is kept: a message never overtakes an older one of its stream.
public struct Outbox<Payload> {
    public enum Kind: Sendable, Equatable {
        /// Answers, errors and snapshots: always sent.
        case control
        /// A candle that ended with the message before it: always sent, and whatever waits of its stream is part of it.
        case final
        /// A candle that ended earlier and was changed by a late tick: always sent, behind what waits of its stream.
        case correction
        /// May be replaced by the next one of its stream.
        case tick
        /// May be replaced by the next one of its stream.
        case forming
    }

    public enum Verdict: Sendable, Equatable {
        case fine
        /// The lane that may not be shortened is over its limit: close with 4008.
        case overflow
    }

    /// A message on its way.
    public struct Message {
        public var kind: Kind
        /// `StreamKey.slot`; any number for control messages.
        public var stream: Int
        public var offset: Int
        public var payload: Payload
        public var size: Int

        @inlinable public init(kind: Kind, stream: Int, offset: Int, payload: Payload, size: Int) {
            self.kind = kind
            self.stream = stream
            self.offset = offset
            self.payload = payload
            self.size = size
        }
    }

    private struct Slot {
        /// Seconds between two sendings; 0: no limit.
        var interval: Double
        var nextAt = -Double.infinity
        var tick: Message?
        var forming: Message?
        var skipped = 0
        var toldAt = -Double.infinity
    }

    public let byteLimit: Int
    /// Bytes waiting in the lane that may not be shortened.
    public private(set) var heldBytes = 0
    /// Messages that were replaced by newer ones, over the reader's life.
    public private(set) var skippedTotal = 0
    /// Whether the network takes more; kept up to date by the owner.
    public var isWritable = true

    private var lane: [Message] = []
    private var slots: [Int: Slot] = [:]
    private var limitedSlots = 0
    private var waitingSlots: Set<Int> = []

    /// - Parameter byteLimit: of the ordered lane, default 4 MiB.
    public init(byteLimit: Int = 4 << 20) {
        self.byteLimit = byteLimit
    }

    /// Opens a stream, with at most `maxRate` sendings a second.
    public mutating func open(stream: Int, maxRate: Double?) {
        close(stream: stream)
        slots[stream] = Slot(interval: maxRate.map { 1 / $0 } ?? 0)
        if maxRate != nil { limitedSlots += 1 }
    }

    /// Closes a stream; what waited of it is dropped.
    public mutating func close(stream: Int) {
        guard let slot = slots.removeValue(forKey: stream) else { return }
        if slot.interval > 0 { limitedSlots -= 1 }
        waitingSlots.remove(stream)
    }

    public func isOpen(stream: Int) -> Bool { slots[stream] != nil }

    /// Whether a run of the stream's messages may be written as it is, without asking for each one.
    public func passesThrough(stream: Int) -> Bool {
        isWritable && lane.isEmpty && waitingSlots.isEmpty && slots[stream]?.interval == 0
    }

    /// Takes one message: writes it at once, or keeps it.
    public mutating func offer(_ message: Message, now: Double, write: (Message) -> Void) -> Verdict {
        switch message.kind {
        case .control: return offerOrdered(message, write: write)
        case .final:
            guard slots[message.stream] != nil else { return .fine }
            // What waits of this stream is older than the final candle, which contains it.
            dropWaiting(of: message.stream)
            return offerOrdered(message, write: write)
        case .correction:
            guard slots[message.stream] != nil else { return .fine }
            for waiting in takeWaiting(of: message.stream) { _ = offerOrdered(waiting, write: write) }
            return offerOrdered(message, write: write)
        case .tick, .forming:
            guard var slot = slots.removeValue(forKey: message.stream) else { return .fine }
            if isWritable, lane.isEmpty, now >= slot.nextAt {
                writeWaiting(&slot, write: write)
                write(message)
                waitingSlots.remove(message.stream)
                if slot.interval > 0 { slot.nextAt = now + slot.interval }
            } else {
                if message.kind == .tick {
                    if slot.tick != nil { skip(&slot) }
                    slot.tick = message
                } else {
                    if slot.forming != nil { skip(&slot) }
                    slot.forming = message
                }
                waitingSlots.insert(message.stream)
            }
            slots[message.stream] = slot
            return .fine
        }
    }

    private mutating func offerOrdered(_ message: Message, write: (Message) -> Void) -> Verdict {
        if isWritable, lane.isEmpty {
            write(message)
            return .fine
        }
        lane.append(message)
        heldBytes += message.size
        return heldBytes > byteLimit ? .overflow : .fine
    }

    private mutating func skip(_ slot: inout Slot) {
        slot.skipped += 1
        skippedTotal += 1
    }

    private mutating func dropWaiting(of stream: Int) {
        let dropped = takeWaiting(of: stream).count
        noteSkipped(dropped, of: stream)
    }

    /// A stream's waiting messages, oldest first; they wait no longer.
    private mutating func takeWaiting(of stream: Int) -> [Message] {
        guard waitingSlots.remove(stream) != nil else { return [] }
        var waiting: [Message] = []
        if let tick = slots[stream]?.tick { waiting.append(tick) }
        if let forming = slots[stream]?.forming { waiting.append(forming) }
        slots[stream]?.tick = nil
        slots[stream]?.forming = nil
        return waiting.sorted { $0.offset < $1.offset }
    }

    /// Counts messages that were left out before they came here.
    public mutating func noteSkipped(_ count: Int, of stream: Int) {
        guard count > 0, slots[stream] != nil else { return }
        slots[stream]?.skipped += count
        skippedTotal += count
    }

    /// The stream goes on in a new epoch: what waits belongs to the old one.
    public mutating func restart(stream: Int) {
        _ = takeWaiting(of: stream)
    }

    /// Writes a slot's tick and forming candle, the older one first.
    private func writeWaiting(_ slot: inout Slot, write: (Message) -> Void) {
        let tickFirst = (slot.tick?.offset ?? 0) < (slot.forming?.offset ?? 0)
        if tickFirst, let tick = slot.tick { write(tick) }
        if let forming = slot.forming { write(forming) }
        if !tickFirst, let tick = slot.tick { write(tick) }
        slot.tick = nil
        slot.forming = nil
    }

    /// Writes what may be written now. To be called when the network takes more, and at `nextDeadline`.
    /// - Parameter canWrite: asked before each message, since each one may fill the network's buffer.
    public mutating func drain(now: Double, canWrite: () -> Bool, write: (Message) -> Void) {
        var written = 0
        while written < lane.count, canWrite() {
            write(lane[written])
            heldBytes -= lane[written].size
            written += 1
        }
        lane.removeFirst(written)
        guard lane.isEmpty, !waitingSlots.isEmpty else { return }
        for stream in waitingSlots.sorted() {
            guard canWrite() else { return }
            guard var slot = slots[stream], now >= slot.nextAt else { continue }
            writeWaiting(&slot, write: write)
            if slot.interval > 0 { slot.nextAt = now + slot.interval }
            slots[stream] = slot
            waitingSlots.remove(stream)
        }
    }

    /// When the next rate-limited message may go; `nil` where none waits for the clock.
    public var nextDeadline: Double? {
        guard isWritable, lane.isEmpty, limitedSlots > 0, !waitingSlots.isEmpty else { return nil }
        var deadline = Double.infinity
        for stream in waitingSlots {
            if let slot = slots[stream], slot.nextAt < deadline { deadline = slot.nextAt }
        }
        return deadline
    }

    /// The skips that the reader has not been told of, each stream at most once a second.
    public mutating func untoldSkips(now: Double, _ tell: (_ stream: Int, _ count: Int) -> Void) {
        guard skippedTotal > 0, isWritable, lane.isEmpty else { return }
        for stream in slots.keys {
            guard let slot = slots[stream], slot.skipped > 0, now - slot.toldAt >= 1 else { continue }
            tell(stream, slot.skipped)
            slots[stream]?.skipped = 0
            slots[stream]?.toldAt = now
        }
    }
}
