import MarketModel
import StreamCore

extension BookSession {
    /// Reads a message of a connection, and changes the books that it is about.
    mutating func received(
        _ message: Bytes, _ kind: VenueMessageKind, on connection: Int, _ session: VenueSession, now: Double
    ) {
        changed.removeAll(keepingCapacity: true)
        hasNewDeadline = false
        batch.clear()
        // What cannot be read may have been a change of any book. Where that is noticed by the next one, it costs nothing yet.
        if kind == .malformed {
            if !rules.detectsLosses { failAll(on: connection, .unreadable, now) }
            return
        }
        do throws(ParseError) {
            try reader.read(message, kind, on: connection, session, into: &batch)
        } catch {
            // Whichever book it was about, one of its changes is lost.
            return failAll(on: connection, .unreadable, now)
        }
        if let number = batch.connectionNumber, !follows(number, on: connection) {
            failAll(on: connection, .gap, now)
        }
        for index in batch.messages.indices {
            if batch.messages[index].market < 0 {
                batch.messages[index].market =
                    session.symbols.find(batch.messages[index].symbol.read(in: message)) ?? -1
            }
            guard markets.indices.contains(batch.messages[index].market) else { continue }
            accept(batch.messages[index], on: connection, now)
        }
    }

    /// Whether no message of the connection is missing before this one.
    private mutating func follows(_ number: UInt64, on connection: Int) -> Bool {
        guard rules.numbersConnection else { return true }
        let last = lastNumbers.updateValue(number, forKey: connection)
        return last.map { number == $0 &+ 1 } ?? true
    }

    private mutating func failAll(on connection: Int, _ fault: BookFault, _ now: Double) {
        for market in markets.indices where markets[market].connection == connection {
            switch markets[market].stage {
            case .live, .waiting: fail(market, fault, now)
            // What it waits for may have been lost: that it does not come will be noticed.
            case .idle, .requested, .faulty, .ending: continue
            }
        }
    }

    private mutating func accept(_ message: BookBatch.Message, on connection: Int, _ now: Double) {
        let market = message.market
        if case .idle = markets[market].stage {
            // With the trades it may come before these are known to be granted.
            guard rules.comesWithTrades, markets[market].isWanted, !markets[market].wasEnded,
                message.kind == .snapshot || message.kind == .best
            else { return }
            sent(Request(action: .subscribe, markets: [market], isSilent: true), on: connection, now: now)
        }
        guard markets[market].connection == connection else { return }
        if let depth = message.depth { markets[market].depth = depth }
        switch (markets[market].stage, message.kind) {
        case (_, .depth): return
        case (.requested, .snapshot), (.live, .snapshot): begin(market, message, now)
        case (.requested, .best), (.live, .best): applyBest(market, message, now)
        case (.requested, .update) where rules.source == .request:
            let pause = rules.numbering == .times ? Self.settlingTime : 0
            markets[market].stage = .waiting(fetchAt: now + pause, number: nil)
            keep(message, now)
            if pause == 0 { fetch(market, now) } else { hasNewDeadline = true }
        case (.waiting, .update): keep(message, now)
        case (.live, .update): update(market, message, now)
        // Changes before the book that they are of, and what comes of a book that was given up.
        case (.requested, .update), (.waiting, _), (.idle, _), (.faulty, _), (.ending, _): return
        }
    }

    /// Keeps a change until the whole book is there.
    private mutating func keep(_ message: BookBatch.Message, _ now: Double) {
        let market = message.market
        markets[market].waiting.append(message, of: batch)
        guard
            markets[market].waiting.changes.count > Self.maxWaitingChanges
                || markets[market].waiting.messages.count > Self.maxWaitingMessages
        else { return }
        fail(market, .overflow, now)
    }

    // MARK: Changes

    private mutating func begin(_ market: Int, _ message: BookBatch.Message, _ now: Double) {
        markets[market].book.removeAll()
        markets[market].orders = message.isByOrder ? BookOrders() : nil
        markets[market].sequence.begin(at: message.numbers?.last)
        guard apply(market, message, batch.changes), check(market, message, now) else { return }
        becomeLive(market, now)
    }

    private mutating func update(_ market: Int, _ message: BookBatch.Message, _ now: Double) {
        // A checksum alone, as Bitfinex sends it, has no number.
        if !message.changes.isEmpty || message.numbers != nil {
            switch markets[market].sequence.accept(message.numbers) {
            case .next: break
            case .old: return
            case .gap:
                fail(market, .gap, now)
                if case .waiting = markets[market].stage { keep(message, now) }
                return
            }
        }
        guard apply(market, message, batch.changes) else { return fail(market, .unreadable, now) }
        guard check(market, message, now) else { return }
        note(market)
    }

    private mutating func applyBest(_ market: Int, _ message: BookBatch.Message, _ now: Double) {
        var isNamed = (bid: false, ask: false)
        for index in message.changes {
            if batch.changes[index].side == .bid { isNamed.bid = true } else { isNamed.ask = true }
        }
        if isNamed.bid { markets[market].book.removeAll(.bid) }
        if isNamed.ask { markets[market].book.removeAll(.ask) }
        guard apply(market, message, batch.changes) else { return fail(market, .unreadable, now) }
        let wasShown = markets[market].isShown
        markets[market].isCrossed = markets[market].book.isCrossed
        if markets[market].stage != .live { markets[market].liveSince = now }
        markets[market].stage = .live
        note(market)
        if wasShown, !markets[market].isShown { withhold(market, .crossed) }
        if !wasShown, markets[market].isShown { events.append(.live(market: market)) }
    }

    /// - Returns: whether all changes could be made.
    private mutating func apply(
        _ market: Int, _ message: BookBatch.Message, _ changes: borrowing [BookBatch.Change]
    ) -> Bool {
        counts.messages += 1
        counts.levels += message.changes.count
        if let time = message.time { markets[market].time = time }
        for index in message.changes where !markets[market].apply(changes[index]) { return false }
        if let depth = markets[market].depth ?? rules.depth { markets[market].book.cut(to: depth) }
        return true
    }

    /// Withholds a book that contradicts the venue's checksum or itself.
    private mutating func check(_ market: Int, _ message: BookBatch.Message, _ now: Double) -> Bool {
        if let expected = message.checksum, let rule = rules.checksum {
            let found =
                markets[market].orders?.checksum(rule)
                ?? markets[market].book.checksum(rule)
            guard found == expected else {
                fail(market, .checksum, now)
                return false
            }
            counts.checksums += 1
        }
        guard !markets[market].book.isCrossed else {
            fail(market, .crossed, now)
            return false
        }
        return true
    }

    private mutating func becomeLive(_ market: Int, _ now: Double) {
        let wasShown = markets[market].isShown
        if markets[market].stage != .live { markets[market].liveSince = now }
        markets[market].stage = .live
        note(market)
        if !wasShown { events.append(.live(market: market)) }
    }

    private mutating func note(_ market: Int) { if !changed.contains(market) { changed.append(market) } }

    // MARK: Whole books that are fetched

    /// - Parameter body: what came of a fetch; `nil`: nothing.
    mutating func fetched(_ number: Int, _ body: [UInt8]?, now: Double) {
        changed.removeAll(keepingCapacity: true)
        let market = markets.firstIndex {
            if case .waiting(_, number) = $0.stage { true } else { false }
        }
        // The connection was lost meanwhile, or it came too late.
        guard let market else { return }
        let reader = reader
        let read: BookBatch? = body.flatMap { body in
            body.withUnsafeBytes { bytes in
                var batch = BookBatch()
                do throws(ParseError) { try reader.readSnapshot(bytes, into: &batch) } catch { return nil }
                return batch
            }
        }
        guard let read, let snapshot = read.messages.first else { return refetch(market, now) }
        begin(market, snapshot, of: read, now)
    }

    /// Makes the changes that were kept on the book that was fetched.
    private mutating func begin(_ market: Int, _ snapshot: BookBatch.Message, of batch: BookBatch, _ now: Double) {
        let kept = markets[market].waiting
        guard let number = snapshot.numbers?.last, let first = kept.messages.first?.numbers,
            isCovered(from: first, number)
        else { return refetch(market, now) }
        markets[market].book.removeAll()
        markets[market].sequence.begin(at: number)
        var isRight = apply(market, snapshot, batch.changes)
        for message in kept.messages where isRight {
            switch markets[market].sequence.accept(message.numbers) {
            case .old: continue
            case .next: isRight = apply(market, message, kept.changes)
            case .gap:
                fail(market, .gap, now)
                return
            }
        }
        guard isRight else { return fail(market, .unreadable, now) }
        markets[market].waiting.clear()
        guard check(market, snapshot, now) else { return }
        becomeLive(market, now)
    }

    /// Whether no change lies between a book of this number and the first change that was kept.
    private func isCovered(from first: BookNumbers, _ number: UInt64) -> Bool {
        // Times do not show a change that is missing: the book must be newer than the first one.
        if rules.numbering == .times { return first.last <= number }
        var sequence = BookSequence(rules.numbering)
        sequence.begin(at: number)
        return sequence.accept(first) != .gap
    }

    /// Fetches the whole book once more after a pause; the changes that were kept are kept on.
    private mutating func refetch(_ market: Int, _ now: Double) {
        markets[market].faults += 1
        markets[market].stage = .waiting(fetchAt: now + Self.pauses.wait(before: markets[market].faults), number: nil)
        withhold(market, .snapshot)
    }
}
