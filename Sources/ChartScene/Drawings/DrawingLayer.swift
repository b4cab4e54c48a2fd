internal import MarketModel

/// The drawings over the bars, in the overlay: what is dragged moves without candles being drawn again.
extension Scene {
    /// Lines, fills and texts; to be called within the plot's clip.
    func drawDrawings(_ board: DrawingBoard, _ text: inout TextBuffer, into list: inout DisplayList) {
        guard board.hasPicture, let space = DrawingSpace(self) else { return }
        list.clip(x: 0, y: space.top, width: space.width, height: space.bottom - space.top)
        for drawing in board.drawings where !drawing.isHidden {
            if let shape = DrawingShape(drawing, space) { draw(shape, space, &text, into: &list) }
        }
        if let begun = board.begun, let shape = DrawingShape(begun, space) {
            draw(shape, space, &text, into: &list)
            drawHandles(shape, space, into: &list)
        }
        // Above all drawings, as they are hit before them.
        for drawing in board.drawings where !drawing.isHidden {
            guard drawing.id == board.selection || drawing.id == board.hovered?.id else { continue }
            if let shape = DrawingShape(drawing, space) { drawHandles(shape, space, into: &list) }
        }
        list.clip(x: 0, y: 0, width: layout.plotWidth, height: layout.plotHeight)
    }

    private func draw(
        _ shape: DrawingShape, _ space: DrawingSpace, _ text: inout TextBuffer, into list: inout DisplayList
    ) {
        let style = shape.drawing.style
        switch shape.drawing.kind {
        case .rectangle: fill(shape, style.shown.withAlpha(0x2C), space, into: &list)
        case .fibonacci: fill(shape, style.shown.withAlpha(0x16), space, into: &list)
        case .measure: fill(shape, measureColour(shape.drawing).withAlpha(0x30), space, into: &list)
        default: break
        }
        drawLines(shape, space, into: &list)
        switch shape.drawing.kind {
        case .fibonacci: drawLevels(shape, space, &text, into: &list)
        case .measure: drawMeasure(shape, space, &text, into: &list)
        case .text: drawNote(shape, space, &text, into: &list)
        default: drawCaption(shape, space, &text, into: &list)
        }
    }

    private func measureColour(_ drawing: Drawing) -> Colour {
        drawing.style.colour ?? (drawing.anchors[1].price >= drawing.anchors[0].price ? theme.up : theme.down)
    }

    private func fill(_ shape: DrawingShape, _ colour: Colour, _ space: DrawingSpace, into list: inout DisplayList) {
        let box = space.cut(left: shape.left, top: shape.top, right: shape.right, bottom: shape.bottom)
        guard let box else { return }
        let left = Pixels.snap(box.left)
        let top = Pixels.snap(box.top)
        list.fillRect(
            colour, x: left, y: top, width: Pixels.snap(box.right) - left, height: Pixels.snap(box.bottom) - top)
    }

    private func drawLines(_ shape: DrawingShape, _ space: DrawingSpace, into list: inout DisplayList) {
        let style = shape.drawing.style
        let isMeasure = shape.drawing.kind == .measure
        let width = max(1, Pixels.snap((isMeasure ? 1 : style.width) * layout.ratio))
        let dashes = style.dashes(width)
        let colour = isMeasure ? measureColour(shape.drawing) : style.shown
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
        let dash = 4 * layout.hairline
        list.beginSegments(style.shown.withAlpha(0xA0), width: layout.hairline, dashOn: dash, dashOff: dash)
        list.segment(x1: cut.a.x, y1: cut.a.y, x2: cut.b.x, y2: cut.b.y)
        list.end()
    }

    /// The middle of a line of a whole number of pixels.
    private func crisp(_ place: Double, _ width: Double) -> Double {
        Int(width) % 2 == 1 ? Pixels.floor(place) + 0.5 : Pixels.snap(place)
    }

    /// A text of its own, on a ground that keeps it readable over candles.
    private func drawNote(
        _ shape: DrawingShape, _ space: DrawingSpace, _ text: inout TextBuffer, into list: inout DisplayList
    ) {
        let box = shape.textBox(space)
        guard box.left < space.width, box.left + box.width > 0, shape.first.y > space.top - box.height,
            shape.first.y < space.bottom + box.height
        else { return }
        let y = Pixels.snap(shape.first.y)
        let size = DrawingShape.fontSize(layout)
        list.roundRect(
            theme.background.withAlpha(0xD8), x: box.left, y: y - Pixels.snap(box.height / 2), width: box.width,
            height: box.height, radius: 3 * layout.ratio)
        text.set(utf8: shape.drawing.text)
        list.text(
            shape.drawing.style.colour ?? theme.strongText, x: box.left + Pixels.snap(size / 2), y: y, size: size,
            align: .left, text)
    }

    /// A line's label, above the place where it begins.
    private func drawCaption(
        _ shape: DrawingShape, _ space: DrawingSpace, _ text: inout TextBuffer, into list: inout DisplayList
    ) {
        guard !shape.drawing.text.isEmpty else { return }
        let size = DrawingShape.fontSize(layout)
        let handle = shape.handle(0, space)
        guard handle.x > -4 * size, handle.x < space.width, handle.y > space.top, handle.y < space.bottom + size else {
            return
        }
        text.set(utf8: shape.drawing.text)
        list.text(
            theme.strongText, x: Pixels.snap(handle.x + size / 2), y: Pixels.snap(handle.y - size), size: size,
            align: .left, text)
    }

    private func drawHandles(_ shape: DrawingShape, _ space: DrawingSpace, into list: inout DisplayList) {
        let isLocked = shape.drawing.isLocked
        let outer = Pixels.snap(5 * layout.ratio)
        for index in 0..<shape.drawing.anchors.count {
            let place = shape.handle(index, space)
            guard place.x > -outer, place.x < space.width + outer, place.y > space.top - outer,
                place.y < space.bottom + outer
            else { continue }
            let x = Pixels.snap(place.x)
            let y = Pixels.snap(place.y)
            list.dot(isLocked ? theme.axisText : shape.drawing.style.shown, x, y, outer)
            if !isLocked { list.dot(theme.background, x, y, Pixels.snap(3.5 * layout.ratio)) }
        }
    }
}

extension DrawingSpace {
    init?(_ scene: borrowing Scene) {
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
