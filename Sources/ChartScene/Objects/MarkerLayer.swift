internal import MarketModel

/// Markers above and below their bars; several at one bar stand on each other.
enum MarkerLayer {
    static func draw(_ objects: ChartObjects, _ scene: Scene, _ text: inout TextBuffer, into list: inout DisplayList) {
        guard !objects.markers.isEmpty, let space = DrawingSpace(scene) else { return }
        let unit = Pixels.snap(5 * scene.layout.ratio)
        var before = Int.min
        var above = 0.0
        var below = 0.0
        for marker in objects.markers {
            let bar = space.bar(holding: marker.time)
            guard bar >= 0, bar < scene.series.count else { continue }
            let x = Pixels.snap(space.time.x(bar))
            guard x >= -4 * unit, x <= space.width + 4 * unit else { continue }
            if bar != before {
                above = 0
                below = 0
                before = bar
            }
            let isBelow = marker.kind == .buy
            let candle = scene.series[bar]
            // An inverted scale has the high below.
            let upper = min(space.price.y(candle.high), space.price.y(candle.low))
            let lower = max(space.price.y(candle.high), space.price.y(candle.low))
            let y = Pixels.snap(isBelow ? lower + 2 * unit + below : upper - 2 * unit - above)
            guard y > space.top - 4 * unit, y < space.bottom + 4 * unit else { continue }
            shape(marker, x, y, unit, scene.theme, into: &list)
            var height = 3 * unit
            if !marker.text.isEmpty {
                let size = Pixels.snap(10 * scene.layout.ratio * scene.layout.fontScale)
                text.clear()
                text.append(utf8: marker.text)
                let away = unit + size
                // The newest bars stand at the edge; their words are read there, too.
                let half = Pixels.snap(TextMetrics.width(text, size: size) / 2)
                let middle = max(half, min(x, space.width - half))
                list.text(
                    scene.theme.strongText, x: middle, y: isBelow ? y + away : y - away, size: size, align: .centre,
                    text)
                height += size + unit
            }
            if isBelow { below += height } else { above += height }
        }
    }

    private static func shape(
        _ marker: ChartMarker, _ x: Double, _ y: Double, _ unit: Double, _ theme: Theme, into list: inout DisplayList
    ) {
        switch marker.kind {
        case .buy:
            list.beginPolygon(marker.colour ?? theme.up)
            list.point(x: x, y: y - unit)
            list.point(x: x + unit, y: y + unit)
            list.point(x: x - unit, y: y + unit)
            list.end()
        case .sell:
            list.beginPolygon(marker.colour ?? theme.down)
            list.point(x: x, y: y + unit)
            list.point(x: x - unit, y: y - unit)
            list.point(x: x + unit, y: y - unit)
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
        case .dot:
            list.roundRect(
                marker.colour ?? DrawingStyle.usual, x: x - unit, y: y - unit, width: 2 * unit, height: 2 * unit,
                radius: unit)
        }
    }
}
