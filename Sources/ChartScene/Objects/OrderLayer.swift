internal import MarketModel

/// Orders and positions with their tags, and why a bar is marked: in the overlay, so that a drag draws no candle.
enum OrderLayer {
    static func draw(_ objects: ChartObjects, _ scene: Scene, _ text: inout TextBuffer, into list: inout DisplayList) {
        guard let space = DrawingSpace(scene) else { return }
        for order in objects.orders {
            if order.proposed != nil { line(order.price, order, isOld: true, scene, space, into: &list) }
            line(order.shown, order, isOld: false, scene, space, into: &list)
            tag(order, scene, space, &text, into: &list)
        }
        reason(objects, scene, space, &text, into: &list)
    }

    static func drawLabels(
        _ objects: ChartObjects, _ scene: Scene, _ text: inout TextBuffer, into list: inout DisplayList
    ) {
        for order in objects.orders { ObjectLayer.label(order.shown, scene, &text, into: &list) }
    }

    private static func line(
        _ price: Double, _ order: OrderLine, isOld: Bool, _ scene: Scene, _ space: DrawingSpace,
        into list: inout DisplayList
    ) {
        let y = Pixels.floor(space.price.y(price))
        guard y >= space.top, y < space.bottom else { return }
        let hairline = scene.layout.hairline
        let colour = order.isBuy ? scene.theme.up : scene.theme.down
        let dash = order.kind == .position && !isOld ? 0 : 4 * hairline
        list.beginSegments(colour.withAlpha(isOld ? 0x70 : 0xFF), width: hairline, dashOn: dash, dashOff: dash)
        list.segment(x1: 0, y1: y + hairline / 2, x2: space.width, y2: y + hairline / 2)
        list.end()
    }

    private static func tag(
        _ order: OrderLine, _ scene: Scene, _ space: DrawingSpace, _ text: inout TextBuffer,
        into list: inout DisplayList
    ) {
        let y = Pixels.floor(space.price.y(order.shown))
        guard y >= space.top, y < space.bottom, !order.label.isEmpty else { return }
        let size = Pixels.snap(11 * scene.layout.ratio * scene.layout.fontScale)
        text.clear()
        text.append(utf8: order.label)
        let width = Pixels.snap(TextMetrics.width(text, size: size) + size)
        let height = 2 * Pixels.snap(size * 0.8)
        // Away from the newest bars, and whole where the chart is narrow.
        let left = max(0, min(Pixels.snap(space.width * 0.7), space.width - width))
        list.roundRect(
            order.isBuy ? scene.theme.upLabel : scene.theme.downLabel, x: left, y: y - height / 2, width: width,
            height: height, radius: 3 * scene.layout.ratio)
        list.text(
            scene.theme.labelText, x: left + Pixels.snap(size / 2), y: y, size: size, align: .left, text)
    }

    /// Why the crosshair's bar is marked, at the pane's foot.
    private static func reason(
        _ objects: ChartObjects, _ scene: Scene, _ space: DrawingSpace, _ text: inout TextBuffer,
        into list: inout DisplayList
    ) {
        guard let bar = scene.crosshair?.bar else { return }
        let size = DrawingShape.fontSize(scene.layout)
        let height = 2 * Pixels.snap(size * 0.9)
        var bottom = space.bottom - Pixels.snap(24 * scene.layout.ratio)
        for mark in objects.feed {
            guard let bars = space.bars(of: mark), bars.contains(bar), bottom - height > space.top else { continue }
            text.clear()
            text.append(mark.name)
            if !mark.reason.isEmpty {
                text.append(": ")
                text.append(utf8: mark.reason)
            }
            let width = min(Pixels.snap(TextMetrics.width(text, size: size) + size), space.width)
            let middle = Pixels.snap(space.time.x(bar))
            let left = max(0, min(middle - Pixels.snap(width / 2), space.width - width))
            list.roundRect(
                scene.theme.crosshairLabel, x: left, y: bottom - height, width: width, height: height,
                radius: 3 * scene.layout.ratio)
            list.text(
                scene.theme.labelText, x: left + Pixels.snap(size / 2), y: bottom - height / 2, size: size,
                align: .left, text)
            bottom -= height + Pixels.snap(4 * scene.layout.ratio)
        }
    }
}
