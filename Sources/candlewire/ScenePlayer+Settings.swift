import FinanceChartsKit

/// The calls that set a chart up: what is drawn, how, and in which panes.
extension ScenePlayer {
    /// - Returns: `false` where there is no such call.
    mutating func playSettings(_ call: SceneCall) throws -> Bool {
        switch call.call {
        case "set_font_scale": chart.setFontScale(try call.number(0))
        case "set_kind": if let kind = SeriesKind(rawValue: try call.byte(0)) { chart.setKind(kind) }
        case "set_baseline": chart.setBaseline(try call.number(0))
        case "set_volume": if let place = VolumePlacement(rawValue: try call.byte(0)) { chart.setVolume(place) }
        case "set_time_scale": if let kind = TimeScaleKind(rawValue: try call.byte(0)) { chart.setTimeScale(kind) }
        case "set_tick_size": chart.setTickSize(try call.number(0))
        case "drag_divider": try chart.dragDivider(below: call.integer(0), byPixels: call.number(1))
        case "set_share": try chart.setShare(ofPane: call.integer(0), call.number(1))
        case "set_scale":
            let (low, high) = try (call.number(3), call.number(4))
            try chart.setScale(
                ofPane: call.integer(0),
                PriceScaleSettings(
                    kind: PriceScaleKind(rawValue: call.byte(1)) ?? .linear, isInverted: call.flag(2),
                    range: low < high ? low...high : nil))
        case "stretch_scale": try chart.stretchScale(ofPane: call.integer(0), by: call.number(1))
        case "pan_scale": try chart.panScale(ofPane: call.integer(0), byPixels: call.number(1))
        case "reset_scale": try chart.resetScale(ofPane: call.integer(0))
        default: return try playStudies(call)
        }
        return true
    }

    private mutating func playStudies(_ call: SceneCall) throws -> Bool {
        switch call.call {
        case "add_study":
            guard let kind = StudyKind(rawValue: try call.byte(0)) else { return true }
            let pane = try call.integer(1)
            chart.addStudy(StudySettings(kind), inPane: pane < 0 ? nil : pane)
        case "remove_study": chart.removeStudy(try call.integer(0))
        case "set_study":
            guard let study = chart.study(try call.integer(0)) else { return true }
            var settings = study.settings
            if let source = PriceSource(rawValue: try call.byte(1)) { settings.source = source }
            for index in 0..<4 where index + 2 < call.arguments.count {
                let value = try call.number(index + 2)
                if !value.isNaN { settings[index] = value }
            }
            chart.setStudy(study.id, settings)
        case "set_study_colour":
            let colour = UInt32(exactly: try call.number(2)) ?? 0
            try chart.setColour(
                ofStudy: call.integer(0), output: call.integer(1), colour == 0 ? nil : Colour(rgba: colour))
        case "show_study": try chart.setVisible(ofStudy: call.integer(0), call.flag(1))
        case "move_study": try chart.moveStudy(call.integer(0), toPane: call.integer(1))
        case "move_pane": try chart.movePane(call.integer(0), to: call.integer(1))
        case "add_comparison": try chart.addComparison(call.text(0).utf8, precision: call.integer(1))
        case "remove_comparison": chart.removeComparison(try call.integer(0))
        case "set_comparison": try chart.setData(ofComparison: call.integer(0), call.candles(1))
        case "place_comparison": try chart.place(call.candle(from: 1), ofComparison: call.integer(0))
        case "set_comparison_colour":
            let colour = UInt32(exactly: try call.number(1)) ?? 0
            try chart.setColour(ofComparison: call.integer(0), colour == 0 ? nil : Colour(rgba: colour))
        default: return false
        }
        return true
    }
}

extension SceneCall {
    /// The number of a setting; one that no setting has where it does not fit.
    func byte(_ index: Int) throws -> UInt8 {
        UInt8(exactly: try integer(index)) ?? .max
    }
}
