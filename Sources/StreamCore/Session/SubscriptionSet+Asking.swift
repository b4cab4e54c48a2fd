import MarketModel

extension SubscriptionSet {
    /// A socket may be used: everything wanted is to be asked for on it.
    mutating func begin(now: Double) {
        bucket = TokenBucket(
            rate: configuration.subscribesPerSecond, burst: configuration.subscribesPerSecond, now: now)
        for index in entries.indices where entries[index] != nil { enqueue(index) }
    }

    /// A socket is gone, with all that was asked on it.
    mutating func lost(_ socket: SocketNumber) {
        for index in entries.indices {
            if entries[index]?.askedOn == socket { entries[index]?.askedOn = nil }
            if entries[index]?.pending?.socket == socket {
                entries[index]?.pending = nil
                enqueue(index)
            }
            if entries[index]?.owner == socket {
                entries[index]?.owner = nil
                entries[index]?.snapshotBy = nil
                entries[index]?.wasLost = true
                enqueue(index)
            }
        }
        var kept = ActionQueue<Leaving>()
        while let stream = leaving.next() {
            if stream.socket != socket { kept.append(stream) }
        }
        leaving = kept
    }

    /// Says what is to be said, as fast as the server may be asked.
    mutating func pump(to target: SocketNumber, now: Double, _ out: inout SessionOutput) {
        while let stream = leaving.first {
            guard bucket.take(now: now) else { return }
            _ = leaving.next()
            lastRequest += 1
            out.send(
                .unsubscribe(symbol: stream.symbol, timeframe: stream.timeframe, id: RequestID(lastRequest)),
                on: stream.socket)
        }
        while let index = queue.first {
            guard isToBeAsked(index, on: target, now: now) else {
                _ = queue.next()
                entries[index]?.isQueued = false
                continue
            }
            guard bucket.take(now: now) else { return }
            _ = queue.next()
            entries[index]?.isQueued = false
            ask(index, on: target, now: now, &out)
        }
        _ = queue.next()
    }

    private mutating func isToBeAsked(_ index: Int, on target: SocketNumber, now: Double) -> Bool {
        guard let entry = entries[index], entry.isQueued, isWanted(entry) else { return false }
        guard entry.askAfter <= now else {
            reviewAt = min(reviewAt, entry.askAfter)
            return false
        }
        if let pending = entry.pending, pending.socket == target {
            return entry.askedRate != rate(of: entry) || entry.freshReason != nil && pending.recover != nil
        }
        guard entry.owner == target else { return true }
        return entry.askedRate != rate(of: entry) || entry.freshReason != nil && entry.snapshotBy == nil
    }

    private mutating func ask(_ index: Int, on target: SocketNumber, now: Double, _ out: inout SessionOutput) {
        guard var request = entries[index]?.wish else { return }
        lastRequest += 1
        request.id = RequestID(lastRequest)
        request.maxRate = entries[index].flatMap { rate(of: $0) }
        if entries[index]?.freshReason == nil { request.recover = entries[index]?.progress.position }
        // What the old request still brings must not come between.
        if entries[index]?.owner == target {
            entries[index]?.owner = nil
            entries[index]?.snapshotBy = nil
        }
        entries[index]?.isSnapshotSuperfluous = false
        let answerBy = now + patience(index)
        entries[index]?.askedRate = request.maxRate
        entries[index]?.askedOn = target
        entries[index]?.pending = Subscription.Pending(
            id: lastRequest, socket: target, recover: request.recover, answerBy: answerBy)
        reviewAt = min(reviewAt, answerBy)
        out.send(.subscribe(request), on: target)
    }

    /// Seconds an answer may take: longer each time, because a server or a line that is too slow gets slower by being
    /// asked again.
    func patience(_ index: Int) -> Double {
        var patience = configuration.connectTimeout
        for _ in 0..<min(entries[index]?.unanswered ?? 0, 4) { patience *= 2 }
        return patience
    }

    var hasToAsk: Bool { !queue.isEmpty || !leaving.isEmpty }

    /// When `review` or `pump` has something to do.
    var askDeadline: Double {
        hasToAsk ? min(reviewAt, bucket.nextAvailable) : reviewAt
    }

    /// Looks for requests that were not answered, and for those whose time has come.
    mutating func review(now: Double) {
        guard now >= reviewAt else { return }
        reviewAt = .infinity
        for index in entries.indices {
            guard let entry = entries[index] else { continue }
            if let pending = entry.pending {
                if now >= pending.answerBy {
                    entries[index]?.pending = nil
                    entries[index]?.unanswered += 1
                    enqueue(index)
                } else {
                    reviewAt = min(reviewAt, pending.answerBy)
                }
            } else if let snapshotBy = entry.snapshotBy {
                if now >= snapshotBy {
                    entries[index]?.owner = nil
                    entries[index]?.snapshotBy = nil
                    entries[index]?.unanswered += 1
                    enqueue(index)
                } else {
                    reviewAt = min(reviewAt, snapshotBy)
                }
            } else if entry.owner == nil, isWanted(entry) {
                if now >= entry.askAfter { enqueue(index) } else { reviewAt = min(reviewAt, entry.askAfter) }
            }
        }
    }

    /// Whether this socket serves everything that is wanted.
    func isServed(by socket: SocketNumber) -> Bool {
        for case let entry? in entries where isWanted(entry) {
            if entry.owner != socket || !entry.isLive { return false }
        }
        return true
    }
}
