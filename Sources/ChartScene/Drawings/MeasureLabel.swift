internal import MarketModel

/// What a measure says: `+123.50 (+1.24%)` and `12 bars, 3h`.
enum MeasureLabel {
    static func draw(
        _ shape: DrawingShape, _ scene: Scene, _ space: DrawingSpace, _ text: inout TextBuffer,
        into list: inout DisplayList
    ) {
        let layout = scene.layout
        let size = DrawingShape.fontSize(layout)
        let start = shape.drawing.anchors[0]
        let end = shape.drawing.anchors[1]
        writeBars(start, end, space, &text)
        let below = TextMetrics.width(text, size: size)
        writeChange(start, end, scene, &text)
        let width = Pixels.snap(max(TextMetrics.width(text, size: size), below) + 16 * layout.ratio)
        let line = Pixels.snap(size * 1.5)
        let height = 2 * line + Pixels.snap(8 * layout.ratio)
        let gap = Pixels.snap(8 * layout.ratio)
        let middle = Pixels.snap((shape.first.x + shape.second.x) / 2)
        guard middle > -width, middle < space.width + width else { return }
        // Past the end of the measured way, kept on the plot.
        let isUp = shape.second.y <= shape.first.y
        let wished = isUp ? shape.top - gap - height : shape.bottom + gap
        guard shape.bottom > space.top - 2 * height, shape.top < space.bottom + 2 * height else { return }
        let top = Pixels.snap(max(space.top, min(wished, space.bottom - height)))
        let left = max(0, min(middle - Pixels.snap(width / 2), space.width - width))
        list.roundRect(
            scene.theme.crosshairLabel, x: left, y: top, width: width, height: height, radius: 3 * layout.ratio)
        let x = left + Pixels.snap(width / 2)
        let first = top + Pixels.snap(4 * layout.ratio) + Pixels.floor(line / 2)
        list.text(scene.theme.labelText, x: x, y: first, size: size, align: .centre, text)
        writeBars(start, end, space, &text)
        list.text(scene.theme.labelText, x: x, y: first + line, size: size, align: .centre, text)
    }

    private static func writeChange(
        _ start: DrawingAnchor, _ end: DrawingAnchor, _ scene: Scene, _ text: inout TextBuffer
    ) {
        let change = end.price - start.price
        text.clear()
        if change > 0 { text.append("+") }
        text.append(price: change, precision: scene.precision)
        guard start.price > 0 else { return }
        text.append(" (")
        if change > 0 { text.append("+") }
        text.append(price: change / start.price * 100, precision: 2)
        text.append("%)")
    }

    private static func writeBars(
        _ start: DrawingAnchor, _ end: DrawingAnchor, _ space: DrawingSpace, _ text: inout TextBuffer
    ) {
        let from = space.series.position(of: start.time, space.timeframe)
        let to = space.series.position(of: end.time, space.timeframe)
        let bars = integer((to - from).rounded(), in: -1_000_000_000...1_000_000_000)
        text.clear()
        if bars < 0 { text.append("−") }
        text.append(integer: UInt64(bars.magnitude), grouped: true)
        text.append(bars.magnitude == 1 ? " bar, " : " bars, ")
        text.append(duration: (end.time - start.time).magnitude)
    }
}

extension TextBuffer {
    /// A length of time by its two largest units: `3d 4h`, `12m 30s`, `0s`.
    mutating func append(duration seconds: Double) {
        let total = UInt64(integer(seconds.rounded(), in: 0...Int(Int32.max)))
        let parts = (d: total / 86_400, h: total / 3600 % 24, m: total / 60 % 60, s: total % 60)
        var left = 2
        append(parts.d, "d", &left)
        append(parts.h, "h", &left)
        append(parts.m, "m", &left)
        append(parts.s, "s", &left)
        if left == 2 { append("0s") }
    }

    private mutating func append(_ number: UInt64, _ unit: StaticString, _ left: inout Int) {
        // After the largest unit only the next one counts, zero or not.
        if number == 0 {
            if left == 1 { left = 0 }
            return
        }
        guard left > 0 else { return }
        if left == 1 { append(" ") }
        append(integer: number)
        append(unit)
        left -= 1
    }
}

/// What a Fibonacci retracement says at its levels: `0.618  67,234.50`. Levels too close for a line of text say nothing.
enum FibonacciLabels {
    static func draw(
        _ shape: DrawingShape, _ scene: Scene, _ space: DrawingSpace, _ text: inout TextBuffer,
        into list: inout DisplayList
    ) {
        let size = Pixels.snap(11 * scene.layout.ratio * scene.layout.fontScale)
        var last = Double.infinity
        for level in DrawingShape.levels {
            let price = shape.price(of: level)
            let y = space.price.y(price)
            guard y > space.top - size, y < space.bottom + size, shape.left < space.width else { continue }
            text.clear()
            text.append(decimal: Double(level) / 1000, precision: 3, grouped: false)
            text.append("  ")
            text.append(price: price, precision: scene.precision)
            // Above its line, at the end of it that is on screen.
            let left = max(shape.left, 0) + size / 2
            guard shape.right > left, (y - last).magnitude >= size * 1.2 else { continue }
            last = y
            list.text(
                scene.theme.strongText, x: Pixels.snap(left), y: Pixels.snap(y - size * 0.7), size: size, align: .left,
                text)
        }
    }
}
