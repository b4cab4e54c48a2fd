import FinanceChartsKit

/// The calls of the drawings, with the arguments of the WebAssembly exports.
extension ScenePlayer {
    /// - Returns: whether it was one of them.
    mutating func playDrawing(_ call: SceneCall) throws -> Bool {
        switch call.call {
        case "drawing_tool":
            chart.board.setTool(UInt8(exactly: try call.integer(0)).flatMap { DrawingKind(rawValue: $0) })
        case "drawing_press":
            _ = try chart.pressDrawing(x: call.number(0), y: call.number(1), tolerance: call.number(2))
        case "drawing_move":
            try chart.moveDrawing(x: call.number(0), y: call.number(1), tolerance: call.number(2))
        case "drawing_release":
            try chart.releaseDrawing(x: call.number(0), y: call.number(1), tolerance: call.number(2))
        case "drawing_cancel": chart.board.cancel()
        case "drawing_at_crosshair": _ = chart.placeDrawingAtCrosshair()
        case "drawing_nudge": try chart.nudgeDrawing(bars: call.integer(0), steps: call.integer(1))
        case "drawing_magnet":
            if let magnet = Magnet(rawValue: UInt8(truncatingIfNeeded: try call.integer(0))) {
                chart.board.magnet = magnet
            }
        case "drawing_add": try addDrawing(call)
        case "drawing_style": try styleDrawing(call)
        case "drawing_remove": chart.board.remove(try call.integer(0))
        case "drawing_lock": try chart.board.setLocked(call.integer(0), call.flag(1))
        case "drawing_hide":
            let id = try call.integer(0)
            if id == 0 {
                chart.board.setAllHidden(try call.flag(1))
            } else {
                chart.board.setHidden(id, try call.flag(1))
            }
        case "drawing_raise": chart.board.raise(try call.integer(0))
        case "drawing_select":
            let id = try call.integer(0)
            chart.board.select(id == 0 ? nil : id)
        case "drawing_select_next": chart.board.selectNext(try call.integer(0))
        case "drawing_undo": chart.board.undo()
        case "drawing_redo": chart.board.redo()
        case "drawing_set_text": try chart.board.setText(call.integer(0), call.text(1).utf8)
        case "drawing_load": try? chart.board.load(call.text(0).utf8)
        default: return false
        }
        return true
    }

    private mutating func addDrawing(_ call: SceneCall) throws {
        guard let kind = DrawingKind(rawValue: UInt8(truncatingIfNeeded: try call.integer(0))) else { return }
        var anchors = try [DrawingAnchor(time: call.number(1), price: call.number(2))]
        if kind.anchorCount == 2 { anchors.append(try DrawingAnchor(time: call.number(3), price: call.number(4))) }
        if let drawing = Drawing(kind, anchors, style: chart.board.style) { chart.board.add(drawing) }
    }

    private mutating func styleDrawing(_ call: SceneCall) throws {
        guard let dash = DrawingStyle.Dash(rawValue: UInt8(truncatingIfNeeded: try call.integer(3))) else { return }
        let style = try DrawingStyle(colour: call.colour(1), width: call.number(2), dash: dash)
        let id = try call.integer(0)
        if id == 0 { chart.board.style = style } else { chart.board.setStyle(id, style) }
    }
}
