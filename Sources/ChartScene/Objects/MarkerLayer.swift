internal import MarketModel

/// Markers above and below their bars; several at one bar stand on each other. Their words are where no candle and no
/// other word is; those that find no place are written with the crosshair on the bar.
extension Scene {
    func drawMarkers(_ objects: ChartObjects, _ text: inout TextBuffer, into list: inout DisplayList) {
        guard !objects.markers.isEmpty, let space = DrawingSpace(self) else { return }
        let unit = Pixels.snap(5 * layout.ratio)
        var before = Int.min
        var above = 0.0
        var below = 0.0
        // The newest come first. Where the words before begin and how high they are, below and above the bars.
        var (wordsBelow, wordsAbove) = ((left: Double.infinity, y: 0.0), (left: Double.infinity, y: 0.0))
        for marker in objects.markers.reversed() {
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
                let half = Pixels.snap(TextMetrics.width(text, size: size) / 2)
                // The newest bars stand at the edge; their words are read there, too.
                let middle = max(half, min(x, space.width - half))
                let away = unit + size
                let wanted = isBelow ? y + away : y - away
                let place = free(wanted, middle - half...middle + half, size * 0.75, isBelow: isBelow)
                let moved = (place - wanted).magnitude
                let next = isBelow ? wordsBelow : wordsAbove
                if moved < 5 * size, place - size / 2 >= space.top, place + size / 2 <= space.bottom,
                    middle + half < next.left || (place - next.y).magnitude > size * 1.2
                {
                    list.text(theme.strongText, x: middle, y: place, size: size, align: .centre, text)
                    height += size + unit + moved
                    if isBelow { wordsBelow = (middle - half, place) } else { wordsAbove = (middle - half, place) }
                }
            }
            if isBelow { below += height } else { above += height }
        }
    }

    /// The height nearest to `y` at which words are below or above all candles between two places.
    private func free(_ y: Double, _ span: ClosedRange<Double>, _ half: Double, isBelow: Bool) -> Double {
        let first = integer(time.index(at: span.lowerBound).rounded(), in: visible.lowerBound...visible.upperBound)
        let end = integer(time.index(at: span.upperBound).rounded(), in: first - 1...visible.upperBound - 1) + 1
        var y = y
        for index in first..<max(first, end) {
            let (a, b) = (price.y(series.high(at: index)), price.y(series.low(at: index)))
            y = isBelow ? max(y, max(a, b) + half) : min(y, min(a, b) - half)
        }
        return Pixels.snap(y)
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
