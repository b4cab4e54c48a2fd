/// Receives what drawing costs.
@MainActor
public protocol ChartPerformanceDelegate: AnyObject {
    /// A frame took longer than 1/60 s to draw.
    /// - Parameter frameTime: seconds.
    func chartDidDropFrame(_ frameTime: Double)
    /// What the chart's bars and picture occupy, reported when it changed.
    func chartMemoryUsage(_ bytes: Int)
}

/// Which frames came too late, and how large the chart is.
struct FrameMeter: Sendable, Equatable {
    /// Seconds a frame may take: 16.67 ms.
    static let budget = 1.0 / 60

    private(set) var dropped = 0
    private(set) var bytes = 0

    /// - Returns: whether the frame came too late.
    mutating func drew(in seconds: Double) -> Bool {
        guard seconds > FrameMeter.budget else { return false }
        dropped += 1
        return true
    }

    /// - Returns: whether the size is another than before.
    mutating func measured(_ bytes: Int) -> Bool {
        defer { self.bytes = bytes }
        return bytes != self.bytes
    }
}
