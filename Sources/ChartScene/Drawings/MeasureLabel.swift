internal import MarketModel

extension Scene {
    /// What a measure says: `+123.50 (+1.24%)` and `12 bars, 3h`.
    func drawMeasure(
        _ shape: DrawingShape, _ space: DrawingSpace, _ text: inout TextBuffer, into list: inout DisplayList
    ) {
        let size = DrawingShape.fontSize(layout)
        let (start, end) = (shape.drawing.anchors[0], shape.drawing.anchors[1])
        writeBars(start, end, &text)
        let below = TextMetrics.width(text, size: size)
        writeChange(start, end, &text)
        let width = Pixels.snap(max(TextMetrics.width(text, size: size), below) + 16 * layout.ratio)
        let line = Pixels.snap(size * 1.5)
        let height = 2 * line + Pixels.snap(8 * layout.ratio)
        let gap = Pixels.snap(8 * layout.ratio)
        let middle = Pixels.snap((shape.first.x + shape.second.x) / 2)
        guard middle > -width, middle < space.width + width else { return }
        // Past the end of the measured way, kept on the plot.
        let preferred = shape.second.y <= shape.first.y ? shape.top - gap - height : shape.bottom + gap
        guard shape.bottom > space.top - 2 * height, shape.top < space.bottom + 2 * height else { return }
        let top = Pixels.snap(max(space.top, min(preferred, space.bottom - height)))
        let left = max(0, min(middle - Pixels.snap(width / 2), space.width - width))
        list.roundRect(theme.crosshairLabel, x: left, y: top, width: width, height: height, radius: 3 * layout.ratio)
        let x = left + Pixels.snap(width / 2)
        let first = top + Pixels.snap(4 * layout.ratio) + Pixels.floor(line / 2)
        list.text(theme.labelText, x: x, y: first, size: size, align: .centre, text)
        writeBars(start, end, &text)
        list.text(theme.labelText, x: x, y: first + line, size: size, align: .centre, text)
    }

    private func writeChange(_ start: DrawingAnchor, _ end: DrawingAnchor, _ text: inout TextBuffer) {
        let change = end.price - start.price
        text.clear()
        if change > 0 { text.append("+") }
        text.append(price: change, precision: precision)
        guard start.price > 0 else { return }
        text.append(" (")
        if change > 0 { text.append("+") }
        text.append(price: change / start.price * 100, precision: 2)
        text.append("%)")
    }

    private func writeBars(_ start: DrawingAnchor, _ end: DrawingAnchor, _ text: inout TextBuffer) {
        let from = series.position(of: start.time, timeframe)
        let to = series.position(of: end.time, timeframe)
        let bars = integer((to - from).rounded(), in: -1_000_000_000...1_000_000_000)
        text.clear()
        if bars < 0 { text.append("−") }
        text.append(integer: UInt64(bars.magnitude), grouped: true)
        text.append(bars.magnitude == 1 ? " bar, " : " bars, ")
        text.append(duration: (end.time - start.time).magnitude)
    }

    /// What a Fibonacci retracement says at its levels: `0.618  67,234.50`. Levels too close for a line of text say
    /// nothing.
    func drawLevels(
        _ shape: DrawingShape, _ space: DrawingSpace, _ text: inout TextBuffer, into list: inout DisplayList
    ) {
        let size = Pixels.snap(11 * layout.ratio * layout.fontScale)
        var last = Double.infinity
        for level in DrawingShape.levels {
            let value = shape.price(of: level)
            let y = price.y(value)
            guard y > space.top - size, y < space.bottom + size, shape.left < space.width else { continue }
            text.clear()
            text.append(decimal: Double(level) / 1000, precision: 3, grouped: false)
            text.append("  ")
            text.append(price: value, precision: precision)
            // Above its line, at the end of it that is on screen.
            let left = max(shape.left, 0) + size / 2
            guard shape.right > left, (y - last).magnitude >= size * 1.2 else { continue }
            last = y
            list.text(
                theme.strongText, x: Pixels.snap(left), y: Pixels.snap(y - size * 0.7), size: size, align: .left, text)
        }
    }
}

extension TextBuffer {
    /// A length of time by its two largest units: `3d 4h`, `12m 30s`, `0s`.
    mutating func append(duration seconds: Double) {
        let total = UInt64(integer(seconds.rounded(), in: 0...Int(Int32.max)))
        var left = 2
        append(total / 86_400, "d", &left)
        append(total / 3600 % 24, "h", &left)
        append(total / 60 % 60, "m", &left)
        append(total % 60, "s", &left)
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
