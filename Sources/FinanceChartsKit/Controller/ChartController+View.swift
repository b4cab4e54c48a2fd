public import ChartScene

extension ChartController {
    /// The chart's size in points (CSS pixels) and the device pixels in one of them.
    public func resize(width: Double, height: Double, devicePixelRatio: Double) {
        let size = ChartSize(width: width, height: height, devicePixelRatio: devicePixelRatio)
        guard size != view.size else { return }
        change { $0.resize(width: width, height: height, devicePixelRatio: devicePixelRatio) }
        applyZoom()
    }

    /// 1 shows 100 bars, 2 shows 50, 0.5 shows 200. Kept within 0.1 and 10; the right edge stays where it is.
    public func setZoom(_ scale: Double) {
        guard scale > 0, !scale.isInfinite else { return }
        let limited = min(max(scale, ChartController.zoomRange.lowerBound), ChartController.zoomRange.upperBound)
        if limited != scale { announce(.limitReached) }
        zoom = limited
        isZoomChosen = true
        applyZoom()
    }

    /// What `setZoom` keeps to.
    public static let zoomRange = 0.1...10.0
    /// How many bars fit at zoom 1.
    public static let barsAtZoom1 = 100.0

    /// Zooms by a gesture; the bar under `x` stays under it.
    /// - Parameters:
    ///   - factor: above 1 comes closer.
    ///   - x: points from the chart's left edge.
    public func zoom(by factor: Double, atX x: Double) {
        guard factor > 0, !factor.isInfinite, x.isFinite else { return }
        let requested = zoom * factor
        let limited = min(max(requested, ChartController.zoomRange.lowerBound), ChartController.zoomRange.upperBound)
        if limited != requested { announce(.limitReached) }
        guard limited != zoom else { return }
        change { $0.zoom(by: limited / zoom, atX: x) }
        zoom = limited
        isZoomChosen = true
    }

    /// Moves over whole bars, towards newer ones where `bars` is positive; at either end two bars stay on screen.
    public func pan(byBars bars: Int) { change { $0.pan(byBars: bars) } }

    /// Drags the picture: with a positive `dx` (points) it moves right and older bars come into view.
    public func pan(byPixels dx: Double) { change { $0.pan(byPixels: dx) } }

    /// Shows 100 bars again, the newest at the right edge, and follows it.
    public func resetZoomAndPan() {
        zoom = 1
        isZoomChosen = false
        change { $0.fit() }
        applyZoom()
    }

    /// Whether a new bar moves the view.
    public var isFollowing: Bool { observed(\.isFollowing) }

    /// Puts the crosshair on the bar under `x` (points from the left edge); `nil` removes it.
    public func setCrosshair(x: Double?) {
        isCrosshairOn = x?.isFinite ?? false
        guard let x else { return change { $0.clearCrosshair() } }
        // Above the plot there is no price to read: the bar's line and the legend are all.
        change { $0.setCrosshair(x: x, y: -1) }
    }

    /// Puts the crosshair under a pointer: the bar and the price there.
    public func setCrosshair(x: Double, y: Double) {
        isCrosshairOn = x.isFinite && y.isFinite
        change { $0.setCrosshair(x: x, y: y) }
    }

    /// Moves the crosshair from bar to bar, newer ones where `step` is positive; for keys and remotes.
    public func moveCrosshair(byBars step: Int) {
        isCrosshairOn = view.count > 0
        change { $0.moveCrosshair(byBars: step) }
    }

    /// The crosshair's bar, or the newest one.
    public var legend: LegendBar? { observed(\.legend) }

    /// The next longer timeframe; at the longest one nothing happens.
    public func cycleTimeframeUp() {
        timeframe == timeframe.next ? announce(.limitReached) : (timeframe = timeframe.next)
    }

    /// The next shorter timeframe; at the shortest one nothing happens.
    public func cycleTimeframeDown() {
        timeframe == timeframe.previous ? announce(.limitReached) : (timeframe = timeframe.previous)
    }

    public func toggleOverlay(_ overlay: OverlaySpec) { overlays.formSymmetricDifference(overlay) }
    public func toggleIndicator(_ indicator: IndicatorSpec) { indicators.formSymmetricDifference(indicator) }
    public func setTheme(_ theme: Theme) { change { $0.setTheme(theme) } }
    public var theme: Theme { observed(\.theme) }

    /// The line above the chart, as texts.
    public var headline: ChartHeadline {
        let last = lastCandle
        let previous = view.bar(at: view.count - 2)?.close ?? last?.open
        return ChartHeadline(
            symbol: symbol, price: last?.close, reference: referencePrice ?? previous, precision: shownPrecision,
            timeframe: timeframe, status: connectionStatus)
    }

    /// Lets as many bars fit as `zoom` says. Fewer bars than fit at zoom 1 are spread until someone zooms.
    func applyZoom() {
        guard isZoomChosen || view.count >= Int(ChartController.barsAtZoom1), view.visibleCount > 0 else { return }
        change { view in
            let isFollowing = view.isFollowing
            view.setZoom(zoom)
            if isFollowing { view.followLive() }
        }
    }
}

/// How far a key or a remote moves a chart: one bar a press, and while it is held up to ten.
///
/// Presses that follow each other within 0.1 s are a held key; each of them goes one bar further than the one before.
public struct PanAcceleration: Sendable, Equatable {
    /// Seconds between two presses of a held key.
    public static let interval = 0.1
    public static let maxBars = 10

    private var bars = 0
    private var direction = 0
    private var last = -Double.infinity

    public init() {}

    /// - Parameters:
    ///   - direction: its sign counts; the other way begins at one bar again.
    ///   - now: seconds of any clock.
    /// - Returns: how many bars to move, 1 to 10.
    public mutating func bars(towards direction: Int, now: Double) -> Int {
        let isHeld = direction.signum() == self.direction && now - last <= PanAcceleration.interval
        bars = isHeld ? min(bars + 1, PanAcceleration.maxBars) : 1
        self.direction = direction.signum()
        last = now
        return bars
    }
}
