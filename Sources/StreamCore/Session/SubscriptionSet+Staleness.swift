extension SubscriptionSet {
    /// A stream of the symbol became live: unless another one already was, the lack of ticks counts from now.
    mutating func watch(_ symbol: Int, except index: Int, now: Double) {
        let isWatched = entries.indices.contains {
            $0 != index && entries[$0]?.symbol == symbol && entries[$0]?.isLive == true
        }
        if !isWatched || symbols[symbol].watchedSince == .infinity { symbols[symbol].watchedSince = now }
        staleCheckAt = min(staleCheckAt, now + configuration.staleAfter)
    }

    /// A tick of any of the symbol's streams.
    mutating func ticked(_ symbol: Int, now: Double, _ out: inout SessionOutput) {
        symbols[symbol].lastTickAt = now
        symbols[symbol].watchedSince = now
        guard symbols[symbol].isStale else { return }
        symbols[symbol].isStale = false
        for index in entries.indices where entries[index]?.symbol == symbol {
            guard let number = entries[index]?.number, entries[index]?.isReportedStale == true else { continue }
            entries[index]?.isReportedStale = false
            out.emit(number, .fresh)
        }
        staleCheckAt = min(staleCheckAt, now + configuration.staleAfter)
    }

    /// The server noticed it first.
    mutating func serverReportedStale(_ symbol: String, age: Double, _ out: inout SessionOutput) {
        guard let symbol = symbolNumber(symbol), !isHidden else { return }
        for index in entries.indices where entries[index]?.symbol == symbol && entries[index]?.isLive == true {
            reportStale(index, age: age, &out)
        }
    }

    private mutating func reportStale(_ index: Int, age: Double, _ out: inout SessionOutput) {
        guard let entry = entries[index], !entry.isReportedStale else { return }
        entries[index]?.isReportedStale = true
        symbols[entry.symbol].isStale = true
        out.emit(entry.number, .stale(age: age))
    }

    /// When `checkStaleness` has something to look at.
    var staleDeadline: Double { isHidden ? .infinity : staleCheckAt }

    /// Looks for symbols without ticks. Only while the connection is open.
    mutating func checkStaleness(now: Double, _ out: inout SessionOutput) {
        guard now >= staleCheckAt else { return }
        staleCheckAt = .infinity
        guard !isHidden else { return }
        for index in entries.indices {
            guard let entry = entries[index], entry.isLive, !entry.isReportedStale else { continue }
            // A stream that requested one tick a minute is not stale after fifteen seconds.
            let pace = rate(of: entry).map { 2 / $0 } ?? 0
            let since = symbols[entry.symbol].watchedSince
            let due = since + max(configuration.staleAfter, pace)
            if now >= due {
                reportStale(index, age: now - since, &out)
            } else {
                staleCheckAt = min(staleCheckAt, due)
            }
        }
    }
}
