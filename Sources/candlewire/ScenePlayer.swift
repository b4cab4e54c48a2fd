import FinanceChartsKit

/// A chart driven by a script, with the calls, arguments, conversions and order of the WebAssembly exports.
struct ScenePlayer {
    /// For each frame its number of words and the words, little-endian.
    private(set) var output: [UInt8] = []
    private(set) var frames = 0
    private var chart = ChartView()
    private var picture = DisplayList()

    mutating func play(_ call: SceneCall) throws {
        switch call.call {
        case "new": chart = ChartView()
        case "resize":
            try chart.resize(width: call.number(0), height: call.number(1), devicePixelRatio: call.number(2))
        case "set_theme": if let theme = try Theme.preset(call.integer(0)) { chart.setTheme(theme) }
        case "set_symbol": try chart.setSymbol(call.text(0).utf8, precision: call.integer(1))
        case "set_zone": if let zone = try TimeZoneRules(call.text(0)) { chart.setTimeZone(zone) }
        case "set_timeframe":
            let index = try call.integer(0)
            guard Timeframe.allCases.indices.contains(index) else { return }
            chart.setTimeframe(Timeframe.allCases[index])
        case "set_data": try chart.setData(call.candles(0), keepViewport: call.flag(1))
        case "prepend":
            let candles = try call.candles(0)
            if !candles.isEmpty { chart.prepend(candles) }
        case "place": chart.place(try call.candle(from: 0), final: try call.flag(6))
        case "tick":
            try chart.ingest(Tick(timestamp: call.number(0), price: call.number(1), volume: call.number(2)))
        case "pan": try chart.pan(byPixels: call.number(0))
        case "pan_bars": try chart.pan(byBars: call.integer(0))
        case "zoom": try chart.zoom(by: call.number(0), atX: call.number(1))
        case "follow_live": chart.followLive()
        case "fit": chart.fit()
        case "crosshair": try chart.setCrosshair(x: call.number(0), y: call.number(1))
        case "crosshair_off": chart.clearCrosshair()
        case "crosshair_index": try chart.moveCrosshair(byBars: call.integer(0))
        case "set_zoom": chart.setZoom(try call.number(0))
        case "go_to": chart.go(toTime: try call.number(0))
        case "render": render()
        case "draw": draw()
        // What is drawn, how, and in which panes.
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
        case "add_study":
            guard let kind = StudyKind(rawValue: try call.byte(0)) else { return }
            let pane = try call.integer(1)
            chart.addStudy(StudySettings(kind), inPane: pane < 0 ? nil : pane)
        case "remove_study": chart.removeStudy(try call.integer(0))
        case "set_study":
            guard let study = chart.study(try call.integer(0)) else { return }
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
        case "show_comparison": try chart.setVisible(ofComparison: call.integer(0), call.flag(1))
        case "set_comparison_colour":
            let colour = UInt32(exactly: try call.number(1)) ?? 0
            try chart.setColour(ofComparison: call.integer(0), colour == 0 ? nil : Colour(rgba: colour))
        // Drawings.
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
            try id == 0 ? chart.board.setAllHidden(call.flag(1)) : chart.board.setHidden(id, call.flag(1))
        case "drawing_raise": chart.board.raise(try call.integer(0))
        case "drawing_select":
            let id = try call.integer(0)
            chart.board.select(id == 0 ? nil : id)
        case "drawing_select_next": chart.board.selectNext(try call.integer(0))
        case "drawing_undo": chart.board.undo()
        case "drawing_redo": chart.board.redo()
        case "drawing_set_text": try chart.board.setText(call.integer(0), call.text(1).utf8)
        case "drawing_load": try? chart.board.load(call.text(0).utf8)
        // What others put on a chart.
        case "line_set":
            guard let dash = DrawingStyle.Dash(rawValue: try call.byte(4)) else { return }
            let style = try DrawingStyle(colour: call.colour(2), width: call.number(3), dash: dash)
            try chart.objects.set(
                PriceLine(id: call.integer(0), price: call.number(1), style: style, label: call.text(5).utf8))
        case "line_remove": chart.objects.removeLine(try call.integer(0))
        case "alert_set":
            guard let direction = PriceAlert.Direction(rawValue: try call.byte(2)) else { return }
            try chart.objects.set(PriceAlert(id: call.integer(0), price: call.number(1), direction: direction))
        case "alert_remove": chart.objects.removeAlert(try call.integer(0))
        case "alert_rearm": chart.objects.rearmAlert(try call.integer(0))
        case "alert_update":
            let last = try call.number(0)
            if !chart.objects.alerts.isEmpty { _ = chart.updateAlerts(last: last) }
        case "marker_set":
            guard let kind = ChartMarker.Kind(rawValue: try call.byte(2)) else { return }
            let marker = try ChartMarker(
                id: call.integer(0), time: call.number(1), kind: kind, text: call.text(4).utf8, colour: call.colour(3))
            if let marker { chart.objects.set(marker) }
        case "marker_remove": chart.objects.removeMarker(try call.integer(0))
        case "feed_mark":
            guard let state = FeedMark.State(rawValue: try call.byte(2)) else { return }
            let mark = try FeedMark(from: call.number(0), to: call.number(1), state, reason: call.text(3).utf8)
            if let mark { chart.objects.add(mark) }
        case "feed_clear": chart.objects.removeAllFeedMarks()
        case "objects_clear": chart.objects = ChartObjects()
        case "order_set":
            guard let kind = OrderLine.Kind(rawValue: try call.byte(1)) else { return }
            try chart.objects.set(
                OrderLine(
                    id: call.integer(0), kind: kind, isBuy: call.flag(2), price: call.number(3),
                    label: call.text(5).utf8, isDraggable: call.flag(4)))
        case "order_remove": chart.objects.removeOrder(try call.integer(0))
        case "order_accept": chart.objects.acceptOrder(try call.integer(0))
        case "order_revert": chart.objects.revertOrder(try call.integer(0))
        case "order_press": _ = try chart.pressObject(x: call.number(0), y: call.number(1), tolerance: call.number(2))
        case "order_drag": try chart.moveObject(x: call.number(0), y: call.number(1))
        case "order_release": _ = chart.releaseObject()
        default: throw CommandFailure(66, "there is no call \(call.call).")
        }
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

    private mutating func render() {
        chart.render(into: &picture)
        append(picture)
    }

    /// The segments that were drawn.
    private mutating func draw() {
        let level = chart.draw()
        if level.touchesBase { append(chart.base) }
        if level > .none { append(chart.overlay) }
    }

    private mutating func append(_ list: DisplayList) {
        frames += 1
        append(UInt32(list.words.count))
        for word in list.words { append(word) }
    }

    private mutating func append(_ word: UInt32) {
        withUnsafeBytes(of: word.littleEndian) { output.append(contentsOf: $0) }
    }
}
