/// Receives what drawing costs.
@MainActor
public protocol ChartPerformanceDelegate: AnyObject {
    /// A frame took longer than 1/60 s to draw.
    /// - Parameter frameTime: seconds.
    func chartDidDropFrame(_ frameTime: Double)
    /// What the chart's bars and picture occupy, reported when it changed.
    func chartMemoryUsage(_ bytes: Int)
}
