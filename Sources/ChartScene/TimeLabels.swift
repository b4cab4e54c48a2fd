internal import MarketModel

/// The labels below the plot, and the name of their time zone in the corner below the prices.
enum TimeLabels {
    static func draw(_ scene: Scene, _ scratch: inout Scratch, into list: inout DisplayList) {
        let layout = scene.layout
        let ordinary = scratch.timeTicks.step.ordinaryRank
        let dated = datedLabel(scene, &scratch)
        scratch.timeLabels.removeAll(keepingCapacity: true)
        for place in 0..<scratch.timeTicks.ticks.count {
            let span = write(place, dated: place == dated, scene, &scratch)
            guard span.isWhole(layout) else { continue }
            scratch.timeLabels.append(span)
            let stands = scratch.timeTicks.ticks[place].rank > ordinary
            list.text(
                stands ? scene.theme.strongText : scene.theme.axisText, x: span.middle, y: layout.timeLabelY,
                size: layout.axisFont, align: .centre, bold: stands, scratch.text)
        }
        zone(scene, &scratch, into: &list)
    }

    /// Where no label has the unit above the ordinary ones (clock times without a day, days without a month, months
    /// without a year), the first one with room for it does. The crosshair has no say in it: labels do not change
    /// under a moving pointer.
    private static func datedLabel(_ scene: Scene, _ scratch: inout Scratch) -> Int? {
        let layout = scene.layout
        let count = scratch.timeTicks.ticks.count
        let ordinary = scratch.timeTicks.step.ordinaryRank
        guard ordinary < .year else { return nil }
        for place in 0..<count where scratch.timeTicks.ticks[place].rank > ordinary {
            if write(place, dated: false, scene, &scratch).isWhole(layout) { return nil }
        }
        let gap = layout.axisFont / 2
        var before = -Double.infinity
        for place in 0..<count {
            let plain = write(place, dated: false, scene, &scratch)
            guard plain.isWhole(layout) else { continue }
            let span = write(place, dated: true, scene, &scratch)
            var after = Double.infinity
            if place + 1 < count {
                let next = write(place + 1, dated: false, scene, &scratch)
                if next.isWhole(layout) { after = next.left }
            }
            if span.isWhole(layout), span.left - before >= gap, after - span.right >= gap { return place }
            before = plain.right
        }
        return nil
    }

    /// Leaves a tick's label in the scratch text.
    private static func write(_ place: Int, dated: Bool, _ scene: Scene, _ scratch: inout Scratch) -> Span {
        let step = scratch.timeTicks.step
        let tick = scratch.timeTicks.ticks[place]
        scratch.text.clear()
        if dated {
            scratch.text.append(dated: tick.wall, step: step)
        } else {
            scratch.text.append(tick: tick.rank, timestamp: tick.wall, step: step)
        }
        let bold = tick.rank > step.ordinaryRank
        return Span(
            middle: Pixels.floor(scene.time.x(place: tick.place)),
            half: TextMetrics.width(scratch.text, size: scene.layout.axisFont, bold: bold) / 2)
    }

    private static func zone(_ scene: Scene, _ scratch: inout Scratch, into list: inout DisplayList) {
        let layout = scene.layout
        guard layout.hasPriceAxis else { return }
        let size = Pixels.snap(10 * layout.ratio * layout.fontScale)
        scratch.text.clear()
        scratch.text.append(city: scene.clock.zone)
        if layout.priceLabelX + TextMetrics.width(scratch.text, size: size) > layout.width {
            scratch.text.clear()
            scratch.text.append(abbreviation: scene.clock.zone, at: scene.series.last?.timestamp ?? 0)
        }
        list.text(
            scene.theme.axisText, x: layout.priceLabelX, y: layout.timeLabelY, size: size, align: .left, scratch.text)
    }

    /// What a label takes of the axis, in device pixels.
    struct Span {
        let middle: Double
        let half: Double

        var left: Double { middle - half }
        var right: Double { middle + half }

        /// A label cut off at an edge reads as another number.
        func isWhole(_ layout: Layout) -> Bool {
            left >= 0 && right <= layout.plotWidth
        }
    }
}
