public import FinanceChartsKit
internal import MarketModel
public import MarketServices
public import Observation
internal import StreamCore

/// A live chart with its past, from one source: it fetches history, joins the stream to it, requests what an outage cost,
/// and pages older bars when they come into view.
///
/// ```swift
/// let server = try ServerChartSource(LiveServiceSettings(url: "http://127.0.0.1:8080"))
/// let chart = LiveChart(server, symbol: "BTC-USD", timeframe: .m1)
/// // Show chart.controller. To change what it shows:
/// chart.controller.timeframe = .m5
/// ```
///
/// Where the source streams trades, the bar that was under way when the stream began, broke or lost a trade is built from
/// the trades that came, and lacks the others; after its end it is requested from the source. Of the source's bar, from
/// its stream or requested, and the one built here, the chart shows the one with more volume: it has seen more of the
/// same trades.
@MainActor
@Observable
public final class LiveChart: ChartDataProvider {
    public enum Status: Sendable, Equatable {
        /// Nothing has arrived yet.
        case loading
        case live
        /// It comes back by itself.
        case reconnecting(reason: String)
        /// The source does not serve this symbol or timeframe; another one may be chosen.
        case refused(reason: String)
        /// After ``LiveChart/pauseUpdates()`` and ``LiveChart/disconnect()``.
        case stopped
    }

    @ObservationIgnored public let controller: ChartController
    public private(set) var status = Status.loading
    /// Why the last request for bars of the past failed; `nil` after one that did not.
    public private(set) var historyProblem: String?

    @ObservationIgnored private let source: any LiveChartSource
    @ObservationIgnored private let clock: ServiceClock
    @ObservationIgnored private let pageSize: Int
    @ObservationIgnored private var builder: OHLCBuilder
    @ObservationIgnored private var uncertain: UncertainBars
    /// Bars of the stream from before the first page of history came.
    @ObservationIgnored private var early: [Double: Candle] = [:]
    /// Whether the first page of history is here; a stream of bars begins with it.
    @ObservationIgnored private var isLoaded: Bool
    /// Bars that start before this time are the source's, whatever late trades say.
    @ObservationIgnored private var ownFrom = -Double.infinity
    /// Whether the source has no older bars, or the controller no room for them.
    @ObservationIgnored private var hasAllHistory = false
    @ObservationIgnored private var failures = 0
    /// No request is made before this time.
    @ObservationIgnored private var waitsUntil = 0.0
    @ObservationIgnored private var streaming: Task<Void, Never>?
    @ObservationIgnored private var loading: Task<Void, Never>?
    @ObservationIgnored private var paging: Task<Void, Never>?

    /// Seconds between the end of a bar and the request for it: the source's last trades may be on their way.
    private static let completion = 3.0
    /// Requests for what one outage cost.
    private static let maxPages = 20

    /// Begins at once.
    /// - Parameters:
    ///   - controller: its `onStreamChange` is used here. Changing its symbol or timeframe changes the stream.
    ///   - pageSize: bars of one request, 1 to 1,000.
    public init(
        _ source: any LiveChartSource, symbol: String, timeframe: Timeframe = .m1,
        controller: ChartController = ChartController(), pageSize: Int = 500, clock: ServiceClock = .system
    ) {
        self.source = source
        self.controller = controller
        self.pageSize = min(max(1, pageSize), 1000)
        self.clock = clock
        builder = OHLCBuilder(timeframe: timeframe)
        uncertain = UncertainBars(timeframe: timeframe)
        isLoaded = source.streamsBars
        controller.symbol = symbol
        controller.timeframe = timeframe
        controller.onStreamChange = { [weak self] _, _ in self?.begin() }
        begin()
        watchHistory()
    }

    // An isolated one needs a newer system than the package does.
    deinit { for task in [streaming, loading, paging] { task?.cancel() } }

    // MARK: The stream

    /// Stops the stream; the bars stay.
    public func pauseUpdates() {
        stop()
        status = .stopped
    }

    /// Starts the stream again. What was missed is requested.
    public func resumeUpdates() {
        if status == .stopped { stream() }
    }

    public func disconnect() { pauseUpdates() }

    /// The system's hint that the network came or went: coming back ends a wait for the next attempt.
    public func networkChanged(isAvailable: Bool) {
        if isAvailable, case .reconnecting = status { stream() }
    }

    /// Begins with the controller's symbol and timeframe, without any bars.
    private func begin() {
        let isStopped = status == .stopped
        stop()
        builder = OHLCBuilder(timeframe: controller.timeframe)
        uncertain = UncertainBars(timeframe: controller.timeframe)
        (early, isLoaded, ownFrom, hasAllHistory, failures, waitsUntil) = (
            [:], source.streamsBars, -.infinity, false, 0, 0
        )
        historyProblem = nil
        controller.setData([])
        if !isStopped { stream() }
    }

    private func stop() {
        for task in [streaming, loading, paging] { task?.cancel() }
        (streaming, loading, paging) = (nil, nil, nil)
        controller.setConnectionStatus(false)
    }

    private func stream() {
        streaming?.cancel()
        status = .loading
        let events: AsyncStream<LiveChartEvent>
        do { events = try source.events(symbol: controller.symbol, timeframe: controller.timeframe) } catch {
            status = .refused(reason: "\(error)")
            return
        }
        streaming = Task { [weak self] in
            for await event in events {
                guard !Task.isCancelled, let self else { return }
                receive(event)
            }
        }
    }

    private func receive(_ event: LiveChartEvent) {
        switch event {
        case .connected:
            status = .live
            controller.setConnectionStatus(true)
            if !source.streamsBars {
                markUncertain()
                load()
            }
        case .disconnected(let reason):
            status = .reconnecting(reason: reason)
            controller.setConnectionStatus(false)
            if !source.streamsBars { markUncertain() }
        case .refused(let reason):
            status = .refused(reason: reason)
            controller.setConnectionStatus(false)
        case .snapshot(let bars): join(bars)
        case .bars(let bars): isLoaded ? controller.apply(bars) : keepEarly(bars)
        case .trade(let tick): place(builder.ingest(tick))
        case .gap:
            markUncertain()
            load()
        }
    }

    /// Trades may be missing since the last one that arrived.
    private func markUncertain() {
        let now = clock.now()
        uncertain.add(from: newestStreamed ?? now, to: now)
    }

    /// The time of the newest trade, or of the newest bar where the stream has no trades.
    private var newestStreamed: Double? { builder.lastUpdateTime ?? controller.lastCandle?.timestamp }

    /// Places what a trade changed, but for bars that the source has completed.
    private func place(_ result: BuildResult) {
        var own = result
        if let bar = own.appended, bar.timestamp < ownFrom { own.appended = nil }
        if let bar = own.updated, bar.timestamp < ownFrom { own.updated = nil }
        if isLoaded {
            controller.apply(own)
        } else {
            keepEarly([own.appended, own.updated].compactMap(\.self))
        }
    }

    /// Of the source's bar and the one built here, the one with more volume stays, as in the chart.
    private func keepEarly(_ bars: [Candle]) {
        for bar in bars where bar.volume >= early[bar.timestamp]?.volume ?? 0 { early[bar.timestamp] = bar }
    }

    /// A snapshot joins the bars that are there; where it begins after them, those between are requested.
    private func join(_ bars: [Candle]) {
        guard let first = bars.first, let last = controller.lastCandle else {
            controller.setData(bars)
            return
        }
        controller.apply(bars)
        if first.timestamp > last.timestamp { uncertain.add(from: last.timestamp, to: first.timestamp) }
        load()
    }

    // MARK: The past

    /// Requests the first page, or the uncertain bars as soon as they are complete. One request at a time.
    private func load() {
        guard loading == nil else { return }
        loading = Task { [weak self, clock] in
            while !Task.isCancelled, let time = self?.nextLoad() {
                // The chart is not held while this waits for the end of a bar.
                if time > clock.now() {
                    guard (try? await clock.sleep(time)) != nil else { return }
                } else {
                    await self?.loadOnce()
                }
            }
            if !Task.isCancelled { self?.loading = nil }
        }
    }

    private func nextLoad() -> Double? {
        let now = clock.now()
        if !isLoaded { return max(now, waitsUntil) }
        return uncertain.nextDue(now: now - Self.completion).map { max($0 + Self.completion, now, waitsUntil) }
    }

    private func loadOnce() async {
        do {
            if isLoaded {
                guard let range = uncertain.due(now: clock.now() - Self.completion) else { return }
                try await repair(range)
            } else {
                try await loadFirstPage()
            }
            (failures, historyProblem) = (0, nil)
        } catch {
            if Task.isCancelled { return }
            failures += 1
            historyProblem = "\(error)"
            let backoff = Backoff.Configuration(first: 1, cap: 30)
            waitsUntil = clock.now() + backoff.wait(before: min(failures, 11), random: Double.random(in: 0..<1))
        }
    }

    private func loadFirstPage() async throws {
        let bars = try await bars(from: nil, before: nil)
        try Task.checkCancellation()
        let end = bars.last?.timestamp ?? -.infinity
        controller.setData(bars)
        for (time, bar) in early.sorted(by: { $0.key < $1.key }) where time > end {
            controller.apply(BuildResult(updated: bar))
        }
        ownFrom = bars.last.map { controller.timeframe.bucketEnd(ofBucketAt: $0.timestamp) } ?? -.infinity
        (early, isLoaded) = ([:], true)
    }

    /// Requests the bars of a time, newest first, and places them.
    private func repair(_ range: Range<Double>) async throws {
        var before = range.upperBound
        var newest = -Double.infinity
        for _ in 0..<Self.maxPages {
            let page = try await bars(from: range.lowerBound, before: before)
            try Task.checkCancellation()
            controller.apply(page)
            newest = max(newest, page.last?.timestamp ?? newest)
            guard page.count >= pageSize, let first = page.first, first.timestamp < before else {
                // A source may complete a bar later than its time ends. After three attempts it has none.
                let last = controller.timeframe.bucketStart(of: range.upperBound - 1e-3)
                if newest < last, failures < 3, !source.streamsBars, newestStreamed ?? 0 >= last { throw LateBar() }
                ownFrom = max(ownFrom, range.upperBound)
                uncertain.remove(range)
                return
            }
            before = first.timestamp
        }
        // Missed too much: older bars come back page by page, when they come into view.
        begin()
    }

    private func bars(from: Double?, before: Double?) async throws -> [Candle] {
        try await source.bars(
            symbol: controller.symbol, timeframe: controller.timeframe, from: from, before: before, limit: pageSize)
    }

    /// Requests older bars whenever the oldest ones come into view.
    private func watchHistory() {
        let needsHistory = withObservationTracking {
            controller.needsHistory
        } onChange: { [weak self] in
            Task { @MainActor in self?.watchHistory() }
        }
        guard needsHistory, !hasAllHistory, isLoaded, paging == nil, clock.now() >= waitsUntil,
            let first = controller.candle(at: 0)
        else { return }
        paging = Task { [weak self] in
            guard let self else { return }
            do {
                let older = try await bars(from: nil, before: first.timestamp)
                if Task.isCancelled { return }
                paging = nil
                hasAllHistory = controller.prepend(older) == 0
                historyProblem = nil
            } catch {
                if Task.isCancelled { return }
                paging = nil
                historyProblem = "\(error)"
                waitsUntil = clock.now() + 5
            }
        }
    }
}

private struct LateBar: Error, CustomStringConvertible {
    var description: String { "The source does not have its newest bar yet." }
}
