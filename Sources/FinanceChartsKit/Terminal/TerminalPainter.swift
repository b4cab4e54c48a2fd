import ChartScene
public import MarketModel

/// Draws candles as text, for a terminal.
///
/// ```swift
/// let painter = TerminalPainter(columns: 100, rows: 30)
/// for line in painter.lines(series, symbol: "BTC-USD", timeframe: .m1) { print(line) }
/// ```
///
/// From top to bottom: symbol and numbers of the newest bar, the candles with prices to their right, volume, times, and
/// a line for the status. A row has at most `columns` characters beside its escape sequences; a terminal smaller than
/// 24 x 6 gets the first line alone.
public struct TerminalPainter: Sendable {
    public var columns: Int
    public var rows: Int
    public var style: TerminalStyle
    /// Columns from one candle to the next, 1 to 8: one is left free from 2 on.
    public var candleColumns: Int { didSet { candleColumns = min(max(candleColumns, 1), 8) } }
    /// Digits after the point of a price.
    public var precision: Int

    public init(
        columns: Int, rows: Int, style: TerminalStyle = TerminalStyle(), candleColumns: Int = 2, precision: Int = 2
    ) {
        self.columns = min(max(columns, 1), 1000)
        self.rows = min(max(rows, 1), 500)
        self.style = style
        self.candleColumns = min(max(candleColumns, 1), 8)
        self.precision = min(max(precision, 0), 10)
    }

    /// The picture, row by row from the top.
    /// - Parameters:
    ///   - status: shown at the bottom left.
    ///   - isLive: whether it is good news.
    ///   - hints: shown at the bottom right where there is room, such as which keys do what.
    public func lines(
        _ series: CandleSeries, symbol: String, timeframe: Timeframe, status: String = "", isLive: Bool = false,
        hints: String = ""
    ) -> [String] {
        let isSmall = columns < 24 || rows < 6
        var grid = TerminalGrid(columns: columns, rows: isSmall ? 1 : rows)
        header(series, symbol, timeframe, into: &grid)
        if !isSmall {
            let label = status.isEmpty ? "" : glyphs.live + status
            grid.put(label, x: 0, y: rows - 1, isLive ? .up : .down)
            // The hints leave two columns between.
            if label.count + hints.count + 2 <= columns { grid.put(hints, x: columns - hints.count, y: rows - 1, .dim) }
            if series.isEmpty {
                let text = "waiting for bars"
                grid.put(text, x: max(0, (columns - text.count) / 2), y: rows / 2, .dim)
            } else {
                chart(series, timeframe, into: &grid)
            }
        }
        return grid.lines(style)
    }

    private var glyphs: TerminalGlyphs { TerminalGlyphs(style: style) }

    private func header(
        _ series: CandleSeries, _ symbol: String, _ timeframe: Timeframe, into grid: inout TerminalGrid
    ) {
        var x = 0
        // What comes first matters most: after the first that has no room nothing follows.
        func write(_ text: String, _ ink: TerminalInk, gap: Int = 1) {
            let length = text.unicodeScalars.count
            guard x == 0 || x + length <= columns else { return x = columns + 1 }
            grid.put(text, x: x, y: 0, ink)
            x += length + gap
        }
        write(symbol, .strong)
        write(timeframe.rawValue, .dim, gap: 2)
        guard let last = series.last else { return }
        let ink: TerminalInk = last.isGreen ? .up : .down
        let reference = series.count > 1 ? series.close(at: series.count - 2) : last.open
        write(price(last.close), ink)
        if let change = ChartHeadline.change(from: reference, to: last.close) {
            let digits = String { $0.append(decimal: change.magnitude, precision: 2, grouped: false) }
            write("\(change < 0 ? "-" : "+")\(digits)%", change < 0 ? .down : .up, gap: 2)
        }
        for (name, value) in [("O", last.open), ("H", last.high), ("L", last.low)] {
            write("\(name) \(price(value))", .dim)
        }
        write("V " + String { $0.append(compact: last.volume) }, .dim)
    }

    private func chart(_ series: CandleSeries, _ timeframe: Timeframe, into grid: inout TerminalGrid) {
        let volumeRows = rows >= 16 ? max(2, rows / 8) : 0
        let plotRows = rows - 3 - volumeRows
        let wanted = max(1, (columns - 9) / candleColumns)
        let candidates = max(0, series.count - wanted)..<series.count
        let widest = candidates.reduce(0) { max($0, price(series.high(at: $1)).count) }
        let axisWidth = widest + 2
        let plotColumns = columns - axisWidth
        let shown = max(1, plotColumns / candleColumns)
        let visible = max(0, series.count - shown)..<series.count

        var low = Double.infinity
        var high = -Double.infinity
        var volumeTop = 0.0
        for index in visible {
            low = min(low, series.low(at: index))
            high = max(high, series.high(at: index))
            volumeTop = max(volumeTop, series.volume(at: index))
        }
        let scale = TerminalScale(low: low, high: high, halves: plotRows * 2)
        let step = TerminalTime.step(timeframe, candleColumns: candleColumns, columns: 10)
        var labelEnd = 0
        for index in visible {
            let candle = series[index]
            let x = plotColumns - (series.count - index) * candleColumns
            self.candle(candle, x: x, top: 1, rows: plotRows, scale, into: &grid)
            if volumeRows > 0, volumeTop > 0 {
                volume(candle, x: x, bottom: plotRows + volumeRows, rows: volumeRows, top: volumeTop, into: &grid)
            }
            let isNewStep =
                index > 0
                && (candle.timestamp / step).rounded(.down) != (series.timestamp(at: index - 1) / step).rounded(.down)
            let label = isNewStep ? TerminalTime.label(candle.timestamp, step: step) : ""
            if isNewStep, x >= labelEnd, x + label.count <= columns {
                grid.put(label, x: x, y: rows - 2, .dim)
                labelEnd = x + label.count + 2
            }
        }
        axis(scale, last: series.last, x: plotColumns, rows: plotRows, into: &grid)
    }

    /// The body fills all but one of the columns, the wick stands in the middle.
    private func candle(
        _ candle: Candle, x: Int, top: Int, rows: Int, _ scale: TerminalScale, into grid: inout TerminalGrid
    ) {
        let ink: TerminalInk = candle.isGreen ? .up : .down
        let width = max(1, candleColumns - 1)
        let (wickTop, wickBottom) = (scale.half(candle.high), scale.half(candle.low))
        let (bodyTop, bodyBottom) = (scale.half(candle.bodyHigh), scale.half(candle.bodyLow))
        func half(_ index: Int, isMiddle: Bool) -> TerminalHalf {
            if index >= bodyTop, index <= bodyBottom { return .body }
            return isMiddle && index >= wickTop && index <= wickBottom ? .wick : .empty
        }
        for row in (wickTop / 2)...(wickBottom / 2) {
            for column in 0..<width {
                let isMiddle = column == width / 2
                let upper = half(row * 2, isMiddle: isMiddle)
                let lower = half(row * 2 + 1, isMiddle: isMiddle)
                if let character = glyphs.candle(upper, lower, isGreen: candle.isGreen) {
                    grid.put(character, x: x + column, y: top + row, ink)
                }
            }
        }
    }

    private func volume(_ candle: Candle, x: Int, bottom: Int, rows: Int, top: Double, into grid: inout TerminalGrid) {
        var eighths = Int((candle.volume / top * Double(rows * 8)).rounded())
        if candle.volume > 0 { eighths = max(1, eighths) }
        let ink: TerminalInk = candle.isGreen ? .upVolume : .downVolume
        var y = bottom
        while eighths > 0 {
            for column in 0..<max(1, candleColumns - 1) {
                grid.put(glyphs.column(eighths: eighths), x: x + column, y: y, ink)
            }
            eighths -= 8
            y -= 1
        }
    }

    private func axis(_ scale: TerminalScale, last: Candle?, x: Int, rows: Int, into grid: inout TerminalGrid) {
        for row in 0..<rows { grid.put(glyphs.axis, x: x, y: row + 1, .dim) }
        for tick in scale.ticks(rows: 3) { grid.put(price(tick), x: x + 2, y: 1 + scale.half(tick) / 2, .dim) }
        guard let last else { return }
        let y = 1 + scale.half(last.close) / 2
        let label = price(last.close)
        grid.put(
            " " + label + String(repeating: " ", count: max(0, columns - x - 2 - label.count)), x: x + 1, y: y,
            last.isGreen ? .upLabel : .downLabel)
    }

    private func price(_ value: Double) -> String { String { $0.append(price: value, precision: precision) } }
}

extension String {
    /// A text as the chart writes it.
    init(_ write: (inout TextBuffer) -> Void) {
        var text = TextBuffer()
        write(&text)
        self.init(decoding: text.bytes, as: UTF8.self)
    }
}
