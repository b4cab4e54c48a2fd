import ChartScene
import MarketModel

/// Adds a study of `StudyKind`'s number with its default settings. `pane` -1 is where it belongs; a number beyond the panes
/// is a new one. Answers its id, 0 where there is no such kind or no more room.
@_cdecl("cw_chart_add_study")
public func cw_chart_add_study(_ handle: Int32, _ kind: Int32, _ pane: Int32) -> Int32 {
    guard let chart = chart(handle), let kind = UInt8(exactly: kind).flatMap(StudyKind.init) else { return 0 }
    return Int32(chart.view.addStudy(StudySettings(kind), inPane: pane < 0 ? nil : Int(pane)) ?? 0)
}

@_cdecl("cw_chart_remove_study")
public func cw_chart_remove_study(_ handle: Int32, _ id: Int32) {
    chart(handle)?.view.removeStudy(Int(id))
}

/// The source by `PriceSource`'s number, -1 leaves it; parameters that are NaN stay as they are.
@_cdecl("cw_chart_set_study")
public func cw_chart_set_study(
    _ handle: Int32, _ id: Int32, _ source: Int32, _ a: Double, _ b: Double, _ c: Double, _ d: Double
) {
    guard let chart = chart(handle), let index = chart.view.studies.firstIndex(where: { $0.id == Int(id) }) else {
        return
    }
    var settings = chart.view.studies[index].settings
    if let source = UInt8(exactly: source).flatMap(PriceSource.init) { settings.source = source }
    if !a.isNaN { settings[0] = a }
    if !b.isNaN { settings[1] = b }
    if !c.isNaN { settings[2] = c }
    if !d.isNaN { settings[3] = d }
    chart.view.setStudy(Int(id), settings)
}

/// `0xRRGGBBAA`; 0 is the theme's colour.
@_cdecl("cw_chart_set_study_colour")
public func cw_chart_set_study_colour(_ handle: Int32, _ id: Int32, _ output: Int32, _ colour: UInt32) {
    chart(handle)?.view.setColour(
        ofStudy: Int(id), output: Int(output), colour == 0 ? nil : Colour(rgba: colour))
}

/// The colour that an output is drawn in, 0 where there is none.
@_cdecl("cw_chart_study_colour")
public func cw_chart_study_colour(_ handle: Int32, _ id: Int32, _ output: Int32) -> UInt32 {
    chart(handle)?.view.readColour(ofStudy: Int(id), output: Int(output)) ?? 0
}

@_cdecl("cw_chart_show_study")
public func cw_chart_show_study(_ handle: Int32, _ id: Int32, _ isVisible: Int32) {
    chart(handle)?.view.setVisible(ofStudy: Int(id), isVisible != 0)
}

@_cdecl("cw_chart_move_study")
public func cw_chart_move_study(_ handle: Int32, _ id: Int32, _ pane: Int32) {
    chart(handle)?.view.moveStudy(Int(id), toPane: Int(pane))
}

@_cdecl("cw_chart_move_pane")
public func cw_chart_move_pane(_ handle: Int32, _ pane: Int32, _ place: Int32) {
    chart(handle)?.view.movePane(Int(pane), to: Int(place))
}

@_cdecl("cw_chart_study_count")
public func cw_chart_study_count(_ handle: Int32) -> Int32 {
    Int32(chart(handle)?.view.studies.count ?? 0)
}

struct StudyRecord: PageRecord {
    var id: Double
    var kind: Double
    var pane: Double
    var isVisible: PageFlag
    var source: Double
    /// The first parameter; null where it has fewer.
    var a: PageOptional
    var b: PageOptional
    var c: PageOptional
    var d: PageOptional
}

/// A `StudyRecord` of the study at a place, in the order in which they were added; 0 where there is none.
@_cdecl("cw_chart_study")
public func cw_chart_study(_ handle: Int32, _ index: Int32) -> UnsafeMutablePointer<Double>? {
    guard let chart = chart(handle), chart.view.studies.indices.contains(Int(index)) else { return nil }
    let study = chart.view.studies[Int(index)]
    let settings = study.settings
    return chart.answer(
        StudyRecord(
            id: Double(study.id), kind: Double(settings.kind.rawValue), pane: Double(study.pane),
            isVisible: PageFlag(study.isVisible), source: Double(settings.source.rawValue),
            a: PageOptional(settings[0]),
            b: PageOptional(settings[1]), c: PageOptional(settings[2]), d: PageOptional(settings[3])))
}

/// The value of an output at a bar, NaN where there is none.
@_cdecl("cw_chart_study_value")
public func cw_chart_study_value(_ handle: Int32, _ id: Int32, _ output: Int32, _ bar: Int32) -> Double {
    guard let chart = chart(handle), let index = chart.view.studies.firstIndex(where: { $0.id == Int(id) }) else {
        return .nan
    }
    return chart.view.studies[index].columns.value(output: Int(output), at: Int(bar))
}
