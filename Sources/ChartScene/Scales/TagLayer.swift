internal import MarketModel

/// The tags on the axis of the price pane, in the overlay: the newest price, then orders, alerts, compared symbols and
/// lines. Of very many, those further down that list have none.
extension Scene {
    func drawTags(
        _ objects: ChartObjects, _ board: DrawingBoard, _ scratch: inout Scratch, into list: inout DisplayList
    ) {
        scratch.tags.removeAll()
        addNewest(&scratch.tags)
        gatherTags(objects, board, &scratch.tags)
        drawGathered(&scratch, into: &list)
    }

    /// The tag of the newest price alone, in the base: who paints that one only, has it too. The overlay's lies over it.
    func drawNewestTag(_ scratch: inout Scratch, into list: inout DisplayList) {
        scratch.tags.removeAll()
        addNewest(&scratch.tags)
        drawGathered(&scratch, into: &list)
    }

    @inline(never)
    private func drawGathered(_ scratch: inout Scratch, into list: inout DisplayList) {
        guard layout.hasPriceAxis, !series.isEmpty else { return }
        let height = layout.labelHeight
        let gap = layout.hairline
        scratch.tags.place(top: layout.price.top, bottom: layout.price.bottom + gap, height: height + gap)
        // All numbers go before a tag is there that they would be painted over.
        if let crosshair, let y = crosshair.y { hideNumbers(under: y, crosshair.pane, into: &list) }
        for tag in scratch.tags.tags { hideNumbers(under: tag.top + height / 2, 0, into: &list) }
        for index in 0..<scratch.tags.tags.count { draw(scratch.tags.tags[index], height, &scratch, into: &list) }
    }

    @inline(never)
    private func addNewest(_ tags: inout AxisTags) {
        if let last = newest, !visible.isEmpty {
            let fill = last.isGreen ? theme.upLabel : theme.downLabel
            tags.add(
                AxisTags.Tag(
                    y: Pixels.floor(price.y(last.close)), value: price.shown(last.close), format: format(precision),
                    fill: fill, ink: theme.labelText, border: nil), isPinned: true)
        }
    }

    private func gatherTags(_ objects: ChartObjects, _ board: DrawingBoard, _ tags: inout AxisTags) {
        for order in objects.orders {
            let isUp = hasUpColour(order)
            addPrice(
                order.shown, fill: theme.background, ink: isUp ? theme.upText : theme.downText,
                border: isUp ? theme.up : theme.down, &tags)
        }
        for alert in objects.alerts where !alert.isFired { addPrice(alert.price, &tags) }
        for index in 0..<comparisons.count where comparisons[index].isVisible {
            let other = comparisons[index]
            guard let close = other.series.last?.close else { continue }
            let scale = price.rescaled(by: frame.factors[index])
            let fill = other.colour(theme)
            let isDark = fill.contrast(to: theme.background) > fill.contrast(to: theme.labelText)
            tags.add(
                AxisTags.Tag(
                    y: Pixels.floor(scale.y(close)), value: scale.shown(close),
                    format: format(other.precision), fill: fill,
                    ink: isDark ? theme.background : theme.labelText, border: nil))
        }
        for line in objects.lines { addPrice(line.price, &tags) }
        if board.hasPicture {
            for drawing in board.drawings where !drawing.isHidden && drawing.kind == .horizontalLine {
                if pixel(of: drawing.anchors[0].price) != nil { addPrice(drawing.anchors[0].price, &tags) }
            }
        }
    }

    /// How the axis writes the newest price and those of compared symbols.
    private func format(_ precision: Int) -> AxisFormat {
        switch price.kind {
        case .linear, .logarithmic: .price(precision: precision)
        case .percent: .percent
        case .indexed: .indexed
        }
    }

    /// The price of an order, an alert or a line, also where the axis shows percent.
    private func addPrice(
        _ value: Double, fill: Colour? = nil, ink: Colour? = nil, border: Colour? = nil, _ tags: inout AxisTags
    ) {
        tags.add(
            AxisTags.Tag(
                y: Pixels.floor(price.y(value)), value: value, format: .price(precision: precision),
                fill: fill ?? theme.crosshairLabel, ink: ink ?? theme.labelText, border: border))
    }

    private func draw(
        _ tag: AxisTags.Tag, _ height: Double, _ scratch: inout Scratch, into list: inout DisplayList
    ) {
        scratch.text.clear()
        if tag.count > 0 {
            scratch.text.append(integer: UInt64(tag.count))
            scratch.text.append(" more")
        } else {
            scratch.text.append(tag.value, tag.format)
        }
        if let border = tag.border {
            drawBox(border, top: tag.top, height: height, into: &list)
            drawBox(tag.fill, top: tag.top, height: height, inset: layout.hairline, into: &list)
        } else {
            drawBox(tag.fill, top: tag.top, height: height, into: &list)
        }
        let middle = tag.top + height / 2
        if tag.direction != 0 {
            let unit = Pixels.snap(3 * layout.ratio)
            let x = layout.plotWidth + Pixels.snap(6 * layout.ratio)
            list.beginPolygon(tag.ink)
            list.point(x: x, y: middle + tag.direction * unit)
            list.point(x: x + unit, y: middle - tag.direction * unit)
            list.point(x: x - unit, y: middle - tag.direction * unit)
            list.end()
        }
        drawAxisText(
            &scratch, tag.ink, indent: tag.direction == 0 ? 0 : Pixels.snap(3 * layout.ratio), y: middle, into: &list)
    }
}
