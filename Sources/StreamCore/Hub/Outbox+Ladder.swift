extension Outbox {
    /// Reviews the reader, about once a second: slows it down or lets it go faster, and returns when it is hopeless.
    /// - Parameter pendingBytes: what the network has been given and has not sent; a smaller number than last time is
    ///   progress.
    public mutating func turn(now: Double, pendingBytes: Int) -> Verdict {
        pace.turn(now: now)
        if isWritable || pendingBytes < lastPending { progressAt = now }
        lastPending = pendingBytes
        return !isWritable && now - progressAt >= limits.stall ? .stalled : .fine
    }

    /// The next stream for which the owner is to get a snapshot, if there is one and the reader has room for it. It is
    /// then waited for: the same stream is not named again.
    public mutating func popSnapshotNeed() -> SnapshotNeed? {
        guard !lapsed.isEmpty, isWritable, lane.isEmpty, snapshotRequests < Self.snapshotRequestLimit else {
            return nil
        }
        let stream = lapsed.removeFirst()
        guard let slot = slots[stream] else { return nil }
        slots[stream]?.pendingSnapshot = .requested
        snapshotRequests += 1
        return SnapshotNeed(stream: stream, after: slot.last)
    }

    /// Messages up to `offset` were lost on the way here, and not only ticks: the stream needs a snapshot.
    public mutating func lose(stream: Int, through offset: Int64) {
        guard let slot = slots[stream] else { return }
        slots[stream]?.follow(to: offset, missing: Int(clamping: max(0, offset - slot.newest)))
        requireSnapshot(stream)
    }

    /// Gives up final candles where too many of them wait.
    mutating func shorten(_ stream: Int) {
        if let slot = slots[stream], slot.laneCost > limits.streamBytes { requireSnapshot(stream) }
        guard shortenable > limits.shortenableBytes else { return }
        // The order in which they began to wait, so that none comes last again and again.
        var streams: [Int] = []
        for message in lane where message.kind.isShortenable && !streams.contains(message.stream) {
            streams.append(message.stream)
        }
        for stream in streams { requireSnapshot(stream) }
    }

    private mutating func requireSnapshot(_ stream: Int) {
        guard slots[stream]?.pendingSnapshot == PendingSnapshot.none else { return }
        dropWaiting(of: stream)
        slots[stream]?.pendingSnapshot = .due
        lapsed.append(stream)
        lapses += 1
    }

    /// Forgets what waits of a stream, in the lane and beside it.
    mutating func dropWaiting(of stream: Int) {
        _ = removeWaiting(of: stream)
        lapsed.removeAll { $0 == stream }
        guard !lane.isEmpty else { return }
        var rest: [Message] = []
        for message in lane {
            if message.kind != .control, message.stream == stream { forget(message) } else { rest.append(message) }
        }
        lane = rest
    }

    /// A message waits in the lane no longer.
    mutating func forget(_ message: Message) {
        heldBytes -= message.cost
        guard message.kind.isShortenable else { return }
        shortenable -= message.cost
        if message.kind != .past { slots[message.stream]?.laneCost -= message.cost }
    }

    /// A stream's waiting tick and forming candle, oldest first; they wait no longer.
    mutating func removeWaiting(of stream: Int) -> [Message] {
        guard waitingSlots.remove(stream) != nil, let index = slots.index(of: stream) else { return [] }
        var waiting: [Message] = []
        if let tick = slots.entries[index].value.tick { waiting.append(tick) }
        if let forming = slots.entries[index].value.forming { waiting.append(forming) }
        slots.entries[index].value.tick = nil
        slots.entries[index].value.forming = nil
        if waiting.count == 2, waiting[1].offset < waiting[0].offset { waiting.swapAt(0, 1) }
        return waiting
    }
}

/// The second step of the slow-reader ladder: how often a reader gets the latest of each stream.
///
/// What the network already has cannot be replaced by anything newer. A reader that is merely conflated therefore
/// reads the past, as much of it as the buffers between hold. So a reader that spends half of its time behind is
/// written to less often: a sixteenth of a second between two sendings of a stream, doubled each second up to one
/// second, and halved each second in which it kept up.
@usableFromInline struct ReaderPace {
    static let minInterval = 1.0 / 16
    static let maxInterval = 1.0

    /// Seconds between two sendings of a stream; 0: no limit.
    @usableFromInline private(set) var interval = 0.0
    /// Since when the network has accepted nothing; `nil` while it accepts.
    private var blockedSince: Double?
    /// Seconds blocked since `windowStart`.
    private var blocked = 0.0
    private var windowStart: Double?

    mutating func block(now: Double) {
        if windowStart == nil { windowStart = now }
        if blockedSince == nil { blockedSince = now }
    }

    mutating func unblock(now: Double) {
        guard let since = blockedSince else { return }
        blocked += max(0, now - since)
        blockedSince = nil
    }

    /// Judges the time since the last verdict; at least a second must have passed.
    mutating func turn(now: Double) {
        // A reader that never made us wait costs nothing here.
        guard let start = windowStart, now - start >= 1 else { return }
        if let since = blockedSince {
            blocked += max(0, now - since)
            blockedSince = now
        }
        let share = blocked / (now - start)
        if share >= 0.5 {
            interval = min(max(interval * 2, Self.minInterval), Self.maxInterval)
        } else if share <= 0.05 {
            interval = interval <= Self.minInterval ? 0 : interval / 2
        }
        blocked = 0
        windowStart = interval == 0 && blockedSince == nil ? nil : now
    }
}
