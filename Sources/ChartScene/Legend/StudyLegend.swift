internal import MarketModel

/// A line of the legend for each study: its name, its parameters, and its values at the legend's bar.
enum StudyLegend {
    static func draw(
        _ scene: Scene, _ scratch: inout Scratch, pane: Int, _ pen: inout LegendPen, into list: inout DisplayList
    ) {
        for index in 0..<scene.studies.count where scene.studies[index].pane == pane {
            pen.line()
            let study = scene.studies[index]
            scratch.text.clear()
            scratch.text.append(study.settings)
            let colour = study.isVisible ? scene.theme.axisText : scene.theme.axisText.withAlpha(0x80)
            pen.item(scratch.text, colour, gap: 12, into: &list)
            guard study.isVisible, let bar = scene.legendBar else { continue }
            for output in 0..<study.outputs.count {
                let value = study.shown(output: output, atBar: bar)
                guard value.isFinite else { continue }
                scratch.text.clear()
                scene.write(value, ofPane: pane, into: &scratch.text)
                pen.item(scratch.text, study.colour(output, scene.theme), gap: 8, into: &list)
            }
        }
    }
}

extension Scene {
    /// A value as a pane's legend and crosshair show it.
    @inline(never)
    func write(_ value: Double, ofPane pane: Int, into text: inout TextBuffer) {
        if pane == 0 {
            text.append(price: value, precision: precision)
        } else if value.magnitude >= 100_000 {
            text.append(compact: value)
        } else {
            text.append(price: value, precision: frame.digits[pane])
        }
    }
}

extension TextBuffer {
    /// A study's name and parameters: `MACD 12 26 9`.
    @inline(never)
    mutating func append(_ settings: StudySettings) {
        append(settings.kind.name)
        for index in 0..<settings.parameterCount {
            append(" ")
            append(shortest: settings[index], decimals: 3)
        }
    }
}
