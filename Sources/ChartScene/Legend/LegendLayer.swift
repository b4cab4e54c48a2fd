internal import MarketModel

/// The legend at the top left: symbol, timeframe, and the numbers of the crosshair's bar or of the newest one. Items
/// that do not fit on a line go to the next.
extension Scene {
    func drawLegends(_ scratch: inout Scratch, into list: inout DisplayList) {
        scratch.legendRows.removeAll(keepingCapacity: true)
        list.clip(x: 0, y: layout.price.top, width: layout.plotWidth, height: layout.price.height)
        var pen = LegendPen(layout, theme)
        drawPriceLegend(&scratch.text, &pen, into: &list)
        drawComparisonLegend(&scratch, &pen, into: &list)
        drawStudyLegend(pane: 0, &scratch, &pen, into: &list)
        for pane in 1..<max(layout.panes.count, 1) {
            let place = layout.panes[pane]
            list.clip(x: 0, y: place.top, width: layout.plotWidth, height: place.height)
            var pen = LegendPen(layout, theme, top: place.top)
            if panes[pane].hasVolume, let bar = legendBar {
                let candle = series[bar]
                pen.pair("Volume", theme, theme.text(of: candle), &scratch.text, into: &list) {
                    $0.append(compact: candle.volume)
                }
            }
            drawStudyLegend(pane: pane, &scratch, &pen, into: &list)
        }
    }

    /// Prices and the volume have the colour of the bar's own direction; the change since the close before, named
    /// as the bar's own, has that of its sign.
    private func drawPriceLegend(_ text: inout TextBuffer, _ pen: inout LegendPen, into list: inout DisplayList) {
        text.set(utf8: symbol)
        if !symbol.isEmpty { pen.write(text, theme.strongText, bold: true, gap: 7, into: &list) }
        text.clear()
        for byte in timeframe.rawValue.utf8 { text.append(byte: byte) }
        pen.write(text, theme.axisText, gap: 14, into: &list)

        guard let bar = legendBar else { return }
        let candle = series[bar]
        let colour = theme.text(of: candle)
        let reference = bar > 0 ? series.close(at: bar - 1) : candle.open
        pen.pair("O", theme, colour, &text, into: &list) { $0.append(price: candle.open, precision: precision) }
        pen.pair("H", theme, colour, &text, into: &list) { $0.append(price: candle.high, precision: precision) }
        pen.pair("L", theme, colour, &text, into: &list) { $0.append(price: candle.low, precision: precision) }
        pen.pair("C", theme, colour, &text, into: &list) { $0.append(price: candle.close, precision: precision) }
        let change = PercentChange(from: reference, to: candle.close)
        pen.pair("Bar", theme, theme.text(of: change), &text, into: &list) { $0.append(change) }
        pen.pair("V", theme, colour, &text, into: &list) { $0.append(compact: candle.volume) }
    }

    /// A line of the legend for each study: its name, its parameters, and its values at the legend's bar.
    private func drawStudyLegend(
        pane: Int, _ scratch: inout Scratch, _ pen: inout LegendPen, into list: inout DisplayList
    ) {
        for index in 0..<studies.count where studies[index].pane == pane {
            let study = studies[index]
            scratch.text.clear()
            scratch.text.append(study.settings)
            drawName(study.id, theme.axisText, study.isVisible, &scratch, &pen, into: &list)
            guard study.isVisible, let bar = legendBar else { continue }
            for output in 0..<study.outputs.count {
                let value = study.shown(output: output, atBar: bar)
                guard value.isFinite else { continue }
                scratch.text.clear()
                write(value, ofPane: pane, into: &scratch.text)
                pen.item(scratch.text, study.colour(output, theme), gap: 8, into: &list)
            }
        }
    }

    /// Begins a row with the name in the scratch text, and notes where it is. What is hidden has a faint one.
    @inline(never)
    func drawName(
        _ id: Int, _ colour: Colour, _ isVisible: Bool, _ scratch: inout Scratch, _ pen: inout LegendPen,
        into list: inout DisplayList
    ) {
        pen.row()
        let gap = 12.0
        pen.item(scratch.text, isVisible ? colour : theme.axisText.withAlpha(0x80), gap: gap, into: &list)
        scratch.legendRows.append(
            LegendRow(
                id: id, right: pen.x / layout.ratio - gap * max(1, layout.fontScale), middle: pen.y / layout.ratio))
    }

    /// A value as a pane's legend and crosshair show it.
    @inline(never)
    func write(_ value: Double, ofPane pane: Int, into text: inout TextBuffer) {
        if pane == 0 {
            text.append(price: value, precision: precision)
        } else if value.magnitude >= 100_000 {
            text.append(compact: value)
        } else {
            text.append(price: value, precision: frame.digits[pane])
        }
    }
}

extension Theme {
    /// Of a bar's numbers.
    fileprivate func text(of candle: Candle) -> Colour { candle.isGreen ? upText : downText }
}

extension TextBuffer {
    /// A study's name and parameters: `MACD 12 26 9`.
    @inline(never)
    mutating func append(_ settings: StudySettings) {
        append(settings.kind.name)
        for index in 0..<settings.parameterCount {
            append(" ")
            append(shortest: settings[index], decimals: 3)
        }
    }
}
