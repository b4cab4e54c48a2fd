internal import MarketModel

/// The studies of one pane: clouds and bands, then columns, lines and dots.
extension Scene {
    func drawStudies(_ scratch: inout Scratch, pane: Int, into list: inout DisplayList) {
        for index in 0..<studies.count where studies[index].pane == pane {
            if studies[index].isVisible { draw(studies[index], &scratch, into: &list) }
        }
    }

    private func draw(_ study: ChartStudy, _ scratch: inout Scratch, into list: inout DisplayList) {
        let scale = frame.scales[study.pane]
        drawGuides(study, scale, into: &list)
        for output in 0..<study.outputs.count {
            guard let partner = study.outputs[output].partner else { continue }
            drawSurface(study, output, partner, scale, &scratch, into: &list)
        }
        for output in 0..<study.outputs.count {
            let colour = study.colour(output, theme)
            gather(study, output, &scratch.line)
            switch study.outputs[output].form {
            case .line, .cloudEdge: scratch.line.stroke(colour, width: studyWidth, scale, time, into: &list)
            case .bandEdge:
                let dash = 4 * layout.hairline
                scratch.line.stroke(
                    colour, width: layout.hairline, scale, time, dashOn: dash, dashOff: dash, into: &list)
            case .histogram:
                let own = study.colours[output]
                drawColumns(scratch.line, own ?? theme.up, above: true, scale, into: &list)
                drawColumns(scratch.line, own ?? theme.down, above: false, scale, into: &list)
            case .dots: drawDots(scratch.line, colour, scale, into: &list)
            }
        }
    }

    private func gather(_ study: ChartStudy, _ output: Int, _ line: inout LineTrace) {
        study.columns.withOutput(output) { line.gather($0, indices, time, shift: study.outputs[output].shift) }
    }

    private func drawGuides(_ study: ChartStudy, _ scale: PriceScale, into list: inout DisplayList) {
        guard study.pane > 0, !study.guides.isEmpty else { return }
        let hairline = layout.hairline
        list.beginSegments(theme.axisText.withAlpha(0x70), width: hairline, dashOn: 4 * hairline, dashOff: 4 * hairline)
        for guide in study.guides {
            let y = Pixels.floor(scale.y(guide)) + hairline / 2
            list.segment(x1: 0, y1: y, x2: layout.plotWidth, y2: y)
        }
        list.end()
    }

    /// Columns from zero, of the values on one side of it.
    private func drawColumns(
        _ line: LineTrace, _ colour: Colour, above: Bool, _ scale: PriceScale, into list: inout DisplayList
    ) {
        let zero = Pixels.snap(scale.y(0))
        list.beginRects(colour)
        for point in line.points {
            let value = line.isDense ? (above ? point.high : point.low) : point.last
            guard value.isFinite, above ? value >= 0 : value < 0 else { continue }
            let y = Pixels.snap(scale.y(value))
            // A column of nothing is still a bar's: it is a line on zero.
            let top = min(y, zero)
            let height = max(max(y, zero) - top, layout.hairline)
            if let candle, !line.isDense {
                let left = candle.wickLeft(point.x) - candle.overhang
                list.rect(x: left, y: top, width: candle.body, height: height)
            } else {
                list.rect(x: Pixels.floor(point.x), y: top, width: 1, height: height)
            }
        }
        list.end()
    }

    private func drawDots(_ line: LineTrace, _ colour: Colour, _ scale: PriceScale, into list: inout DisplayList) {
        let room = Pixels.floor(time.spacing * 0.6)
        let size = max(layout.hairline, min(room, Pixels.snap(3 * layout.ratio)))
        list.beginRects(colour)
        for point in line.points where point.last == point.last {
            let left = line.isDense ? point.x : Pixels.snap(point.x - size / 2)
            let a = Pixels.snap(scale.y(point.low) - size / 2)
            list.rect(x: left, y: a, width: line.isDense ? 1 : size, height: size)
            if line.isDense, point.high != point.low {
                list.rect(x: left, y: Pixels.snap(scale.y(point.high) - size / 2), width: 1, height: size)
            }
        }
        list.end()
    }

    /// The area between two edges: of a band in its colour, of a cloud in that of rising or falling prices.
    private func drawSurface(
        _ study: ChartStudy, _ output: Int, _ partner: Int, _ scale: PriceScale, _ scratch: inout Scratch,
        into list: inout DisplayList
    ) {
        let trace = study.outputs[output]
        gather(study, output, &scratch.line)
        gather(study, partner, &scratch.otherLine)
        let isCloud = trace.form == .cloudEdge
        let above = isCloud ? theme.up.withAlpha(0x30) : study.colour(output, theme).withAlpha(0x1C)
        let below = isCloud ? theme.down.withAlpha(0x30) : above
        // Two edges with the same displacement have the same places.
        guard study.outputs[partner].shift == trace.shift,
            scratch.line.points.count == scratch.otherLine.points.count
        else { return }
        if scratch.line.isDense {
            drawDense(scratch, scale, above: true, above, into: &list)
            drawDense(scratch, scale, above: false, below, into: &list)
        } else {
            Ribbon(first: scratch.line.points, second: scratch.otherLine.points, scale: scale)
                .draw(above: above, below: below, into: &list)
        }
    }

    private func drawDense(
        _ scratch: Scratch, _ scale: PriceScale, above: Bool, _ colour: Colour, into list: inout DisplayList
    ) {
        list.beginRects(colour)
        for index in 0..<scratch.line.points.count {
            let point = scratch.line.points[index]
            let other = scratch.otherLine.points[index].last
            guard (point.last >= other) == above, point.last == point.last, other == other else { continue }
            let ends = Ends(scale, point.last, other)
            if ends.bottom > ends.top {
                list.rect(x: point.x, y: ends.top, width: 1, height: ends.bottom - ends.top)
            }
        }
        list.end()
    }
}
