/// Panes and their scales.
extension ChartView {
    /// Drags the divider below a pane: that pane becomes higher by `dy`, the next one lower. Both keep their least
    /// height.
    /// - Parameters:
    ///   - pane: from 0; the lowest pane has no divider.
    ///   - dy: CSS pixels, downwards.
    public mutating func dragDivider(below pane: Int, byPixels dy: Double) {
        guard pane >= 0, pane + 1 < panes.count, dy.isFinite, !layout.panes.isEmpty else { return }
        let upper = layout.panes[pane].height
        let lower = layout.panes[pane + 1].height
        let both = upper + lower
        let least = Pane.leastHeight * layout.ratio
        guard both > 2 * least else { return }
        let requested = min(max(upper + dy * layout.ratio, least), both - least)
        // In pixels every share is what the pane has now, so that only these two change.
        for index in 0..<panes.count { panes[index].share = max(layout.panes[index].height, 1) }
        panes[pane].share = requested
        panes[pane + 1].share = both - requested
        let whole = panes[0].share
        for index in 0..<panes.count { panes[index].share /= whole }
        updateLayout()
    }

    /// How high a pane is beside the others; 0.01 to 100, the price pane has 1 at the start.
    public mutating func setShare(ofPane pane: Int, _ share: Double) {
        guard panes.indices.contains(pane), share.isFinite else { return }
        panes[pane].share = min(max(share, 0.01), 100)
        updateLayout()
    }

    /// Where a pane lies: its top and its height in CSS pixels; `nil` where there is no such pane.
    public func place(ofPane pane: Int) -> (top: Double, height: Double)? {
        guard layout.panes.indices.contains(pane) else { return nil }
        return (layout.panes[pane].top / layout.ratio, layout.panes[pane].height / layout.ratio)
    }

    /// The pane at a height in CSS pixels; `nil` on a divider and on the time axis.
    public func pane(atY y: Double) -> Int? { layout.pane(at: y * layout.ratio) }

    // MARK: Scales

    /// How a pane spreads its values. Percent and indexed are for the price pane; on others they are linear.
    public mutating func setScale(ofPane pane: Int, _ settings: PriceScaleSettings) {
        guard panes.indices.contains(pane) else { return }
        var settings = settings
        if pane > 0, settings.kind != .logarithmic { settings.kind = .linear }
        settings.range = settings.range.flatMap {
            $0.lowerBound.isFinite && $0.upperBound.isFinite && $0.lowerBound < $0.upperBound ? $0 : nil
        }
        // A kind that was chosen stays; turning it upside down is no choice of a kind.
        if pane == 0, panes[0].scale.kind != settings.kind { isPercentForComparison = false }
        panes[pane].scale = settings
        axisWidth = 0
        updateLayout()
    }

    /// Stretches a pane's scale about the middle of what it shows; it keeps that range from then on.
    /// - Parameter factor: above 1 comes closer; as a drag along the axis.
    public mutating func stretchScale(ofPane pane: Int, by factor: Double) {
        guard factor > 0, factor.isFinite, let scale = currentScale(pane) else { return }
        let middle = (scale.top + scale.bottom) / 2
        let half = (scale.bottom - scale.top) / 2 / min(max(factor, 0.01), 100)
        fix(pane, scale.price(at: middle - half), scale.price(at: middle + half))
    }

    /// Moves a pane's values down by `dy` CSS pixels; it keeps that range from then on.
    public mutating func panScale(ofPane pane: Int, byPixels dy: Double) {
        guard dy.isFinite, let scale = currentScale(pane) else { return }
        let pixels = min(max(dy, -1e5), 1e5) * layout.ratio
        fix(pane, scale.price(at: scale.top - pixels), scale.price(at: scale.bottom - pixels))
    }

    /// Back to the range that fits what is on screen.
    public mutating func resetScale(ofPane pane: Int) {
        guard panes.indices.contains(pane) else { return }
        panes[pane].scale.range = nil
        updateLayout()
    }

    /// The values at the ends of a pane's scale, the lower one first; 0 and 0 where nothing is drawn.
    public mutating func range(ofPane pane: Int) -> (low: Double, high: Double) {
        guard let scale = currentScale(pane) else { return (0, 0) }
        return (scale.low, scale.high)
    }

    private mutating func fix(_ pane: Int, _ a: Double, _ b: Double) {
        guard a.isFinite, b.isFinite, a != b, (a - b).magnitude < 1e300 else { return }
        panes[pane].scale.range = min(a, b)...max(a, b)
        updateLayout()
    }

    private mutating func currentScale(_ pane: Int) -> PriceScale? {
        guard panes.indices.contains(pane), !size.isEmpty else { return nil }
        refreshScales()
        let scale = frame.scales[pane]
        return scale.scale > 0 ? scale : nil
    }
}
