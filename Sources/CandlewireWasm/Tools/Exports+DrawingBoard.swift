import ChartScene

// What is on the board, and changes that are steps to undo. A drawing is named by its number, 0 is none.

/// Puts a drawing on the board; its number, or 0 where it can not be. The second anchor counts for kinds that have one.
@_cdecl("cw_chart_drawing_add")
public func cw_chart_drawing_add(
    _ handle: Int32, _ kind: Int32, _ time: Double, _ price: Double, _ time2: Double, _ price2: Double
) -> Int32 {
    guard let chart = chart(handle), let kind: DrawingKind = choice(kind) else {
        return 0
    }
    var anchors = [DrawingAnchor(time: time, price: price)]
    if kind.anchorCount == 2 { anchors.append(DrawingAnchor(time: time2, price: price2)) }
    guard let drawing = Drawing(kind, anchors, style: chart.view.board.style) else { return 0 }
    return Int32(chart.view.board.add(drawing) ?? 0)
}

@_cdecl("cw_chart_drawing_remove")
public func cw_chart_drawing_remove(_ handle: Int32, _ id: Int32) {
    chart(handle)?.view.board.remove(Int(id))
}

@_cdecl("cw_chart_drawing_remove_all")
public func cw_chart_drawing_remove_all(_ handle: Int32) {
    chart(handle)?.view.board.removeAll()
}

/// - Parameters:
///   - id: 0 is what comes next.
///   - colour: `0xRRGGBBAA` as a number; negative is the default one.
///   - dash: by `DrawingStyle.Dash`.
@_cdecl("cw_chart_drawing_style")
public func cw_chart_drawing_style(_ handle: Int32, _ id: Int32, _ colour: Double, _ width: Double, _ dash: Int32) {
    guard let dash: DrawingStyle.Dash = choice(dash) else { return }
    let style = DrawingStyle(
        colour: pageColour(colour), width: width, dash: dash)
    if id == 0 {
        chart(handle)?.view.board.style = style
    } else {
        chart(handle)?.view.board.setStyle(Int(id), style)
    }
}

@_cdecl("cw_chart_drawing_set_text")
public func cw_chart_drawing_set_text(_ handle: Int32, _ id: Int32, _ utf8: UnsafePointer<UInt8>?, _ length: Int32) {
    chart(handle)?.view.board.setText(Int(id), text(utf8, length))
}

@_cdecl("cw_chart_drawing_lock")
public func cw_chart_drawing_lock(_ handle: Int32, _ id: Int32, _ isLocked: Int32) {
    chart(handle)?.view.board.setLocked(Int(id), isLocked != 0)
}

/// - Parameter id: 0 is all of them, which is no step to undo.
@_cdecl("cw_chart_drawing_hide")
public func cw_chart_drawing_hide(_ handle: Int32, _ id: Int32, _ isHidden: Int32) {
    if id == 0 {
        chart(handle)?.view.board.setAllHidden(isHidden != 0)
    } else {
        chart(handle)?.view.board.setHidden(Int(id), isHidden != 0)
    }
}

@_cdecl("cw_chart_drawing_raise")
public func cw_chart_drawing_raise(_ handle: Int32, _ id: Int32) {
    chart(handle)?.view.board.raise(Int(id))
}

@_cdecl("cw_chart_drawing_select")
public func cw_chart_drawing_select(_ handle: Int32, _ id: Int32) {
    chart(handle)?.view.board.select(id == 0 ? nil : Int(id))
}

@_cdecl("cw_chart_drawing_select_next")
public func cw_chart_drawing_select_next(_ handle: Int32, _ step: Int32) {
    chart(handle)?.view.board.selectNext(Int(step))
}

@_cdecl("cw_chart_drawing_selection")
public func cw_chart_drawing_selection(_ handle: Int32) -> Int32 {
    Int32(chart(handle)?.view.board.selection ?? 0)
}

/// 1 where there was something to undo.
@_cdecl("cw_chart_drawing_undo")
public func cw_chart_drawing_undo(_ handle: Int32) -> Int32 {
    chart(handle)?.view.board.undo() == true ? 1 : 0
}

@_cdecl("cw_chart_drawing_redo")
public func cw_chart_drawing_redo(_ handle: Int32) -> Int32 {
    chart(handle)?.view.board.redo() == true ? 1 : 0
}

/// Bit 0: there is something to undo; bit 1: to redo.
@_cdecl("cw_chart_drawing_steps")
public func cw_chart_drawing_steps(_ handle: Int32) -> Int32 {
    guard let board = chart(handle)?.view.board else { return 0 }
    return (board.canUndo ? 1 : 0) | (board.canRedo ? 2 : 0)
}

@_cdecl("cw_chart_drawing_count")
public func cw_chart_drawing_count(_ handle: Int32) -> Int32 {
    Int32(chart(handle)?.view.board.drawings.count ?? 0)
}

struct DrawingRecord: PageRecord {
    /// From 1.
    var id: Double
    var kind: PageCase<DrawingKind>
    var locked: PageFlag
    var hidden: PageFlag
    /// 0xRRGGBBAA; null is the default one.
    var colour: PageOptional
    /// Width of lines, 1 to 8.
    var width: Double
    var dash: PageCase<DrawingStyle.Dash>
}

/// A `DrawingRecord` of the drawing at a position from the lowest; 0 for a position without one. Its text is the
/// handle's text then. Valid until the next call.
@_cdecl("cw_chart_drawing_at")
public func cw_chart_drawing_at(_ handle: Int32, _ position: Int32) -> UnsafeMutablePointer<Double>? {
    guard let chart = chart(handle), position >= 0, Int(position) < chart.view.board.drawings.count else { return nil }
    let drawing = chart.view.board.drawings[Int(position)]
    chart.text.fill(drawing.text)
    return chart.answer(
        DrawingRecord(
            id: Double(drawing.id), kind: PageCase(drawing.kind), locked: PageFlag(drawing.isLocked),
            hidden: PageFlag(drawing.isHidden), colour: PageOptional(drawing.style.colour.map { Double($0.rgba) }),
            width: drawing.style.width, dash: PageCase(drawing.style.dash)))
}

// MARK: Documents

/// Writes the drawings as a document into the handle's text.
@_cdecl("cw_chart_drawing_save")
public func cw_chart_drawing_save(_ handle: Int32) {
    guard let chart = chart(handle) else { return }
    chart.text.fill(chart.view.board.document)
}

/// Replaces the drawings by those of a document. Answers 1; or 0 where it is not as it should be, with a sentence about
/// it in the handle's text, and nothing changed.
/// - Parameter isBeginning: not 0 where these drawings are what the board begins with: no step to undo.
@_cdecl("cw_chart_drawing_load")
public func cw_chart_drawing_load(
    _ handle: Int32, _ utf8: UnsafePointer<UInt8>?, _ length: Int32, _ isBeginning: Int32
) -> Int32 {
    guard let chart = chart(handle) else { return 0 }
    do throws(DocumentError) {
        try chart.view.board.load(text(utf8, length))
        if isBeginning != 0 { chart.view.board.forgetSteps() }
        return 1
    } catch {
        chart.text.fill(error.sentence)
        return 0
    }
}

/// Puts a board without drawings and without a history in place of this one, as for another symbol.
@_cdecl("cw_chart_drawing_reset")
public func cw_chart_drawing_reset(_ handle: Int32) {
    guard let chart = chart(handle) else { return }
    var board = DrawingBoard()
    board.magnet = chart.view.board.magnet
    board.style = chart.view.board.style
    chart.view.board = board
}

/// The text that the last call left: UTF-8, valid until the next one that leaves some.
@_cdecl("cw_chart_text")
public func cw_chart_text(_ handle: Int32) -> UnsafePointer<UInt8>? {
    (chart(handle)?.text.base).map { UnsafePointer($0) }
}

@_cdecl("cw_chart_text_length")
public func cw_chart_text_length(_ handle: Int32) -> Int32 {
    Int32(chart(handle)?.text.count ?? 0)
}
