internal import MarketModel

/// The price in the form that was chosen. Where bars are closer than a candle is wide, candles and bars become one
/// vertical line for each pixel column, from lowest low to highest high.
extension Scene {
    func drawSeries(_ scratch: inout Scratch, into list: inout DisplayList) {
        guard !frame.scaled.isEmpty else { return }
        switch kind {
        case .candles, .heikinAshi, .hollowCandles, .bars:
            drawCandles(scratch, up: true, into: &list)
            drawCandles(scratch, up: false, into: &list)
        case .line, .area, .baseline, .histogram: drawCloses(&scratch, into: &list)
        }
    }

    private func drawCloses(_ scratch: inout Scratch, into list: inout DisplayList) {
        let pane = layout.price
        let width = max(1, Pixels.snap(2 * layout.ratio))
        series.withColumns { scratch.line.gather($0.closes, visible, time) }
        switch kind {
        case .area:
            scratch.line.fill(theme.areaFill, to: pane.bottom, price, time, into: &list)
            scratch.line.stroke(theme.line, width: width, price, time, into: &list)
        case .baseline:
            let level = min(max(baselineY, pane.top), pane.bottom)
            // Upside down, prices above the baseline are below it on screen.
            let isUp = !price.isInverted
            clip(pane.top, level, into: &list)
            scratch.line.fill(isUp ? theme.upVolume : theme.downVolume, to: level, price, time, into: &list)
            scratch.line.stroke(isUp ? theme.up : theme.down, width: width, price, time, into: &list)
            clip(level, pane.bottom, into: &list)
            scratch.line.fill(isUp ? theme.downVolume : theme.upVolume, to: level, price, time, into: &list)
            scratch.line.stroke(isUp ? theme.down : theme.up, width: width, price, time, into: &list)
            clip(pane.top, pane.bottom, into: &list)
        case .histogram:
            drawHistogram(scratch, up: true, into: &list)
            drawHistogram(scratch, up: false, into: &list)
        default: scratch.line.stroke(theme.line, width: width, price, time, into: &list)
        }
    }

    private func clip(_ top: Double, _ bottom: Double, into list: inout DisplayList) {
        list.clip(x: 0, y: top, width: layout.plotWidth, height: max(0, bottom - top))
    }
}

/// What the price looks like.
public enum SeriesKind: UInt8, CaseIterable, Sendable {
    // Raw values are the boundary's numbers: append only.
    case candles
    /// Bodies of bars that did not fall are outlines; the colour says whether the close is above the one before.
    case hollowCandles
    /// Open to the left, close to the right, high and low as the ends.
    case bars
    /// The closes, connected.
    case line
    /// The closes, connected and filled below.
    case area
    /// The closes, filled towards a price: in one colour above it, in another below.
    case baseline
    /// Candles of smoothed prices. Axis and legend go on telling the real ones.
    case heikinAshi
    /// A column from the bottom to each close.
    case histogram
}
