internal import MarketModel

/// The crosshair: a dashed line through a bar, one through the pointer's price, and both values on the axes.
extension Scene {
    func drawCrosshairLines(into list: inout DisplayList) {
        guard let crosshair else { return }
        let dash = 4 * layout.hairline
        list.beginSegments(theme.crosshairLine, width: layout.hairline, dashOn: dash, dashOff: dash)
        // The middle of whole pixels: an odd width centred on a pixel's edge would be blurred.
        let x = barLeft(crosshair) + layout.hairline / 2
        list.segment(x1: x, y1: 0, x2: x, y2: layout.plotHeight)
        if let y = crosshair.y {
            let middle = Pixels.floor(y) + layout.hairline / 2
            list.segment(x1: 0, y1: middle, x2: layout.plotWidth, y2: middle)
        }
        list.end()
    }

    func drawCrosshairLabels(_ scratch: inout Scratch, into list: inout DisplayList) {
        guard let crosshair else { return }
        if let y = crosshair.y, !series.isEmpty {
            scratch.text.clear()
            writeValue(y, crosshair.pane, into: &scratch.text)
            drawPriceLabel(&scratch, y: y, fill: theme.crosshairLabel, pane: crosshair.pane, into: &list)
        }
        if writeTime(crosshair, into: &scratch.text) {
            let box = layout.timeBox(scratch.text, x: barLeft(crosshair))
            hideTimes(under: box, scratch, into: &list)
            drawTimeLabel(scratch.text, box, fill: theme.crosshairLabel, into: &list)
        }
    }

    /// The value at a height, as the pane's axis shows its numbers.
    private func writeValue(_ y: Double, _ pane: Int, into text: inout TextBuffer) {
        let scale = frame.scales[pane]
        let value = scale.price(at: y)
        switch frame.ticks[pane].format {
        case .price(let precision): text.append(price: instrument.rounded(value), precision: precision)
        case .plain: write(value, ofPane: pane, into: &text)
        case .compact: text.append(compact: value)
        case .percent, .indexed: text.append(scale.shown(value), frame.ticks[pane].format)
        }
    }

    /// Nothing peeps out from under the box: numbers that it would cover in part are painted over whole. They belong to
    /// the base, which is not drawn again when the crosshair moves.
    func hideNumbers(under box: Double, _ pane: Int, into list: inout DisplayList) {
        guard layout.hasPriceAxis else { return }
        let half = Pixels.snap(layout.axisFont * 0.65)
        let left = layout.plotWidth + layout.hairline
        list.beginRects(theme.background)
        for tick in frame.ticks[pane].ys {
            guard let y = numberY(tick, pane), layout.touches(box, y, pane) else { continue }
            list.rect(x: left, y: y - half, width: layout.width - left, height: 2 * half)
        }
        list.end()
    }

    private func hideTimes(under box: (left: Double, width: Double), _ scratch: Scratch, into list: inout DisplayList) {
        let half = Pixels.snap(layout.axisFont * 0.65)
        list.beginRects(theme.background)
        for span in scratch.timeLabels where span.right > box.left && span.left < box.left + box.width {
            let left = Pixels.floor(span.left)
            list.rect(
                x: left, y: layout.timeLabelY - half, width: Pixels.floor(span.right) + 1 - left, height: 2 * half)
        }
        list.end()
    }

    /// The time of the crosshair's bar, or of the one that would be there.
    /// - Returns: `false` where no bar can be.
    private func writeTime(_ crosshair: CrosshairPosition, into text: inout TextBuffer) -> Bool {
        guard series.datedIndices(timeframe).contains(crosshair.index) else { return false }
        text.clear()
        let time = series.time(at: crosshair.index, timeframe)
        text.append(barDate: time + clock.zone.offset(at: time), timeframe: timeframe)
        return true
    }

    /// Left edge of the vertical line.
    private func barLeft(_ crosshair: CrosshairPosition) -> Double {
        Pixels.snap(time.x(crosshair.index) - layout.hairline / 2)
    }
}
