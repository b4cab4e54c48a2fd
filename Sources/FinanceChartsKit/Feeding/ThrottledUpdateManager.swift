public import MarketModel

/// Updates a chart at most 30 times a second, however fast the market is.
///
/// ```swift
/// let updates = ThrottledUpdateManager(chartController: controller)
/// updates.queueUpdate(builder.ingest(tick))
/// ```
///
/// The first update after a quiet interval is shown at once; what follows waits for the interval's end, where the latest
/// state of each bar is shown as one change. So a burst costs one picture, and a bar that closed within it still ends
/// with its final values.
@MainActor
public final class ThrottledUpdateManager {
    private let controller: ChartController
    private let clock: any Clock<Duration>
    private let uptime: () -> Double
    private var pacer: UpdatePacer
    private(set) var timer: Task<Void, Never>?
    /// The controller's `loads` that the pending candles are of.
    private var loads: Int

    /// - Parameter interval: seconds between two pictures.
    public convenience init(chartController: ChartController, interval: Double = 1.0 / 30) {
        self.init(chartController: chartController, interval: interval, clock: ContinuousClock())
    }

    /// - Parameter clock: measures the interval, and wakes after it.
    public init<C: Clock>(chartController: ChartController, interval: Double = 1.0 / 30, clock: C)
    where C.Duration == Duration {
        controller = chartController
        loads = chartController.loads
        self.clock = clock
        let start = clock.now
        uptime = { start.duration(to: clock.now) / .seconds(1) }
        pacer = UpdatePacer(interval: interval)
    }

    deinit { timer?.cancel() }

    /// Hands a candle over, forming or completed.
    public func queueUpdate(_ candle: Candle) {
        dropOutdated()
        schedule(pacer.queue(candle, now: uptime()))
    }

    /// Hands over all that one tick changed.
    public func queueUpdate(_ result: BuildResult) {
        // Joined to history here: of the results within a frame only the last one is shown.
        for bar in controller.wholeBars(of: result) { queueUpdate(bar) }
    }

    /// Shows what is pending now.
    public func flush() {
        timer?.cancel()
        timer = nil
        dropOutdated()
        controller.apply(pacer.drain(now: uptime()))
    }

    /// Shows nothing until `resumeUpdates`: for a chart that is not on screen.
    public func pauseUpdates() {
        pacer.pause()
        timer?.cancel()
        timer = nil
    }

    /// Shows in one change what came meanwhile, the latest state of each bar.
    public func resumeUpdates() { schedule(pacer.resume(now: uptime())) }
    public var isPaused: Bool { pacer.isPaused }

    /// Updates that a later one of the same bar made superfluous before they were shown.
    public var replacedUpdates: Int { pacer.replaced }

    private func schedule(_ time: Double?) {
        guard let time else { return }
        let wait = time - uptime()
        guard wait > 0 else { return flush() }
        guard timer == nil else { return }
        timer = Task { [weak self, clock] in
            try? await clock.sleep(for: .seconds(wait))
            // Cancelled after its sleep had ended, while this actor was busy: what is pending now has its own timer.
            if !Task.isCancelled { self?.flush() }
        }
    }

    /// Forgets candles that were pending when the chart was changed to another symbol or timeframe, or got data that
    /// contain their trades.
    private func dropOutdated() {
        guard controller.loads != loads else { return }
        loads = controller.loads
        pacer.drop()
    }
}
