internal import MarketModel

/// Bars one beside the other, or each where its time is.
extension ChartView {
    /// Spaces bars by their index or by their time. A view that follows goes on with the newest bar where it is on
    /// screen; any other keeps the time in its middle. Switched there and back without a move in between, it is the view
    /// that it was.
    public mutating func setTimeScale(_ kind: TimeScaleKind) {
        guard kind != timeScaleKind else { return }
        let before = viewport
        let middle = time(atIndex: slots.index(of: viewport.index(atX: plotWidth / 2, plotWidth: plotWidth)))
        let margin = viewport.right - reach.newest
        timeScaleKind = kind
        mark(.everything)
        if let old = switched, old.to == before, old.count == count {
            viewport = old.from
            viewport.clamp(to: reach, plotWidth: plotWidth)
        } else if !series.isEmpty {
            if before.isFollowing {
                viewport.right = reach.newest + margin
            } else {
                viewport.right = slots.slot(at: index(atTime: middle)) + visibleCount / 2
            }
            viewport.clamp(to: reach, plotWidth: plotWidth)
        }
        switched = (before, viewport, count)
    }

    /// Where bars are in the viewport's unit.
    var slots: TimeSlots { TimeSlots(kind: timeScaleKind, series: series, timeframe: timeframe) }

    /// What the viewport can be moved over.
    var reach: Reach {
        guard timeScaleKind == .time, !series.isEmpty else { return Reach(count: count) }
        let slots = slots
        return Reach(oldest: slots.slot(0), newest: slots.slot(count - 1))
    }

    /// The bars of which at least a part is on screen.
    var visibleBars: Range<Int> {
        guard timeScaleKind == .time, plotWidth > 0 else {
            return viewport.visibleBars(count: count, plotWidth: plotWidth)
        }
        return slots.bars(from: viewport.index(atX: 0, plotWidth: plotWidth), to: viewport.right)
    }

    /// The indices on screen, with those before the oldest bar and after the newest one.
    var visibleIndices: Range<Int> {
        guard timeScaleKind == .time, plotWidth > 0 else { return viewport.visibleIndices(plotWidth: plotWidth) }
        return slots.indices(from: viewport.index(atX: 0, plotWidth: plotWidth), to: viewport.right)
    }

    mutating func updateTimeTicks() {
        let distance = (size.width < Layout.narrow ? 70 : 90) * max(1, layout.fontScale)
        if timeScaleKind == .bars {
            scratch.timeTicks.update(
                series: series, timeframe: timeframe, visible: visibleIndices, spacing: viewport.barSpacing,
                distance: distance, clock: &clock)
        } else {
            scratch.timeTicks.update(
                slots, from: viewport.index(atX: 0, plotWidth: plotWidth), to: viewport.right,
                spacing: viewport.barSpacing, distance: distance, clock: &clock)
        }
    }
}
