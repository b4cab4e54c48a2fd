internal import MarketModel

/// All that the layers need to know to draw one frame.
struct Scene {
    let series: CandleSeries
    let timeframe: Timeframe
    let precision: Int
    let symbol: [UInt8]
    let theme: Theme
    let layout: Layout
    let time: TimeScale
    let price: PriceScale
    let visible: Range<Int>
    /// The largest volume on screen.
    let volumeTop: Double
    /// How wide candles are; `nil` where bars are too close and pixel columns are drawn in their place.
    let candle: CandleGeometry?
    let crosshair: CrosshairPosition?

    /// The bar that the legend tells about.
    var legendBar: Int? {
        crosshair?.bar ?? (series.isEmpty ? nil : series.count - 1)
    }
}

/// The crosshair of one frame, on its bar.
struct CrosshairPosition {
    /// Rounded bar index; it may lie beyond the series.
    let index: Int
    /// The bar at `index`, where there is one.
    let bar: Int?
    /// Device pixels; `nil` where the pointer is below or above the plot.
    let y: Double?
}

/// Storage that the layers reuse from frame to frame.
struct Scratch {
    var text = TextBuffer()
    var timeTicks = TimeTicks()
    var columns: [PixelColumn] = []
}
