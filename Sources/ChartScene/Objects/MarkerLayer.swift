internal import MarketModel

/// Markers above and below their bars; several at one bar stand on each other.
extension Scene {
    func drawMarkers(_ objects: ChartObjects, _ text: inout TextBuffer, into list: inout DisplayList) {
        guard !objects.markers.isEmpty, let space = DrawingSpace(self) else { return }
        let unit = Pixels.snap(5 * layout.ratio)
        var before = Int.min
        var above = 0.0
        var below = 0.0
        for marker in objects.markers {
            let bar = space.bar(holding: marker.time)
            guard bar >= 0, bar < series.count else { continue }
            let x = Pixels.snap(time.x(bar))
            guard x >= -4 * unit, x <= space.width + 4 * unit else { continue }
            if bar != before {
                above = 0
                below = 0
                before = bar
            }
            let isBelow = marker.kind == .buy
            let candle = series[bar]
            // An inverted scale has the high below.
            let (a, b) = (price.y(candle.high), price.y(candle.low))
            let y = Pixels.snap(isBelow ? max(a, b) + 2 * unit + below : min(a, b) - 2 * unit - above)
            guard y > space.top - 4 * unit, y < space.bottom + 4 * unit else { continue }
            draw(marker, x, y, unit, into: &list)
            var height = 3 * unit
            if !marker.text.isEmpty {
                let size = Pixels.snap(10 * layout.ratio * layout.fontScale)
                text.set(utf8: marker.text)
                let away = unit + size
                // The newest bars stand at the edge; their words are read there, too.
                let half = Pixels.snap(TextMetrics.width(text, size: size) / 2)
                list.text(
                    theme.strongText, x: max(half, min(x, space.width - half)), y: isBelow ? y + away : y - away,
                    size: size, align: .centre, text)
                height += size + unit
            }
            if isBelow { below += height } else { above += height }
        }
    }

    private func draw(_ marker: ChartMarker, _ x: Double, _ y: Double, _ unit: Double, into list: inout DisplayList) {
        switch marker.kind {
        case .buy, .sell:
            let isBuy = marker.kind == .buy
            let height = isBuy ? unit : -unit
            list.beginPolygon(marker.colour ?? (isBuy ? theme.up : theme.down))
            list.point(x: x, y: y - height)
            list.point(x: x + height, y: y + height)
            list.point(x: x - height, y: y + height)
            list.end()
        case .flag:
            let colour = marker.colour ?? DrawingStyle.usual
            let pole = max(1, Pixels.snap(unit / 4))
            list.fillRect(colour, x: x, y: y - unit, width: pole, height: 3 * unit)
            list.beginPolygon(colour)
            list.point(x: x, y: y - unit)
            list.point(x: x + 2 * unit, y: y - unit / 2)
            list.point(x: x, y: y + unit / 2)
            list.end()
        case .dot: list.dot(marker.colour ?? DrawingStyle.usual, x, y, unit)
        }
    }
}
