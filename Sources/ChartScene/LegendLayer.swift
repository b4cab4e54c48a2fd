internal import MarketModel

/// The legend at the top left: symbol, timeframe, and the numbers of the crosshair's bar or of the newest one. Items
/// that do not fit on a line go to the next.
enum LegendLayer {
    /// Prices and the volume have the colour of the bar's own direction; the change since the close before has that of
    /// its sign.
    static func draw(_ scene: Scene, _ scratch: inout Scratch, into list: inout DisplayList) {
        var pen = Pen(scene.layout)
        let theme = scene.theme
        scratch.text.clear()
        scratch.text.append(utf8: scene.symbol)
        if !scene.symbol.isEmpty {
            pen.write(scratch.text, theme.strongText, bold: true, gap: 7, into: &list)
        }
        scratch.text.clear()
        for byte in scene.timeframe.rawValue.utf8 { scratch.text.append(byte: byte) }
        pen.write(scratch.text, theme.axisText, gap: 14, into: &list)

        guard let bar = scene.legendBar else { return }
        let candle = scene.series[bar]
        let colour = candle.isGreen ? theme.upText : theme.downText
        let reference = bar > 0 ? scene.series.close(at: bar - 1) : candle.open
        pen.pair("O", theme, colour, &scratch.text, into: &list) {
            $0.append(price: candle.open, precision: scene.precision)
        }
        pen.pair("H", theme, colour, &scratch.text, into: &list) {
            $0.append(price: candle.high, precision: scene.precision)
        }
        pen.pair("L", theme, colour, &scratch.text, into: &list) {
            $0.append(price: candle.low, precision: scene.precision)
        }
        pen.pair("C", theme, colour, &scratch.text, into: &list) {
            $0.append(price: candle.close, precision: scene.precision)
        }
        let change = PercentChange(from: reference, to: candle.close)
        scratch.text.clear()
        scratch.text.append(change)
        pen.keep(TextMetrics.width(scratch.text, size: scene.layout.legendFont))
        pen.write(scratch.text, theme.text(of: change.sign), gap: 10, into: &list)
        pen.pair("V", theme, colour, &scratch.text, into: &list) { $0.append(compact: candle.volume) }
    }
}

/// Writes items from left to right and breaks lines.
private struct Pen {
    private let left: Double
    private let right: Double
    private let lineHeight: Double
    private let size: Double
    private let ratio: Double
    private var x: Double
    private var y: Double

    init(_ layout: Layout) {
        ratio = layout.ratio
        size = layout.legendFont
        left = Pixels.snap(10 * ratio)
        right = layout.plotWidth - left
        lineHeight = Pixels.snap(size * 1.5)
        x = left
        y = Pixels.snap(17 * ratio)
    }

    /// A name and its number, which stay together.
    mutating func pair(
        _ name: StaticString, _ theme: Theme, _ colour: Colour, _ text: inout TextBuffer,
        into list: inout DisplayList, _ value: (inout TextBuffer) -> Void
    ) {
        text.clear()
        value(&text)
        keep(TextMetrics.width(text, size: size) + size * 0.7 + 4 * ratio)
        text.clear()
        text.append(name)
        write(text, theme.axisText, gap: 4, into: &list)
        text.clear()
        value(&text)
        write(text, colour, gap: 10, into: &list)
    }

    /// Goes to the next line where `width` does not fit on this one.
    mutating func keep(_ width: Double) {
        guard x > left, x + width > right else { return }
        x = left
        y += lineHeight
    }

    mutating func write(
        _ text: TextBuffer, _ colour: Colour, bold: Bool = false, gap: Double, into list: inout DisplayList
    ) {
        list.text(colour, x: x, y: y, size: size, align: .left, bold: bold, text)
        x = Pixels.snap(x + TextMetrics.width(text, size: size, bold: bold) + gap * ratio)
    }
}
