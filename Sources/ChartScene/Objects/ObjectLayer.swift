internal import MarketModel

/// What lies below and beside the bars, drawn with them.
enum ObjectLayer {
    /// The state of the feed, behind its bars: a tint as high as the pane and a bar of colour at its foot.
    static func drawFeed(
        _ objects: ChartObjects, _ scene: Scene, _ text: inout TextBuffer, into list: inout DisplayList
    ) {
        guard !objects.feed.isEmpty, let space = DrawingSpace(scene) else { return }
        let height = Pixels.snap(3 * scene.layout.ratio)
        let size = Pixels.snap(10 * scene.layout.ratio * scene.layout.fontScale)
        for mark in objects.feed {
            guard let bars = space.bars(of: mark) else { continue }
            let left = max(0, Pixels.snap(space.time.left(of: bars.lowerBound)))
            let right = min(space.width, Pixels.snap(space.time.right(of: bars.upperBound)))
            guard right > left else { continue }
            let colour = FeedColours.of(mark.state)
            list.fillRect(
                colour.withAlpha(0x20), x: left, y: space.top, width: right - left, height: space.bottom - space.top)
            list.fillRect(colour, x: left, y: space.bottom - height, width: right - left, height: height)
            // Not by colour alone: the name, where there is room for it.
            text.clear()
            text.append(mark.name)
            guard TextMetrics.width(text, size: size) <= right - left else { continue }
            list.text(
                scene.theme.axisText, x: Pixels.snap((left + right) / 2), y: space.bottom - height - size, size: size,
                align: .centre, text)
        }
    }

    /// Price lines and armed alerts.
    static func drawLines(
        _ objects: ChartObjects, _ scene: Scene, _ text: inout TextBuffer, into list: inout DisplayList
    ) {
        guard let space = DrawingSpace(scene) else { return }
        for line in objects.lines {
            level(line.price, line.style, line.label, scene, space, &text, into: &list)
        }
        let armed = DrawingStyle(width: 1, dash: .dotted)
        for alert in objects.alerts where !alert.isFired {
            level(alert.price, armed, [], scene, space, &text, into: &list)
            let y = Pixels.floor(space.price.y(alert.price))
            guard y >= space.top, y < space.bottom else { continue }
            text.clear()
            text.append("Alert")
            caption(text, y, scene, space, into: &list)
        }
    }

    /// The prices of lines and alerts on the axis.
    static func drawLabels(
        _ objects: ChartObjects, _ scene: Scene, _ text: inout TextBuffer, into list: inout DisplayList
    ) {
        for line in objects.lines { label(line.price, scene, &text, into: &list) }
        for alert in objects.alerts where !alert.isFired { label(alert.price, scene, &text, into: &list) }
    }

    static func label(_ price: Double, _ scene: Scene, _ text: inout TextBuffer, into list: inout DisplayList) {
        let y = Pixels.floor(scene.price.y(price))
        guard y >= scene.layout.price.top, y < scene.layout.price.bottom else { return }
        CrosshairLayer.hideNumbers(under: y, scene, 0, into: &list)
        text.clear()
        text.append(price: price, precision: scene.precision)
        AxisLabel.price(text, y: y, fill: scene.theme.crosshairLabel, scene, into: &list)
    }

    private static func level(
        _ price: Double, _ style: DrawingStyle, _ label: [UInt8], _ scene: Scene, _ space: DrawingSpace,
        _ text: inout TextBuffer, into list: inout DisplayList
    ) {
        let y = Pixels.floor(space.price.y(price))
        guard y >= space.top, y < space.bottom else { return }
        let width = max(1, Pixels.snap(style.width * scene.layout.ratio))
        let dashes = style.dashes(width)
        list.beginSegments(style.shown, width: width, dashOn: dashes.on, dashOff: dashes.off)
        let middle = y + (Int(width) % 2 == 1 ? 0.5 : 0)
        list.segment(x1: 0, y1: middle, x2: space.width, y2: middle)
        list.end()
        text.clear()
        text.append(utf8: label)
        caption(text, y, scene, space, into: &list)
    }

    /// A line's name above its right end.
    private static func caption(
        _ text: TextBuffer, _ y: Double, _ scene: Scene, _ space: DrawingSpace, into list: inout DisplayList
    ) {
        let size = Pixels.snap(11 * scene.layout.ratio * scene.layout.fontScale)
        list.text(
            scene.theme.strongText, x: Pixels.snap(space.width - 6 * scene.layout.ratio),
            y: y - Pixels.snap(size * 0.75), size: size, align: .right, text)
    }
}

/// Colours of what is wrong: at least 3:1 to dark and to light grounds.
enum FeedColours {
    static func of(_ state: FeedMark.State) -> Colour {
        switch state {
        case .stale: Colour(rgb: 0xB8860B)
        case .gap: Colour(rgb: 0xC4503A)
        case .corrected: Colour(rgb: 0x3478F6)
        case .partial: Colour(rgb: 0x7A7F88)
        }
    }
}

extension DrawingSpace {
    /// The bars that hold a mark's times; `nil` where there are none on screen.
    func bars(of mark: FeedMark) -> ClosedRange<Int>? {
        let first = bar(holding: mark.start)
        let last = bar(holding: mark.end)
        let left = time.index(at: 0) - 1
        let right = time.index(at: width) + 1
        guard Double(last) >= left, Double(first) <= right, first <= last else { return nil }
        return first...last
    }

    /// The bar whose time has begun and whose next one's has not.
    func bar(holding time: Double) -> Int {
        integer(series.position(of: time, timeframe).rounded(.down), in: -1_000_000_000...1_000_000_000)
    }
}
