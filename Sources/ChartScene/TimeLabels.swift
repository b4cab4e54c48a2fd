internal import MarketModel

/// The labels below the plot, and the name of their time zone in the corner below the prices.
extension Scene {
    func drawTimes(_ scratch: inout Scratch, into list: inout DisplayList) {
        let ordinary = scratch.timeTicks.step.ordinaryRank
        let dated = datedLabel(&scratch)
        scratch.timeLabels.removeAll(keepingCapacity: true)
        for place in 0..<scratch.timeTicks.ticks.count {
            let span = writeTick(place, dated: place == dated, &scratch)
            guard span.isWhole(layout) else { continue }
            scratch.timeLabels.append(span)
            let stands = scratch.timeTicks.ticks[place].rank > ordinary
            list.text(
                stands ? theme.strongText : theme.axisText, x: span.middle, y: layout.timeLabelY,
                size: layout.axisFont, align: .centre, bold: stands, scratch.text)
        }
        drawZone(&scratch.text, into: &list)
    }

    /// Where no label has the unit above the ordinary ones (clock times without a day, days without a month, months
    /// without a year), the first one with room for it does. The crosshair has no say in it: labels do not change
    /// under a moving pointer.
    private func datedLabel(_ scratch: inout Scratch) -> Int? {
        let count = scratch.timeTicks.ticks.count
        let ordinary = scratch.timeTicks.step.ordinaryRank
        guard ordinary < .year else { return nil }
        for place in 0..<count where scratch.timeTicks.ticks[place].rank > ordinary {
            if writeTick(place, dated: false, &scratch).isWhole(layout) { return nil }
        }
        let gap = layout.axisFont / 2
        var before = -Double.infinity
        for place in 0..<count {
            let plain = writeTick(place, dated: false, &scratch)
            guard plain.isWhole(layout) else { continue }
            let span = writeTick(place, dated: true, &scratch)
            var after = Double.infinity
            if place + 1 < count {
                let next = writeTick(place + 1, dated: false, &scratch)
                if next.isWhole(layout) { after = next.left }
            }
            if span.isWhole(layout), span.left - before >= gap, after - span.right >= gap { return place }
            before = plain.right
        }
        return nil
    }

    /// Leaves a tick's label in the scratch text.
    private func writeTick(_ place: Int, dated: Bool, _ scratch: inout Scratch) -> TimeLabelSpan {
        let step = scratch.timeTicks.step
        let tick = scratch.timeTicks.ticks[place]
        scratch.text.clear()
        if dated {
            scratch.text.append(dated: tick.wall, step: step)
        } else {
            scratch.text.append(tick: tick.rank, timestamp: tick.wall, step: step)
        }
        let bold = tick.rank > step.ordinaryRank
        return TimeLabelSpan(
            middle: Pixels.floor(time.x(place: tick.place)),
            half: TextMetrics.width(scratch.text, size: layout.axisFont, bold: bold) / 2)
    }

    private func drawZone(_ text: inout TextBuffer, into list: inout DisplayList) {
        guard layout.hasPriceAxis else { return }
        let size = Pixels.snap(10 * layout.ratio * layout.fontScale)
        text.clear()
        text.append(city: clock.zone)
        if layout.priceLabelX + TextMetrics.width(text, size: size) > layout.width {
            text.clear()
            text.append(abbreviation: clock.zone, at: series.last?.timestamp ?? 0)
        }
        list.text(theme.axisText, x: layout.priceLabelX, y: layout.timeLabelY, size: size, align: .left, text)
    }
}

/// The room of a label on the time axis, in device pixels.
struct TimeLabelSpan {
    let middle: Double
    let half: Double

    var left: Double { middle - half }
    var right: Double { middle + half }

    /// A label cut off at an edge reads as another number.
    func isWhole(_ layout: Layout) -> Bool { left >= 0 && right <= layout.plotWidth }
}
