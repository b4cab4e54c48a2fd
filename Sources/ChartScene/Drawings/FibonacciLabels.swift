internal import MarketModel

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
