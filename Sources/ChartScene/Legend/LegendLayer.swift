internal import MarketModel

/// The legend at the top left: symbol, timeframe, and the numbers of the crosshair's bar or of the newest one. Items
/// that do not fit on a line go to the next.
enum LegendLayer {
    static func draw(_ scene: Scene, _ scratch: inout Scratch, into list: inout DisplayList) {
        let price = scene.layout.price
        list.clip(x: 0, y: price.top, width: scene.layout.plotWidth, height: price.height)
        var pen = LegendPen(scene.layout)
        self.price(scene, &scratch, &pen, into: &list)
        ComparisonLayer.legend(scene, &scratch, &pen, into: &list)
        StudyLegend.draw(scene, &scratch, pane: 0, &pen, into: &list)
        for pane in 1..<max(scene.layout.panes.count, 1) {
            let place = scene.layout.panes[pane]
            list.clip(x: 0, y: place.top, width: scene.layout.plotWidth, height: place.height)
            var pen = LegendPen(scene.layout, top: place.top)
            if scene.panes[pane].hasVolume { volume(scene, &scratch, &pen, into: &list) }
            StudyLegend.draw(scene, &scratch, pane: pane, &pen, into: &list)
        }
    }

    private static func volume(
        _ scene: Scene, _ scratch: inout Scratch, _ pen: inout LegendPen, into list: inout DisplayList
    ) {
        guard let bar = scene.legendBar else { return }
        let candle = scene.series[bar]
        let colour = candle.isGreen ? scene.theme.upText : scene.theme.downText
        pen.pair("Volume", scene.theme, colour, &scratch.text, into: &list) { $0.append(compact: candle.volume) }
    }

    /// Prices and the volume have the colour of the bar's own direction; the change since the close before has that of
    /// its sign.
    private static func price(
        _ scene: Scene, _ scratch: inout Scratch, _ pen: inout LegendPen, into list: inout DisplayList
    ) {
        let theme = scene.theme
        scratch.text.clear()
        scratch.text.append(utf8: scene.symbol)
        if !scene.symbol.isEmpty {
            pen.write(scratch.text, theme.strongText, bold: true, gap: 7, into: &list)
        }
        scratch.text.clear()
        for byte in scene.timeframe.rawValue.utf8 { scratch.text.append(byte: byte) }
        pen.write(scratch.text, theme.axisText, gap: 14, into: &list)

        guard let bar = scene.legendBar else { return }
        let candle = scene.series[bar]
        let colour = candle.isGreen ? theme.upText : theme.downText
        let reference = bar > 0 ? scene.series.close(at: bar - 1) : candle.open
        pen.pair("O", theme, colour, &scratch.text, into: &list) {
            $0.append(price: candle.open, precision: scene.precision)
        }
        pen.pair("H", theme, colour, &scratch.text, into: &list) {
            $0.append(price: candle.high, precision: scene.precision)
        }
        pen.pair("L", theme, colour, &scratch.text, into: &list) {
            $0.append(price: candle.low, precision: scene.precision)
        }
        pen.pair("C", theme, colour, &scratch.text, into: &list) {
            $0.append(price: candle.close, precision: scene.precision)
        }
        let change = PercentChange(from: reference, to: candle.close)
        scratch.text.clear()
        scratch.text.append(change)
        pen.keep(TextMetrics.width(scratch.text, size: scene.layout.legendFont))
        pen.write(scratch.text, theme.text(of: change.sign), gap: 10, into: &list)
        pen.pair("V", theme, colour, &scratch.text, into: &list) { $0.append(compact: candle.volume) }
    }
}
