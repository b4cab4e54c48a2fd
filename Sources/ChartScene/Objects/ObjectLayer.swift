internal import MarketModel

/// What lies below and beside the bars, drawn with them.
extension Scene {
    /// The state of the feed, behind its bars: a tint as high as the pane and a bar of colour at its foot.
    func drawFeed(_ objects: ChartObjects, _ text: inout TextBuffer, into list: inout DisplayList) {
        guard !objects.feed.isEmpty, let space = DrawingSpace(self) else { return }
        let height = Pixels.snap(3 * layout.ratio)
        let size = Pixels.snap(10 * layout.ratio * layout.fontScale)
        for mark in objects.feed {
            guard let bars = space.bars(of: mark) else { continue }
            let left = max(0, Pixels.snap(time.left(of: bars.lowerBound)))
            let right = min(space.width, Pixels.snap(time.right(of: bars.upperBound)))
            guard right > left else { continue }
            let colour = mark.colour
            list.fillRect(
                colour.withAlpha(0x20), x: left, y: space.top, width: right - left, height: space.bottom - space.top)
            list.fillRect(colour, x: left, y: space.bottom - height, width: right - left, height: height)
            // Not by colour alone: the name, where there is room for it.
            text.clear()
            text.append(mark.name)
            guard TextMetrics.width(text, size: size) <= right - left else { continue }
            list.text(
                theme.axisText, x: Pixels.snap((left + right) / 2), y: space.bottom - height - size, size: size,
                align: .centre, text)
        }
    }

    /// Price lines and armed alerts.
    func drawPriceLines(_ objects: ChartObjects, _ text: inout TextBuffer, into list: inout DisplayList) {
        guard DrawingSpace(self) != nil else { return }
        for line in objects.lines {
            text.set(utf8: line.label)
            drawLevel(line.price, line.style, text, into: &list)
        }
        text.clear()
        text.append("Alert")
        for alert in objects.alerts where !alert.isFired {
            drawLevel(alert.price, DrawingStyle(width: 1, dash: .dotted), text, into: &list)
        }
    }

    /// The pixel of a price; `nil` off the price pane.
    func pixel(of value: Double) -> Double? {
        let y = Pixels.floor(price.y(value))
        return layout.price.contains(y) ? y : nil
    }

    /// A line with its name above the right end.
    private func drawLevel(_ value: Double, _ style: DrawingStyle, _ name: TextBuffer, into list: inout DisplayList) {
        guard let y = pixel(of: value) else { return }
        let width = max(1, Pixels.snap(style.width * layout.ratio))
        let dashes = style.dashes(width)
        list.beginSegments(style.shown, width: width, dashOn: dashes.on, dashOff: dashes.off)
        let middle = y + (Int(width) % 2 == 1 ? 0.5 : 0)
        list.segment(x1: 0, y1: middle, x2: layout.plotWidth, y2: middle)
        list.end()
        let size = Pixels.snap(11 * layout.ratio * layout.fontScale)
        list.text(
            theme.strongText, x: Pixels.snap(layout.plotWidth - 6 * layout.ratio), y: y - Pixels.snap(size * 0.75),
            size: size, align: .right, name)
    }
}

extension FeedMark {
    /// At least 3:1 to dark and to light grounds.
    fileprivate var colour: Colour {
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
