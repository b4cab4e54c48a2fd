import Foundation
internal import MarketModel

/// Feeds a chart with a made-up market: history, then one tick a second, on the way that live ticks take.
///
/// ```swift
/// let provider = SimulatedChartProvider(chartController: controller)
/// provider.startSimulation()
/// ```
///
/// For previews, demonstrations and tests: the same seed gives the same prices.
@MainActor
public final class SimulatedChartProvider: ChartDataProvider {
    /// Seconds between two ticks.
    public static let interval = 1.0

    private let controller: ChartController
    private let updates: ThrottledUpdateManager
    private let clock: any Clock<Duration>
    private let now: () -> Double
    private let historyBars: Int
    private var ticks: SimulatedTicks
    private var builder: OHLCBuilder
    private var task: Task<Void, Never>?

    /// - Parameters:
    ///   - historyBars: bars that are there before the first tick.
    ///   - clock: wakes for each tick.
    ///   - now: seconds since 1970 UTC; `nil`: the system's clock.
    public init(
        chartController: ChartController, seed: UInt64 = 1, startPrice: Double = 100, historyBars: Int = 500,
        clock: any Clock<Duration> = ContinuousClock(), now: (() -> Double)? = nil
    ) {
        controller = chartController
        updates = ThrottledUpdateManager(chartController: chartController)
        self.clock = clock
        self.now = now ?? { Date().timeIntervalSince1970 }
        self.historyBars = historyBars
        ticks = SimulatedTicks(seed: seed, price: startPrice)
        builder = OHLCBuilder(timeframe: chartController.timeframe)
    }

    deinit { task?.cancel() }

    public var isRunning: Bool { task != nil }

    /// Shows the history and ticks from then on. Where the chart's timeframe became another since, the history is made
    /// again. Does nothing while it runs.
    public func startSimulation() {
        guard task == nil else { return }
        if controller.totalCandleCount == 0 || builder.timeframe != controller.timeframe { load() }
        controller.setConnectionStatus(true)
        task = Task { [weak self, clock] in
            while (try? await clock.sleep(for: .seconds(SimulatedChartProvider.interval))) != nil {
                guard let self, !Task.isCancelled else { return }
                tick()
            }
        }
    }

    /// The chart keeps its bars; `startSimulation` goes on from them.
    public func stopSimulation() {
        task?.cancel()
        task = nil
        updates.flush()
        controller.setConnectionStatus(false)
    }

    public func pauseUpdates() { updates.pauseUpdates() }
    public func resumeUpdates() { updates.resumeUpdates() }
    public func disconnect() { stopSimulation() }

    private func load() {
        let candles = ticks.history(historyBars, controller.timeframe, now: now())
        controller.setData(candles)
        builder = OHLCBuilder(timeframe: controller.timeframe)
        if let last = candles.last { builder.seed(with: last) }
    }

    func tick() {
        if builder.timeframe != controller.timeframe { load() }
        updates.queueUpdate(builder.ingest(ticks.next(at: now())))
    }
}
