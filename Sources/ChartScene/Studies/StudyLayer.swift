internal import MarketModel

/// The studies of one pane: clouds and bands, then columns, lines and dots.
enum StudyLayer {
    static func draw(_ scene: Scene, _ scratch: inout Scratch, pane: Int, into list: inout DisplayList) {
        for index in 0..<scene.studies.count where scene.studies[index].pane == pane {
            if scene.studies[index].isVisible { draw(scene.studies[index], scene, &scratch, into: &list) }
        }
    }

    private static func draw(
        _ study: ChartStudy, _ scene: Scene, _ scratch: inout Scratch, into list: inout DisplayList
    ) {
        let scale = scene.frame.scales[study.pane]
        guides(study, scale, scene, into: &list)
        for output in 0..<study.outputs.count where study.outputs[output].partner != nil {
            surface(study, output, scale, scene, &scratch, into: &list)
        }
        for output in 0..<study.outputs.count {
            let trace = study.outputs[output]
            let colour = study.colour(output, scene.theme)
            gather(study, output, scene, &scratch.line)
            switch trace.form {
            case .line, .cloudEdge:
                scratch.line.stroke(colour, width: scene.studyWidth, scale, scene.time, into: &list)
            case .bandEdge:
                let dash = 4 * scene.layout.hairline
                scratch.line.stroke(
                    colour, width: scene.layout.hairline, scale, scene.time, dashOn: dash, dashOff: dash, into: &list)
            case .histogram:
                let own = study.colours[output]
                columns(scratch.line, own ?? scene.theme.up, above: true, scale, scene, into: &list)
                columns(scratch.line, own ?? scene.theme.down, above: false, scale, scene, into: &list)
            case .dots:
                dots(scratch.line, colour, scale, scene, into: &list)
            }
        }
    }

    private static func gather(_ study: ChartStudy, _ output: Int, _ scene: Scene, _ line: inout LineTrace) {
        study.columns.withOutput(output) {
            line.gather($0, scene.indices, scene.time, shift: study.outputs[output].shift)
        }
    }

    private static func guides(
        _ study: ChartStudy, _ scale: PriceScale, _ scene: Scene, into list: inout DisplayList
    ) {
        guard study.pane > 0, !study.guides.isEmpty else { return }
        let hairline = scene.layout.hairline
        list.beginSegments(
            scene.theme.axisText.withAlpha(0x70), width: hairline, dashOn: 4 * hairline, dashOff: 4 * hairline)
        for guide in study.guides {
            let y = Pixels.floor(scale.y(guide)) + hairline / 2
            list.segment(x1: 0, y1: y, x2: scene.layout.plotWidth, y2: y)
        }
        list.end()
    }

    // MARK: Forms

    /// Columns from zero, of the values on one side of it.
    private static func columns(
        _ line: LineTrace, _ colour: Colour, above: Bool, _ scale: PriceScale, _ scene: Scene,
        into list: inout DisplayList
    ) {
        let zero = Pixels.snap(scale.y(0))
        list.beginRects(colour)
        for point in line.points {
            let value = line.isDense ? (above ? point.high : point.low) : point.last
            guard value.isFinite, above ? value >= 0 : value < 0 else { continue }
            let y = Pixels.snap(scale.y(value))
            // A column of nothing is still a bar's: it is a line on zero.
            let top = min(y, zero)
            let height = max(max(y, zero) - top, scene.layout.hairline)
            if let candle = scene.candle, !line.isDense {
                let left = candle.wickLeft(point.x) - candle.overhang
                list.rect(x: left, y: top, width: candle.body, height: height)
            } else {
                list.rect(x: Pixels.floor(point.x), y: top, width: 1, height: height)
            }
        }
        list.end()
    }

    private static func dots(
        _ line: LineTrace, _ colour: Colour, _ scale: PriceScale, _ scene: Scene, into list: inout DisplayList
    ) {
        let room = Pixels.floor(scene.time.spacing * 0.6)
        let size = max(scene.layout.hairline, min(room, Pixels.snap(3 * scene.layout.ratio)))
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

    // MARK: Surfaces

    /// The area between two edges: of a band in its colour, of a cloud in that of rising or falling prices.
    private static func surface(
        _ study: ChartStudy, _ output: Int, _ scale: PriceScale, _ scene: Scene, _ scratch: inout Scratch,
        into list: inout DisplayList
    ) {
        let trace = study.outputs[output]
        guard let partner = trace.partner else { return }
        gather(study, output, scene, &scratch.line)
        gather(study, partner, scene, &scratch.otherLine)
        let isCloud = trace.form == .cloudEdge
        let above = isCloud ? scene.theme.up.withAlpha(0x30) : study.colour(output, scene.theme).withAlpha(0x1C)
        let below = isCloud ? scene.theme.down.withAlpha(0x30) : above
        // Two edges with the same displacement have the same places.
        guard study.outputs[partner].shift == trace.shift,
            scratch.line.points.count == scratch.otherLine.points.count
        else { return }
        if scratch.line.isDense {
            dense(scratch, scale, above: true, above, into: &list)
            dense(scratch, scale, above: false, below, into: &list)
        } else {
            Ribbon.draw(scratch.line.points, scratch.otherLine.points, scale, above: above, below: below, into: &list)
        }
    }

    private static func dense(
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
