internal import MarketModel

/// Orders and positions with their tags, and why a bar is marked: in the overlay, so that a drag draws no candle.
extension Scene {
    func drawOrders(_ objects: ChartObjects, _ scratch: inout Scratch, into list: inout DisplayList) {
        guard let space = DrawingSpace(self) else { return }
        for order in objects.orders {
            if order.proposed != nil { drawLine(order, at: order.price, isOld: true, into: &list) }
            drawLine(order, at: order.shown, isOld: false, into: &list)
        }
        scratch.orderTags.removeAll(keepingCapacity: true)
        for order in objects.orders { drawTag(order, &scratch, into: &list) }
        drawReasons(objects, space, &scratch.text, into: &list)
    }

    /// Whether an order has the colour of a rise: a purchase, a take profit, a position that does not lose.
    func hasUpColour(_ order: OrderLine) -> Bool {
        switch order.kind {
        case .order: order.isBuy
        case .takeProfit: true
        case .stopLoss: false
        case .position: newest.map { order.isBuy ? $0.close >= order.price : $0.close <= order.price } ?? order.isBuy
        }
    }

    private func drawLine(_ order: OrderLine, at value: Double, isOld: Bool, into list: inout DisplayList) {
        guard let y = pixel(of: value) else { return }
        let hairline = layout.hairline
        let colour = hasUpColour(order) ? theme.up : theme.down
        let dash = order.kind == .position && !isOld ? 0 : 4 * hairline
        list.beginSegments(colour.withAlpha(isOld ? 0x70 : 0xFF), width: hairline, dashOn: dash, dashOff: dash)
        list.segment(x1: 0, y1: y + hairline / 2, x2: layout.plotWidth, y2: y + hairline / 2)
        list.end()
    }

    private func drawTag(_ order: OrderLine, _ scratch: inout Scratch, into list: inout DisplayList) {
        guard let y = pixel(of: order.shown), !order.label.isEmpty else { return }
        let size = Pixels.snap(11 * layout.ratio * layout.fontScale)
        let height = 2 * Pixels.snap(size * 0.8)
        scratch.text.set(utf8: order.label)
        scratch.text.cut(toWidth: layout.plotWidth - size, size: size)
        let width = Pixels.snap(TextMetrics.width(scratch.text, size: size) + size)
        // Away from the newest bars, whole where the chart is narrow, and beside the tags at the same height.
        var left = min(Pixels.snap(layout.plotWidth * 0.7), layout.plotWidth - width)
        for other in scratch.orderTags where (other.y - y).magnitude < height {
            left = min(left, other.left - width - 2 * layout.hairline)
        }
        guard left >= 0 else { return }
        scratch.orderTags.append((y, left))
        drawPlate(
            scratch.text, size, hasUpColour(order) ? theme.upLabel : theme.downLabel, left: left, width: width, y: y,
            height: height, into: &list)
    }

    /// Why the crosshair's bar is marked, and what its markers say, at the pane's foot.
    private func drawReasons(
        _ objects: ChartObjects, _ space: DrawingSpace, _ text: inout TextBuffer, into list: inout DisplayList
    ) {
        guard let bar = crosshair?.bar else { return }
        let size = DrawingShape.fontSize(layout)
        let height = 2 * Pixels.snap(size * 0.9)
        var bottom = space.bottom - Pixels.snap(24 * layout.ratio)
        for mark in objects.feed {
            guard let bars = space.bars(of: mark), bars.contains(bar) else { continue }
            text.clear()
            text.append(mark.name)
            if !mark.reason.isEmpty {
                text.append(": ")
                text.append(utf8: mark.reason)
            }
            drawReason(of: bar, space, height, &bottom, &text, into: &list)
        }
        for marker in objects.markers where !marker.text.isEmpty && space.bar(holding: marker.time) == bar {
            text.set(utf8: marker.text)
            drawReason(of: bar, space, height, &bottom, &text, into: &list)
        }
    }

    /// One reason of a bar, with its plate's foot at `bottom`, which moves up to where the next one's is.
    private func drawReason(
        of bar: Int, _ space: DrawingSpace, _ height: Double, _ bottom: inout Double, _ text: inout TextBuffer,
        into list: inout DisplayList
    ) {
        guard bottom - height > space.top else { return }
        let size = DrawingShape.fontSize(layout)
        text.cut(toWidth: space.width - size, size: size)
        let width = Pixels.snap(TextMetrics.width(text, size: size) + size)
        let left = max(0, min(Pixels.snap(time.x(bar)) - Pixels.snap(width / 2), space.width - width))
        drawPlate(
            text, size, theme.crosshairLabel, left: left, width: width, y: bottom - height / 2, height: height,
            into: &list)
        bottom -= height + Pixels.snap(4 * layout.ratio)
    }

    /// A box with a line of text, whose middle is at `y`.
    private func drawPlate(
        _ text: TextBuffer, _ size: Double, _ fill: Colour, left: Double, width: Double, y: Double, height: Double,
        into list: inout DisplayList
    ) {
        list.roundRect(fill, x: left, y: y - height / 2, width: width, height: height, radius: 3 * layout.ratio)
        list.text(theme.labelText, x: left + Pixels.snap(size / 2), y: y, size: size, align: .left, text)
    }
}
