import FinanceChartsKit

/// A chart driven by a script, with the calls, conversions and order of the WebAssembly exports.
struct ScenePlayer {
    /// For each frame its number of words and the words, little-endian.
    private(set) var output: [UInt8] = []
    private(set) var frames = 0
    var chart = ChartView()
    private var picture = DisplayList()

    mutating func play(_ call: SceneCall) throws {
        switch call.call {
        case "new": chart = ChartView()
        case "resize":
            try chart.resize(width: call.number(0), height: call.number(1), devicePixelRatio: call.number(2))
        case "set_theme": if let theme = try Theme.preset(call.integer(0)) { chart.setTheme(theme) }
        case "set_symbol": try chart.setSymbol(call.text(0).utf8, precision: call.integer(1))
        case "set_zone":
            if let zone = try TimeZoneRules(call.text(0)) { chart.setTimeZone(zone) }
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
        default:
            guard try playSettings(call) || playDrawing(call) || playObject(call) else {
                throw CommandFailure(66, "there is no call \(call.call).")
            }
        }
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
