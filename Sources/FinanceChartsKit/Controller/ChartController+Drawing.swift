public import ChartScene

extension ChartController {
    /// The picture as a list of drawing commands in device pixels, for a painter. Drawn only where something changed
    /// since the last call.
    public func displayList() -> DisplayList {
        guard pictureRevision != revision else { return picture }
        let start = uptime()
        view.render(into: &picture)
        drawStatus()
        pictureRevision = revision
        if meter.drew(in: uptime() - start) { performanceDelegate?.chartDidDropFrame(uptime() - start) }
        if meter.measured(memoryUsage) { performanceDelegate?.chartMemoryUsage(meter.bytes) }
        return picture
    }

    /// The picture of this moment; `nil` while the chart has no size.
    public func snapshot() -> ChartSnapshot? {
        guard !view.size.isEmpty else { return nil }
        return ChartSnapshot(list: displayList(), size: view.size)
    }

    /// Tells `delegate`, which is not kept alive, about slow frames and memory.
    public func setPerformanceDelegate(_ delegate: (any ChartPerformanceDelegate)?) {
        performanceDelegate = delegate
    }

    /// What bars and picture occupy, in bytes: six numbers a bar, and a word for each operand of the picture.
    public var memoryUsage: Int {
        view.count * 6 * MemoryLayout<Double>.size + picture.words.count * MemoryLayout<UInt32>.size
    }

    /// `LIVE` or `RECONNECTING...` at the top right of the plot.
    private func drawStatus() {
        guard connectionStatus != .unknown, !view.size.isEmpty else { return }
        var text = TextBuffer()
        text.append(utf8: Array(connectionStatus.text.utf8))
        let ratio = view.size.devicePixelRatio
        let plotWidth = view.visibleCount * view.barSpacing
        let colour = connectionStatus == .live ? view.theme.upText : view.theme.downText
        picture.text(
            colour, x: (plotWidth - 10) * ratio, y: 17 * ratio, size: 11 * ratio, align: .right, bold: true, text)
    }
}
