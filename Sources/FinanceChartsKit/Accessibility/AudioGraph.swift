import ChartScene
import MarketModel

/// The bars on screen for the ear: two axes, their points and a summary, as a platform's audio graph needs them.
///
/// Time is the x axis and becomes time and place, price is the y axis and becomes pitch, as in Apple's Audio Graphs. The
/// price axis is logarithmic, so that an equal percentage is an equal interval; only where a price is not above zero it
/// is linear.
public struct AudioGraph: Sendable, Equatable {
    public struct Axis: Sendable, Equatable {
        /// Seconds since 1970 UTC, or prices. The ends differ.
        public let range: ClosedRange<Double>
        /// Round values within the range, ascending.
        public let ticks: [Double]
        public let isLogarithmic: Bool
    }

    /// A bar.
    public struct Point: Sendable, Equatable {
        /// Its start, seconds since 1970 UTC.
        public let time: Double
        /// Its close.
        public let price: Double
        /// The bar in words.
        public let label: String
    }

    /// One sentence about all of it.
    public let summary: String
    public let time: Axis
    public let price: Axis
    /// Oldest first.
    public let points: [Point]
    /// Decimals of a price.
    public let precision: Int

    /// - Parameters:
    ///   - candles: ascending.
    ///   - label: a bar in words, by its place in `candles`.
    /// - Returns: `nil` without candles.
    init?(candles: [Candle], timeframe: Timeframe, precision: Int, label: (Int) -> String) {
        guard let first = candles.first, let last = candles.last else { return nil }
        self.precision = precision
        let (low, high) = (candles.map(\.close).min() ?? 0, candles.map(\.close).max() ?? 0)
        summary =
            "\(candles.count) \(candles.count == 1 ? "bar" : "bars") from \(Self.text(time: first.timestamp)) to "
            + "\(Self.text(time: last.timestamp)): " + BrailleLine.words(candles.map(\.close), precision: precision)
        // An axis needs two ends.
        let end = max(last.timestamp, first.timestamp + timeframe.seconds)
        time = Axis(range: first.timestamp...end, ticks: [first.timestamp, end], isLogarithmic: false)
        let margin = low == high ? max(low.magnitude * 0.01, 1e-9) : 0
        let range = (low - margin)...(high + margin)
        let ticks = PriceTicks(
            low: range.lowerBound, high: range.upperBound, smallestStep: (range.upperBound - range.lowerBound) / 6,
            precision: precision)
        price = Axis(
            range: range, ticks: (0..<ticks.count).map { ticks[$0] }, isLogarithmic: range.lowerBound > 0)
        points = candles.indices.map {
            Point(time: candles[$0].timestamp, price: candles[$0].close, label: label($0))
        }
    }

    /// A price as the axis reads it.
    public func text(price: Double) -> String { ChartHeadline.text(price, precision) }

    /// A time as the axis reads it: `2026-11-21 15:38 UTC`.
    public static func text(time: Double) -> String {
        var bytes: [UInt8] = []
        RFC3339.write(time, fractionDigits: 0) { bytes.append($0) }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.prefix(10) + " " + text.dropFirst(11).prefix(5) + " UTC"
    }
}

extension ChartController {
    /// The bars on screen for the ear.
    /// - Parameter maxBars: the newest of them, at most so many.
    /// - Returns: `nil` where there are none.
    public func audioGraph(maxBars: Int = 500) -> AudioGraph? {
        observed { view in
            let last = min(view.count, view.firstVisible + Int(view.visibleCount.rounded(.up)))
            let first = max(view.firstVisible, last - max(1, maxBars), 0)
            guard first < last else { return nil }
            let candles = (first..<last).compactMap { candle(at: $0) }
            return AudioGraph(candles: candles, timeframe: timeframe, precision: max(2, shownPrecision)) {
                accessibilityText(ofBar: first + $0)
            }
        }
    }
}
