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

    /// Whether only the closes are drawn.
    var isOfCloses: Bool {
        switch self {
        case .line, .area, .baseline, .histogram: true
        case .candles, .hollowCandles, .bars, .heikinAshi: false
        }
    }
}
