public import MarketModel

/// Where the crosshair is.
enum Crosshair: Sendable, Equatable {
    case off
    /// Under a pointer, in CSS pixels: it stays there when bars move.
    case pointer(x: Double, y: Double)
    /// On a bar, moved by the keyboard: it moves with the bar.
    case bar(Int)

    mutating func shift(by bars: Int, from index: Int) {
        if case .bar(let bar) = self, bar >= index { self = .bar(max(0, bar + bars)) }
    }

    mutating func forgetBar() { if case .bar = self { self = .off } }
}

/// The bar that a legend describes.
public struct LegendBar: Sendable, Equatable {
    /// Its position in the series, 0 the oldest bar.
    public var index: Int
    public var candle: Candle

    public init(index: Int, candle: Candle) {
        self.index = index
        self.candle = candle
    }
}

extension ChartView {
    /// Puts the crosshair under a pointer; the vertical line snaps to the nearest bar.
    public mutating func setCrosshair(x: Double, y: Double) {
        crosshair = x.isFinite && y.isFinite ? .pointer(x: x, y: y) : .off
    }

    public mutating func clearCrosshair() { crosshair = .off }

    /// Moves the crosshair by bars, newer ones where `step` is positive, and the view with it where it would leave the
    /// screen. From no crosshair it first comes to the newest visible bar.
    public mutating func moveCrosshair(byBars step: Int) {
        guard !series.isEmpty else { return }
        let visible = visibleBars
        // Further than the series is long is its end, whatever the numbers.
        let next = crosshairIndex.map { clampedBar($0) + min(max(step, -count), count) }
        let bar = clampedBar(next ?? visible.upperBound - 1)
        crosshair = .bar(bar)
        let place = slots.slot(bar)
        let leftmost = timeScaleKind == .bars ? Double(visible.lowerBound) : viewport.right - visibleCount
        if place < leftmost + 1 {
            viewport.pan(byBars: place - leftmost - 1, reach, plotWidth: plotWidth)
        } else if place > viewport.right - 1 {
            viewport.pan(byBars: place + 1 - viewport.right, reach, plotWidth: plotWidth)
        }
    }

    /// The crosshair's bar, or the newest one.
    public var legend: LegendBar? {
        guard !series.isEmpty else { return nil }
        let bar = crosshairIndex.flatMap { $0 >= 0 && $0 < count ? $0 : nil } ?? count - 1
        return LegendBar(index: bar, candle: series[bar])
    }

    /// The bar index nearest to the crosshair; beyond the series where the pointer is. `nil` without a crosshair, or
    /// with a pointer that is not over the plot.
    var crosshairIndex: Int? {
        switch crosshair {
        case .off: return nil
        case .bar(let bar): return series.isEmpty ? nil : clampedBar(bar)
        case .pointer(let x, _):
            guard x >= 0, x <= plotWidth, plotWidth > 0 else { return nil }
            let index = slots.index(of: viewport.index(atX: x, plotWidth: plotWidth))
            return integer((index + 0.5).rounded(.down), in: -1_000_000_000...1_000_000_000)
        }
    }

    private func clampedBar(_ bar: Int) -> Int { min(max(bar, 0), count - 1) }
}
