internal import MarketModel

/// The drawings over the bars, in the overlay: what is dragged moves without candles being drawn again.
enum DrawingLayer {
    /// Lines, fills and texts; to be called within the plot's clip.
    static func draw(_ board: DrawingBoard, _ scene: Scene, _ text: inout TextBuffer, into list: inout DisplayList) {
        guard board.hasPicture, let space = DrawingSpace(scene) else { return }
        list.clip(x: 0, y: space.top, width: space.width, height: space.bottom - space.top)
        for drawing in board.drawings where !drawing.isHidden {
            guard let shape = DrawingShape(drawing, space) else { continue }
            draw(shape, scene, space, &text, into: &list)
        }
        if let begun = board.begun, let shape = DrawingShape(begun, space) {
            draw(shape, scene, space, &text, into: &list)
            handles(shape, scene, space, into: &list)
        }
        // Above all drawings, as they are hit before them.
        for drawing in board.drawings where !drawing.isHidden {
            guard drawing.id == board.selection || drawing.id == board.hovered?.id else { continue }
            if let shape = DrawingShape(drawing, space) { handles(shape, scene, space, into: &list) }
        }
        list.clip(x: 0, y: 0, width: scene.layout.plotWidth, height: scene.layout.plotHeight)
    }

    /// The prices of horizontal lines on the axis.
    static func drawLabels(
        _ board: DrawingBoard, _ scene: Scene, _ text: inout TextBuffer, into list: inout DisplayList
    ) {
        guard board.hasPicture, let space = DrawingSpace(scene) else { return }
        for drawing in board.drawings where !drawing.isHidden && drawing.kind == .horizontalLine {
            let y = Pixels.floor(space.price.y(drawing.anchors[0].price))
            guard y >= space.top, y < space.bottom else { continue }
            CrosshairLayer.hideNumbers(under: y, scene, 0, into: &list)
            text.clear()
            text.append(price: drawing.anchors[0].price, precision: scene.precision)
            AxisLabel.price(text, y: y, fill: scene.theme.crosshairLabel, scene, into: &list)
        }
    }

    private static func draw(
        _ shape: DrawingShape, _ scene: Scene, _ space: DrawingSpace, _ text: inout TextBuffer,
        into list: inout DisplayList
    ) {
        let drawing = shape.drawing
        switch drawing.kind {
        case .rectangle: fill(shape, drawing.style.shown.withAlpha(0x2C), space, into: &list)
        case .fibonacci: fill(shape, drawing.style.shown.withAlpha(0x16), space, into: &list)
        case .measure: fill(shape, measureColour(drawing, scene.theme).withAlpha(0x30), space, into: &list)
        default: break
        }
        lines(shape, scene, space, into: &list)
        switch drawing.kind {
        case .fibonacci: FibonacciLabels.draw(shape, scene, space, &text, into: &list)
        case .measure: MeasureLabel.draw(shape, scene, space, &text, into: &list)
        case .text: note(shape, scene, space, &text, into: &list)
        default: caption(shape, scene, space, &text, into: &list)
        }
    }

    static func measureColour(_ drawing: Drawing, _ theme: Theme) -> Colour {
        if let colour = drawing.style.colour { return colour }
        return drawing.anchors[1].price >= drawing.anchors[0].price ? theme.up : theme.down
    }

    private static func fill(
        _ shape: DrawingShape, _ colour: Colour, _ space: DrawingSpace, into list: inout DisplayList
    ) {
        let box = space.cut(left: shape.left, top: shape.top, right: shape.right, bottom: shape.bottom)
        guard let box else { return }
        let left = Pixels.snap(box.left)
        let top = Pixels.snap(box.top)
        list.fillRect(
            colour, x: left, y: top, width: Pixels.snap(box.right) - left, height: Pixels.snap(box.bottom) - top)
    }

    private static func lines(
        _ shape: DrawingShape, _ scene: Scene, _ space: DrawingSpace, into list: inout DisplayList
    ) {
        let style = shape.drawing.style
        let isMeasure = shape.drawing.kind == .measure
        let width = max(1, Pixels.snap((isMeasure ? 1 : style.width) * scene.layout.ratio))
        let dashes = style.dashes(width)
        let colour = isMeasure ? measureColour(shape.drawing, scene.theme) : style.shown
        list.beginSegments(colour, width: width, dashOn: dashes.on, dashOff: dashes.off)
        shape.visitLines(space) { a, b in
            // Upright and level lines lie on whole pixels: blurred, they would look wider than slanted ones.
            let isLevel = a.y == b.y
            let isUpright = a.x == b.x
            list.segment(
                x1: isUpright ? crisp(a.x, width) : a.x, y1: isLevel ? crisp(a.y, width) : a.y,
                x2: isUpright ? crisp(b.x, width) : b.x, y2: isLevel ? crisp(b.y, width) : b.y)
        }
        list.end()
        guard shape.drawing.kind == .fibonacci, let cut = space.cut(shape.first, shape.second) else { return }
        let hairline = scene.layout.hairline
        list.beginSegments(
            style.shown.withAlpha(0xA0), width: hairline, dashOn: 4 * hairline, dashOff: 4 * hairline)
        list.segment(x1: cut.a.x, y1: cut.a.y, x2: cut.b.x, y2: cut.b.y)
        list.end()
    }

    /// The middle of a line of so many whole pixels.
    private static func crisp(_ place: Double, _ width: Double) -> Double {
        let isOdd = Int(width) % 2 == 1
        return isOdd ? Pixels.floor(place) + 0.5 : Pixels.snap(place)
    }

    /// A text of its own, on a ground that keeps it readable over candles.
    private static func note(
        _ shape: DrawingShape, _ scene: Scene, _ space: DrawingSpace, _ text: inout TextBuffer,
        into list: inout DisplayList
    ) {
        let box = shape.textBox(space)
        guard box.left < space.width, box.left + box.width > 0, shape.first.y > space.top - box.height,
            shape.first.y < space.bottom + box.height
        else { return }
        let y = Pixels.snap(shape.first.y)
        let size = DrawingShape.fontSize(scene.layout)
        list.roundRect(
            scene.theme.background.withAlpha(0xD8), x: box.left, y: y - Pixels.snap(box.height / 2), width: box.width,
            height: box.height, radius: 3 * scene.layout.ratio)
        text.clear()
        text.append(utf8: shape.drawing.text)
        list.text(
            shape.drawing.style.colour ?? scene.theme.strongText, x: box.left + Pixels.snap(size / 2), y: y,
            size: size, align: .left, text)
    }

    /// A line's label, above the place where it begins.
    private static func caption(
        _ shape: DrawingShape, _ scene: Scene, _ space: DrawingSpace, _ text: inout TextBuffer,
        into list: inout DisplayList
    ) {
        guard !shape.drawing.text.isEmpty else { return }
        let size = DrawingShape.fontSize(scene.layout)
        let handle = shape.handle(0, space)
        guard handle.x > -4 * size, handle.x < space.width, handle.y > space.top, handle.y < space.bottom + size else {
            return
        }
        text.clear()
        text.append(utf8: shape.drawing.text)
        list.text(
            scene.theme.strongText, x: Pixels.snap(handle.x + size / 2), y: Pixels.snap(handle.y - size), size: size,
            align: .left, text)
    }

    private static func handles(
        _ shape: DrawingShape, _ scene: Scene, _ space: DrawingSpace, into list: inout DisplayList
    ) {
        let isLocked = shape.drawing.isLocked
        let outer = Pixels.snap(5 * scene.layout.ratio)
        let inner = isLocked ? outer : Pixels.snap(3.5 * scene.layout.ratio)
        for index in 0..<shape.drawing.anchors.count {
            let place = shape.handle(index, space)
            guard place.x > -outer, place.x < space.width + outer, place.y > space.top - outer,
                place.y < space.bottom + outer
            else { continue }
            let x = Pixels.snap(place.x)
            let y = Pixels.snap(place.y)
            dot(isLocked ? scene.theme.axisText : shape.drawing.style.shown, x, y, outer, into: &list)
            if !isLocked { dot(scene.theme.background, x, y, inner, into: &list) }
        }
    }

    private static func dot(
        _ colour: Colour, _ x: Double, _ y: Double, _ radius: Double, into list: inout DisplayList
    ) {
        list.roundRect(colour, x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius, radius: radius)
    }
}

extension DrawingSpace {
    init?(_ scene: Scene) {
        guard !scene.series.isEmpty, scene.price.scale > 0 else { return nil }
        self.init(
            series: scene.series, timeframe: scene.timeframe, instrument: scene.instrument, time: scene.time,
            price: scene.price, layout: scene.layout)
    }
}

extension DrawingBoard {
    var hasPicture: Bool {
        if case .creating = gesture { return true }
        return !isHidden && !drawings.isEmpty
    }

    /// The drawing that is begun, as it would be with its next anchor where the pointer is.
    var begun: Drawing? {
        guard case .creating(let kind, let placed, let next, _) = gesture else { return nil }
        return Drawing(kind, placed + [next], style: style)
    }
}
