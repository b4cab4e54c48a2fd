import MarketFeeds
import StreamCore

/// What `/health` and `/v1/markets` report of a feed.
extension LiveFeed.Runner {
    func status(_ name: String) -> FeedStatus {
        let counts = connections.map { $0.connection.session.venueSession.counts }
        func sum(_ count: (VenueSession.Counts) -> Int) -> Int { counts.reduce(0) { $0 + count($1) } }
        var reconnects = ReconnectCounts()
        for link in connections { reconnects.add(link.connection.session.reconnects) }
        // Those of which nothing is wanted are closed.
        let used = connections.filter { !$0.connection.session.isResting }
        let states = used.map { $0.connection.session.state }
        let state =
            if !isOn {
                "off"
            } else if used.isEmpty {
                "paused"
            } else if used.contains(where: { $0.connection.session.outage != nil }) {
                "unavailable"
            } else if states.allSatisfy({ $0 == .open }) {
                "live"
            } else if states.contains(where: { if case .failed = $0 { true } else { false } }) {
                "failed"
            } else {
                outages == 0 ? "connecting" : "reconnecting"
            }
        return FeedStatus(
            name: name, state: state,
            problem: state == "live" || state == "paused" || state == "off"
                ? loadingProblem
                : Self.sentence(problem, isSlow: used.contains { $0.connection.session.isSlowRetry })
                    ?? loadingProblem,
            figures: [
                ("connections", connections.count), ("outages", outages),
                ("reconnect_attempts", reconnects.attempts), ("reconnects", reconnects.returns),
                ("messages", sum(\.messages)), ("trades", sum(\.trades)), ("duplicates", sum(\.duplicates)),
                ("malformed", sum(\.malformed)), ("missing", sum(\.missing)), ("renumberings", sum(\.renumberings)),
                ("venue_candles", intake.check.compared), ("candle_differences", intake.check.differing),
                ("joined_bars", joiner?.joined ?? 0),
                ("history_failures", joiner?.failures ?? 0),
                ("unloaded_markets", loadings.reduce(0) { $0 + $1.missing.count }),
                ("load_failures", loadings.reduce(0) { $0 + $1.failures }),
                ("idle_markets", eviction?.idleCount ?? 0),
                ("evictions", eviction?.evictions ?? 0), ("restorations", eviction?.restorations ?? 0),
                ("restoration_failures", eviction?.failures ?? 0), ("dropped_candles", intake.dropped),
            ] + VenueFlaw.allCases.map { flaw in (flaw.name, sum { $0.flaws[flaw] }) } + providerFigures)
    }

    private var loadingProblem: String? { loadings.lazy.compactMap(\.problem).first }

    /// What is counted of a configured provider's messages. Empty of venues with an adapter of their own; values that were
    /// never missing are left out.
    private var providerFigures: [(name: String, value: Int)] {
        let counts = connections.compactMap { $0.connection.session.venueSession.providerCounts }
        guard !counts.isEmpty else { return [] }
        func sum(_ count: (ProviderCounts) -> Int) -> Int { counts.reduce(0) { $0 + count($1) } }
        let missing = ProviderField.allCases.map { field in
            (name: "missing_\(field.word)", value: sum { $0.missing[field] })
        }
        return [("unknown_types", sum(\.unknownTypes)), ("other_symbols", sum(\.otherSymbols))]
            + missing.filter { $0.value > 0 }
    }
}
