import MarketModel

extension SubscriptionSet {
    /// A socket may be used: everything wanted is to be requested on it.
    mutating func begin(now: Double) {
        bucket = TokenBucket(
            rate: configuration.subscribesPerSecond, burst: configuration.subscribesPerSecond, now: now)
        for index in entries.indices where entries[index] != nil { enqueue(index) }
    }

    /// A socket is gone, with all its requests.
    mutating func lost(_ socket: SocketNumber) {
        for index in entries.indices {
            if entries[index]?.requestedOn == socket { entries[index]?.requestedOn = nil }
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
        leaving.removeAll { $0.socket == socket }
    }

    /// Sends the requests that are due, as fast as the server allows.
    mutating func pump(to target: SocketNumber, now: Double, _ out: inout SessionOutput) {
        while let stream = leaving.first {
            guard bucket.consume(now: now) else { return }
            _ = leaving.popFirst()
            lastRequest += 1
            out.send(
                .unsubscribe(symbol: stream.symbol, timeframe: stream.timeframe, id: RequestID(lastRequest)),
                on: stream.socket)
        }
        while let index = queue.first {
            guard needsRequest(index, on: target, now: now) else {
                _ = queue.popFirst()
                entries[index]?.isQueued = false
                continue
            }
            guard bucket.consume(now: now) else { return }
            _ = queue.popFirst()
            entries[index]?.isQueued = false
            sendRequests(index, on: target, now: now, &out)
        }
        _ = queue.popFirst()
    }

    private mutating func needsRequest(_ index: Int, on target: SocketNumber, now: Double) -> Bool {
        guard let entry = entries[index], entry.isQueued, isWanted(entry) else { return false }
        guard entry.requestAfter <= now else {
            reviewAt = min(reviewAt, entry.requestAfter)
            return false
        }
        if let pending = entry.pending, pending.socket == target {
            return entry.requestedRate != rate(of: entry) || entry.freshReason != nil && pending.recover != nil
        }
        guard entry.owner == target else { return true }
        return entry.requestedRate != rate(of: entry) || entry.freshReason != nil && entry.snapshotBy == nil
    }

    private mutating func sendRequests(_ index: Int, on target: SocketNumber, now: Double, _ out: inout SessionOutput) {
        guard var request = entries[index]?.requested else { return }
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
        let answerBy = now + configuration.answerTimeout(after: entries[index]?.unanswered ?? 0)
        entries[index]?.requestedRate = request.maxRate
        entries[index]?.requestedOn = target
        entries[index]?.pending = Subscription.Pending(
            id: lastRequest, socket: target, recover: request.recover, answerBy: answerBy)
        reviewAt = min(reviewAt, answerBy)
        out.send(.subscribe(request), on: target)
    }

    var hasRequests: Bool { !queue.isEmpty || !leaving.isEmpty }

    /// When `review` or `pump` has something to do.
    var requestDeadline: Double { hasRequests ? min(reviewAt, bucket.nextAvailable) : reviewAt }

    /// Looks for requests that were not answered, and for those whose time has come.
    mutating func review(now: Double) {
        guard now >= reviewAt else { return }
        reviewAt = .infinity
        for index in entries.indices {
            guard let entry = entries[index] else { continue }
            if let pending = entry.pending {
                guard isDue(pending.answerBy, now) else { continue }
                entries[index]?.pending = nil
            } else if let snapshotBy = entry.snapshotBy {
                guard isDue(snapshotBy, now) else { continue }
                entries[index]?.owner = nil
                entries[index]?.snapshotBy = nil
            } else {
                if entry.owner == nil, isWanted(entry), isDue(entry.requestAfter, now) { enqueue(index) }
                continue
            }
            entries[index]?.unanswered += 1
            enqueue(index)
        }
    }

    private mutating func isDue(_ time: Double, _ now: Double) -> Bool {
        if now < time { reviewAt = min(reviewAt, time) }
        return now >= time
    }

    /// Whether this socket serves everything that is wanted.
    func isServed(by socket: SocketNumber) -> Bool {
        for case let entry? in entries where isWanted(entry) {
            if entry.owner != socket || !entry.isLive { return false }
        }
        return true
    }
}
