/// How far a key or a remote moves a chart: one bar a press, and while it is held up to ten.
///
/// Presses that follow each other within 0.1 s are a held key; each of them goes one bar further than the one before.
public struct PanAcceleration: Sendable, Equatable {
    /// Seconds between two presses of a held key.
    public static let interval = 0.1
    public static let mostBars = 10

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
        bars = isHeld ? min(bars + 1, PanAcceleration.mostBars) : 1
        self.direction = direction.signum()
        last = now
        return bars
    }
}
