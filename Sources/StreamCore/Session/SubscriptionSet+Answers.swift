import MarketModel

extension SubscriptionSet {
    /// Seconds between two gaps that count as one trouble.
    private static let gapMemory = 10.0

    // MARK: Requests

    mutating func subscribed(
        id: RequestID?, symbol: String, timeframe: Timeframe?, position: StreamPosition?, recovered: Bool,
        on socket: SocketNumber, now: Double, _ out: inout SessionOutput
    ) {
        guard let index = answered(id, symbol, timeframe, on: socket), let entry = entries[index],
            let pending = entry.pending
        else { return }
        learn(symbol, entry.requested.timeframe, isEntry: index)
        entries[index]?.pending = nil
        let wasLive = entry.isLive
        entries[index]?.owner = socket
        if let offset = continuation(entry, pending, position, recovered) {
            entries[index]?.snapshotBy = nil
            entries[index]?.isSnapshotSuperfluous = !recovered
            entries[index]?.progress.resume(from: offset)
            if entry.wasLost { out.counts.recovered &+= 1 }
            if !wasLive { out.emit(entry.number, .subscribed(recovered: true)) }
            becomeLive(index, now: now)
        } else {
            let snapshotBy = now + configuration.answerTimeout(after: entry.unanswered)
            entries[index]?.snapshotBy = snapshotBy
            reviewAt = min(reviewAt, snapshotBy)
            out.emit(entry.number, .subscribed(recovered: false))
        }
    }

    /// The offset after which the socket continues what was delivered; `nil` where only a snapshot helps.
    private func continuation(
        _ entry: Subscription, _ pending: Subscription.Pending, _ position: StreamPosition?, _ recovered: Bool
    ) -> Int64? {
        // A new epoch may have come over the other socket while this answer was on its way: its snapshot follows here.
        guard entry.freshReason == nil, let position, let delivered = entry.progress.position,
            position.epoch == delivered.epoch
        else { return nil }
        if recovered { return pending.recover?.epoch == position.epoch ? pending.recover?.offset : nil }
        // While a connection is replaced the old one may have delivered more than the snapshot holds: using that would
        // deliver some final candles twice.
        return position.offset <= delivered.offset ? position.offset : nil
    }

    /// The entry whose request this answers: the newest one only.
    private func answered(
        _ id: RequestID?, _ symbol: String, _ timeframe: Timeframe?, on socket: SocketNumber
    ) -> Int? {
        if let id {
            let number = id.number
            return entries.firstIndex { $0?.pending?.socket == socket && $0?.pending?.id == number }
        }
        // A server that does not echo ids.
        guard let timeframe, let index = index(symbol, timeframe), entries[index]?.pending?.socket == socket else {
            return nil
        }
        return index
    }

    /// - Returns: whether the error answered a request to subscribe.
    mutating func refused(
        _ id: RequestID, code: String, message: String, on socket: SocketNumber, _ out: inout SessionOutput
    ) -> Bool {
        let number = id.number
        guard let index = entries.firstIndex(where: { $0?.pending?.socket == socket && $0?.pending?.id == number }),
            let entry = entries[index]
        else { return false }
        entries[index]?.detach()
        entries[index]?.requestedOn = nil
        entries[index]?.refusal = SessionRefusal(code: code, message: message)
        out.emit(entry.number, .refused(code: code, message: message))
        return true
    }

    /// The server ended a subscription by itself, which it says without the id of a request: the market is gone.
    mutating func ended(symbol: String, timeframe: Timeframe?, on socket: SocketNumber, _ out: inout SessionOutput) {
        guard let timeframe, let index = index(symbol, timeframe), let entry = entries[index],
            entry.owner == socket || entry.pending?.socket == socket
        else { return }
        let message = "\(symbol) was removed from the server."
        entries[index]?.detach()
        entries[index]?.requestedOn = nil
        entries[index]?.refusal = SessionRefusal(code: "unknown_symbol", message: message)
        out.emit(entry.number, .refused(code: "unknown_symbol", message: message))
    }

    private mutating func becomeLive(_ index: Int, now: Double) {
        entries[index]?.freshReason = nil
        entries[index]?.wasLost = false
        entries[index]?.unanswered = 0
        guard let symbol = entries[index]?.symbol else { return }
        watch(symbol, except: index, now: now)
    }

    // MARK: Data

    mutating func snapshot(
        symbol: String, timeframe: Timeframe?, candles: [Candle], position: StreamPosition?, on socket: SocketNumber,
        now: Double, _ out: inout SessionOutput
    ) {
        guard let timeframe, let index = index(symbol, timeframe), let entry = entries[index] else { return }
        if entry.owner != socket {
            // A server without positions answers with the snapshot itself.
            guard position == nil, entry.owner == nil, entry.pending?.socket == socket else { return }
            entries[index]?.pending = nil
            entries[index]?.owner = socket
        }
        if entry.isSnapshotSuperfluous {
            entries[index]?.isSnapshotSuperfluous = false
            if let position, entry.progress.contains(position) { return }
        }
        let isRequested = entry.owner != socket || entry.snapshotBy != nil
        let reason: SnapshotReason = isRequested ? entry.freshReason ?? .reloaded : .server
        entries[index]?.snapshotBy = nil
        if let position {
            let skipped = entries[index]?.progress.restart(at: position) ?? 0
            // What was left out before a request of ours is of no interest any more.
            if skipped > 0, !isRequested { reportSkipped(skipped, entry.number, &out) }
        } else {
            entries[index]?.progress.forget()
        }
        if reason == .reloaded { out.counts.reloaded += 1 }
        out.emit(entry.number, .snapshot(candles, reason))
        becomeLive(index, now: now)
    }

    private func reportSkipped(_ count: Int, _ number: SubscriptionNumber, _ out: inout SessionOutput) {
        out.counts.skipped += Int64(count)
        out.emit(number, .skipped(count))
    }

    mutating func skipped(symbol: String, timeframe: Timeframe?, count: Int, on socket: SocketNumber) {
        guard let timeframe, let index = index(symbol, timeframe), entries[index]?.owner == socket else { return }
        entries[index]?.progress.skip(count)
    }

    mutating func tick(
        symbol: String, timeframe: Timeframe?, _ tick: Tick, offset: Int64?, on socket: SocketNumber, now: Double,
        _ out: inout SessionOutput
    ) {
        if let timeframe {
            guard let index = index(symbol, timeframe) else { return }
            deliver(index, .tick(tick), offset, on: socket, now: now, &out)
        } else {
            // A server that does not name the stream of the symbol that a tick belongs to.
            for timeframe in Timeframe.allCases {
                guard let index = index(symbol, timeframe) else { continue }
                deliver(index, .tick(tick), offset, on: socket, now: now, &out)
            }
        }
    }

    mutating func candle(
        symbol: String, _ bar: Bar, offset: Int64?, on socket: SocketNumber, now: Double, _ out: inout SessionOutput
    ) {
        guard let index = index(symbol, bar.timeframe) else { return }
        deliver(index, .candle(bar), offset, on: socket, now: now, &out)
    }

    private mutating func deliver(
        _ index: Int, _ event: StreamEvent, _ offset: Int64?, on socket: SocketNumber, now: Double,
        _ out: inout SessionOutput
    ) {
        guard let number = entries[index]?.number, let symbol = entries[index]?.symbol else { return }
        let isOwner = entries[index]?.owner == socket
        guard let offset else {
            // A server without positions: there is nothing to compare.
            guard isOwner || entries[index]?.pending?.socket == socket else { return }
            if case .tick = event { ticked(symbol, now: now, &out) }
            return out.emit(number, event)
        }
        guard isOwner, entries[index]?.snapshotBy == nil else { return }
        switch entries[index]?.progress.accept(offset) {
        case .deliver(let skipped):
            if case .tick = event { ticked(symbol, now: now, &out) }
            if skipped > 0 { reportSkipped(skipped, number, &out) }
            out.emit(number, event)
        case .duplicate: out.counts.duplicates &+= 1
        case .gap: broken(index, now: now, &out)
        case nil: break
        }
    }

    /// Something was lost: the stream starts again, at once the first time and more slowly where it happens again.
    private mutating func broken(_ index: Int, now: Double, _ out: inout SessionOutput) {
        guard let entry = entries[index] else { return }
        out.counts.gaps += 1
        out.emit(entry.number, .gap)
        entries[index]?.detach()
        entries[index]?.freshReason = .gap
        let gapsInRow = now - entry.lastGapAt < Self.gapMemory ? min(entry.gapsInRow + 1, 5) : 0
        entries[index]?.gapsInRow = gapsInRow
        entries[index]?.lastGapAt = now
        entries[index]?.requestAfter = gapsInRow == 0 ? now : now + Double(1 << gapsInRow)
        enqueue(index)
    }
}
