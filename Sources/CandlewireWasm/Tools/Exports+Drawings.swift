import ChartScene

// A pointer's way over the drawings. Places are CSS pixels, a tolerance is how near is on it.

/// Chooses what the next presses draw, by `DrawingKind`; -1 selects and moves.
@_cdecl("cw_chart_drawing_tool")
public func cw_chart_drawing_tool(_ handle: Int32, _ kind: Int32) {
    chart(handle)?.view.board.setTool(choice(kind))
}

/// The chosen tool; -1 for none, as after its drawing was made.
@_cdecl("cw_chart_drawing_current_tool")
public func cw_chart_drawing_current_tool(_ handle: Int32) -> Int32 {
    Int32(chart(handle)?.view.board.tool.map { Int($0.rawValue) } ?? -1)
}

/// 1 where the drawings take the pointer, 0 where it is the chart's.
@_cdecl("cw_chart_drawing_press")
public func cw_chart_drawing_press(_ handle: Int32, _ x: Double, _ y: Double, _ tolerance: Double) -> Int32 {
    chart(handle)?.view.pressDrawing(x: x, y: y, tolerance: tolerance) == true ? 1 : 0
}

@_cdecl("cw_chart_drawing_move")
public func cw_chart_drawing_move(_ handle: Int32, _ x: Double, _ y: Double, _ tolerance: Double) {
    chart(handle)?.view.moveDrawing(x: x, y: y, tolerance: tolerance)
}

@_cdecl("cw_chart_drawing_release")
public func cw_chart_drawing_release(_ handle: Int32, _ x: Double, _ y: Double, _ tolerance: Double) {
    chart(handle)?.view.releaseDrawing(x: x, y: y, tolerance: tolerance)
}

/// What is under a place: its number times four, and 0 for the body, 1 and on for a handle; 0 for nothing.
@_cdecl("cw_chart_drawing_hit")
public func cw_chart_drawing_hit(_ handle: Int32, _ x: Double, _ y: Double, _ tolerance: Double) -> Int32 {
    guard let hit = chart(handle)?.view.drawing(x: x, y: y, tolerance: tolerance) else { return 0 }
    switch hit.part {
    case .body: return Int32(hit.id) * 4
    case .handle(let index): return Int32(hit.id) * 4 + 1 + Int32(index)
    }
}

/// Gives up what was begun.
@_cdecl("cw_chart_drawing_cancel")
public func cw_chart_drawing_cancel(_ handle: Int32) {
    chart(handle)?.view.board.cancel()
}

/// Places an anchor at the crosshair; 0 without a tool or a crosshair.
@_cdecl("cw_chart_drawing_at_crosshair")
public func cw_chart_drawing_at_crosshair(_ handle: Int32) -> Int32 {
    chart(handle)?.view.placeDrawingAtCrosshair() == true ? 1 : 0
}

/// Moves the selected drawing by bars and by steps of the price.
@_cdecl("cw_chart_drawing_nudge")
public func cw_chart_drawing_nudge(_ handle: Int32, _ bars: Int32, _ steps: Int32) {
    chart(handle)?.view.nudgeDrawing(bars: Int(bars), steps: Int(steps))
}

/// By `Magnet`; another number is ignored.
@_cdecl("cw_chart_drawing_magnet")
public func cw_chart_drawing_magnet(_ handle: Int32, _ magnet: Int32) {
    guard let magnet: Magnet = choice(magnet) else { return }
    chart(handle)?.view.board.magnet = magnet
}
