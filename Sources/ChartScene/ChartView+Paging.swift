public import MarketModel

/// Bars that have been in the chart and went, because a chart keeps no more than its capacity. They exist elsewhere; a
/// page requests them again when they come near to being seen.
package struct PagedOut: Sendable, Equatable {
    /// Bars before the oldest one.
    package internal(set) var older = 0
    /// Bars after the newest one. While there are any, live bars are not shown and not lost: `newest` has the last of
    /// them, and those in between are with the others that the page will ask for.
    package internal(set) var newer = 0
    /// The newest bar that there is, where it is not in the chart.
    package internal(set) var newest: Candle?

    package init() {}
}

/// A chart is a window on a series that may be longer than its capacity. Panning to the left, `prepend` lets the newest
/// bars go that are off screen; panning back, `appendPage` lets the oldest go.
extension ChartView {
    /// Whether the view comes within 50 bars of a newest bar that is not the newest there is, so that newer bars should
    /// be fetched: those from the last bar's time on.
    public var needsNewer: Bool {
        pagedOut.newer > 0 && slots.index(of: viewport.right) > Double(count) - Double(Self.nearBars)
    }

    /// Puts newer bars behind the newest one, until the bar is reached that live prices go on with. What is on screen
    /// does not move. Bars that are not newer than the newest one are left out.
    /// - Parameters:
    ///   - candles: in ascending order, without a hole from the newest bar on.
    ///   - isLast: there are no newer ones.
    /// - Returns: how many bars were added.
    @discardableResult public mutating func appendPage(_ candles: some Collection<Candle>, isLast: Bool) -> Int {
        guard pagedOut.newer > 0, let newest = pagedOut.newest, let last = series.last else { return 0 }
        var added = 0
        var reached = last.timestamp
        for candle in candles where candle.isWellFormed && candle.timestamp > reached {
            reached = candle.timestamp
            // From here on what came live is at least as new.
            guard reached < newest.timestamp else { break }
            appendInPlace(candle)
            added += 1
        }
        if isLast || reached >= newest.timestamp {
            appendInPlace(newest)
            pagedOut.newer = 0
            pagedOut.newest = nil
            reseedBuilder()
            added += 1
        } else {
            // At least the bar that live prices go on with is still missing.
            pagedOut.newer = max(1, pagedOut.newer - added)
        }
        return added
    }

    /// Bars from an end to the view's edge that count as near it.
    static let nearBars = 50

    /// Makes room for older bars at the cap: lets the newest ones go that are off screen.
    mutating func pageOutNewest(for candles: some Collection<Candle>) {
        guard let oldest = series.first, let last = series.last else { return }
        var coming = 0
        for candle in candles where candle.timestamp < oldest.timestamp && candle.isWellFormed { coming += 1 }
        let needed = min(coming, series.capacity) + count - series.capacity
        let seen = integer(slots.index(of: viewport.right).rounded(.up), in: 0...count) + 2 * Self.nearBars
        let dropped = min(needed, count - seen)
        guard dropped > 0 else { return }
        if pagedOut.newest == nil { pagedOut.newest = last }
        pagedOut.newer += dropped
        viewport.isFollowing = false
        viewport.isSpreading = false
        changeSeries { $0.dropLast(dropped) }
        barsChanged(.all)
    }

    /// A live bar while the newest ones are paged out: the chart knows of it, and shows it when it gets there.
    mutating func placeUnseen(_ candle: Candle) -> PlaceResult? {
        guard let newest = pagedOut.newest, let last = series.last, candle.timestamp > last.timestamp else {
            return nil
        }
        guard candle.isWellFormed else { return .rejected(.malformed) }
        guard candle.timestamp >= newest.timestamp else { return .merged }
        pagedOut.newest = candle
        mark(.lastBar)
        if candle.timestamp == newest.timestamp { return .merged }
        pagedOut.newer += 1
        return .applied
    }

    /// Appends a bar; at the cap the oldest goes. The view stays where it is.
    private mutating func appendInPlace(_ candle: Candle) {
        let before = count
        guard changeSeries({ $0.place(candle) }) == .applied else { return }
        let dropped = before + 1 - count
        pagedOut.older += dropped
        barsChanged(.from(index: count - 1, dropped: dropped))
        if dropped > 0 { shiftIndices(by: -dropped, from: 0) }
        raiseCeiling(to: candle.high)
    }
}
