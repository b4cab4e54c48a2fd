import MarketModel

/// Which state of the list of markets a client has: `GET /v1/markets?since=` answers with what has changed since.
struct MarketListPosition: Sendable, Equatable {
    /// Of this run of the server.
    var run: UInt32
    /// Of their names, and of which there are.
    var listing: Int
    /// By the feed's clock: with each minute, the 24 hours of all markets begin later.
    var minute: Int
    /// Changes of markets so far.
    var changes: Int

    init(run: UInt32, listing: Int, minute: Int, changes: Int) {
        (self.run, self.listing, self.minute, self.changes) = (run, listing, minute, changes)
    }

    /// - Returns: `nil` for what is none.
    init?(_ text: String) {
        let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 4, let run = numbers[0].flatMap(UInt32.init(exactly:)), let listing = numbers[1],
            let minute = numbers[2], let changes = numbers[3]
        else { return nil }
        self.init(run: run, listing: listing, minute: minute, changes: changes)
    }

    var text: String { "\(run)-\(listing)-\(minute)-\(changes)" }

    /// Whether all that differs at `now` is in markets that have changed since.
    func differsByMarkets(from now: MarketListPosition) -> Bool {
        run == now.run && listing == now.listing && minute == now.minute && changes <= now.changes
    }
}

/// The list of markets, or what of it has changed.
struct MarketList: Sendable {
    var summaries: [MarketSummary]
    var position: MarketListPosition
    /// Whether those that are not in it are as they were.
    var isPartial: Bool
}

extension MarketPipeline {
    /// - Parameter known: what a client has; all that is not of this run, or too old, gets the whole list.
    func list(since known: MarketListPosition?) -> MarketList {
        // First: a market that is added meanwhile belongs to the next position.
        let position = MarketListPosition(
            run: run, listing: registry.listing, minute: Int((now / 60).rounded(.up)), changes: changes)
        guard let known, known.differsByMarkets(from: position) else {
            return MarketList(summaries: summaries(), position: position, isPartial: false)
        }
        let changed = registry.listed.filter { markets[$0].changedAt > known.changes }
        return MarketList(summaries: changed.map(summary), position: position, isPartial: true)
    }
}
