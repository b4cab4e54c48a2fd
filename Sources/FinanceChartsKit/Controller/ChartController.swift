public import ChartScene
public import MarketModel
public import Observation

/// A price chart to be fed and shown: the object that an app's data provider and its view share.
///
/// ```swift
/// let controller = ChartController()
/// controller.symbol = "BTC-USD"
/// controller.timeframe = .m1
/// controller.setData(history)
/// controller.overlays = [.ema20, .bollinger20]
///
/// let result = builder.ingest(tick)
/// if let updated = result.updated { controller.updateLast(updated) }
/// if let appended = result.appended { controller.append(appended) }
/// ```
///
/// Candles are placed **by their timestamp**, so the order of these calls does not matter. No call traps on data: what
/// cannot be used is left out and said so. The chart begins at its newest bar and stays there until someone moves it
/// away; without a view it is 800 x 450 points, so `snapshot()` works on a server, too.
@MainActor
@Observable
public final class ChartController {
    /// The name of what is shown. Another symbol forgets the bars of the one before; naming the bars that are there
    /// (from no name) keeps them.
    public var symbol = "" { didSet { if symbol != oldValue { symbolChanged(from: oldValue) } } }

    /// The length of a candle. Another one forgets the bars, unless they are of that length already, as after a
    /// `setData` that came first.
    public var timeframe = Timeframe.m1 { didSet { timeframeChanged(from: oldValue) } }

    /// What is drawn over the price.
    public var overlays: OverlaySpec = [] { didSet { if overlays != oldValue { presetsChanged() } } }

    /// What is drawn in panes under the price.
    public var indicators: IndicatorSpec = [] {
        didSet { if indicators != oldValue { presetsChanged() } }
    }

    /// Digits after the point of a price, 0 to 10; `nil` takes them from the data.
    public var precision: Int? { didSet { if precision != oldValue { changing { labelChanged() } } } }

    /// The price that `headline` counts the change from, for example the previous day's close; `nil`: the close of the
    /// bar before the newest one.
    public var referencePrice: Double?

    public internal(set) var connectionStatus = ConnectionStatus.unknown

    /// How far the chart is zoomed, 0.1 to 10: 100 bars fit at 1, 50 at 2.
    public internal(set) var zoom = 1.0

    /// Goes up by one with each change of the picture.
    public internal(set) var revision = 0

    /// Called when the symbol or the timeframe became another, so that a provider fetches and subscribes again.
    @ObservationIgnored public var onStreamChange: (@MainActor (_ symbol: String, _ timeframe: Timeframe) -> Void)?

    /// Called with what a screen reader should say.
    @ObservationIgnored public var onAnnouncement: (@MainActor (ChartAnnouncement) -> Void)?

    /// Called once for each alert whose price the newest price crossed.
    @ObservationIgnored public var onAlert: (@MainActor (PriceAlert) -> Void)?

    /// Called with an order's number and the price that a user dragged it to.
    @ObservationIgnored public var onOrderDrag: (@MainActor (_ id: Int, _ price: Double) -> Void)?

    @ObservationIgnored var view: ChartView
    /// The drawings of the symbols that were shown before.
    @ObservationIgnored var boards: [String: DrawingBoard] = [:]
    @ObservationIgnored var picture = DisplayList()
    /// The `revision` that `picture` shows.
    @ObservationIgnored var pictureRevision = -1
    /// The memory that was reported last, in bytes.
    @ObservationIgnored var reportedMemory = 0
    @ObservationIgnored weak var performanceDelegate: (any ChartPerformanceDelegate)?
    /// Seconds of a clock that does not jump.
    @ObservationIgnored var uptime: () -> Double
    /// The bar at the end of `setData`, for as long as it is the newest.
    @ObservationIgnored private var historyBar: HistoryBar?
    @ObservationIgnored private var autoPrecision = 2
    /// The studies of `overlays` and `indicators` on the chart, by the chart's number of them.
    @ObservationIgnored var presets: [(study: StudySettings, id: Int)] = []
    @ObservationIgnored var isCrosshairOn = false
    /// Someone chose the zoom: few bars are not spread any more.
    @ObservationIgnored var isZoomChosen = false

    /// - Parameter capacity: the most bars that are kept; the oldest are dropped first.
    public convenience init(capacity: Int = 10_000) {
        let clock = ContinuousClock()
        let start = clock.now
        self.init(capacity: capacity) { (clock.now - start) / .seconds(1) }
    }

    init(capacity: Int = 10_000, uptime: @escaping () -> Double) {
        view = ChartView(timeframe: .m1, capacity: capacity)
        self.uptime = uptime
        view.resize(width: 800, height: 450, devicePixelRatio: 2)
    }

    // MARK: Data

    /// Replaces the bars and goes to the newest one. Malformed candles are left out, the order does not matter, and of
    /// equal timestamps the last counts.
    /// - Complexity: O(n), O(n log n) where they are not in order.
    public func setData(_ candles: [Candle]) {
        let malformed = candles.count { !$0.isWellFormed }
        changing {
            view.setData(candles)
            historyBar = view.series.last.map(HistoryBar.init)
            autoPrecision = PricePrecision.digits(of: candles.filter(\.isWellFormed))
            labelChanged()
        }
        applyZoom()
        if malformed > 0 { announce(.leftOut(malformed)) }
        announce(view.count == 0 ? .noData : .loaded(bars: view.count, symbol: symbol, timeframe: timeframe))
    }

    /// Puts older bars in front; what is on screen does not move.
    /// - Returns: how many bars were added: those that are older than the oldest one and within the capacity.
    @discardableResult public func prepend(_ candles: [Candle]) -> Int {
        change { view in
            // Bars that go out at the other end would have to be requested again: here they stay.
            let room = view.series.capacity - view.count
            guard candles.count > room else { return view.prepend(candles) }
            return view.prepend(candles.sorted { $0.timestamp < $1.timestamp }.suffix(max(0, room)))
        }
    }

    /// Places the forming candle by its timestamp.
    ///
    /// A fragment of the bar that history ended with, from a builder that was not seeded with it, is joined to that bar
    /// instead of wiping its earlier trades out; `OHLCBuilder.seed(with:)` avoids that it must be guessed.
    @discardableResult public func updateLast(_ candle: Candle) -> PlaceResult { placed(candle) }

    /// Places a completed candle by its timestamp: before the forming one, if that came first.
    @discardableResult public func append(_ candle: Candle) -> PlaceResult { placed(candle) }

    /// Places all that one tick changed.
    public func apply(_ result: BuildResult) {
        changing {
            if let completed = result.appended { place(completed) }
            if let corrected = result.corrected { place(corrected) }
            if let updated = result.updated { place(updated) }
        }
        checkAlerts()
    }

    /// Places several candles as one change of the picture.
    public func apply(_ candles: [Candle]) {
        guard !candles.isEmpty else { return }
        changing { for candle in candles { place(candle) } }
        checkAlerts()
    }

    /// Drops the oldest bars so that at most `count` remain; what is on screen stays.
    public func trimOldData(keepingLast count: Int) {
        let keep = max(0, count)
        guard view.count > keep else { return }
        change { view in
            let from = view.count - keep
            view.setData((from..<view.count).map { view.series[$0] }, keepViewport: true)
        }
    }

    /// The newest close; `nil` without bars.
    public var lastPrice: Double? { lastCandle?.close }

    /// The newest bar, to seed a builder with.
    public var lastCandle: Candle? { observed(\.series.last) }

    /// The number of bars.
    public var totalCandleCount: Int { observed(\.count) }

    /// The bar at `index`, 0 the oldest; `nil` outside of the series.
    public func candle(at index: Int) -> Candle? { observed { $0.bar(at: index) } }

    /// All bars, oldest first.
    /// - Complexity: O(n)
    public var candles: [Candle] { observed { view in (0..<view.count).map { view.series[$0] } } }

    /// Whether the oldest bars come into view, so that older ones should be fetched and handed to `prepend`.
    public var needsHistory: Bool { observed(\.needsHistory) }

    /// A provider's connection is there, or is being restored.
    public func setConnectionStatus(_ isConnected: Bool) {
        let status: ConnectionStatus = isConnected ? .live : .reconnecting
        guard status != connectionStatus else { return }
        connectionStatus = status
        change { _ in }
        announce(.connection(status))
    }

    /// A change of the view alone.
    func change<R, E>(_ body: (inout ChartView) throws(E) -> R) throws(E) -> R {
        defer { revision &+= 1 }
        return try body(&view)
    }

    /// A change of several steps: observers are notified once.
    func changing(_ body: () -> Void) {
        body()
        revision &+= 1
    }

    func observed<R>(_ read: (ChartView) -> R) -> R {
        _ = revision
        return read(view)
    }

    func announce(_ announcement: ChartAnnouncement) { onAnnouncement?(announcement) }

    /// Places a candle; one that was rejected changes nothing and notifies no observer.
    private func placed(_ candle: Candle) -> PlaceResult {
        let result = place(candle)
        if case .rejected = result { return result }
        revision &+= 1
        checkAlerts()
        return result
    }

    @discardableResult private func place(_ candle: Candle) -> PlaceResult {
        guard candle.isWellFormed else { return .rejected(.malformed) }
        var candle = candle
        if var history = historyBar {
            if candle.timestamp == history.bar.timestamp {
                candle = history.joined(with: candle)
                historyBar = history
            } else if candle.timestamp >= timeframe.bucketEnd(ofBucketAt: history.bar.timestamp) + timeframe.seconds {
                // Two bars on, nothing of that bar is under way any more.
                historyBar = nil
            }
        }
        return view.place(candle, final: false)
    }

    private func symbolChanged(from old: String) {
        changing {
            if !old.isEmpty {
                forgetBars()
                changeBoard(from: old)
            }
            labelChanged()
        }
        onStreamChange?(symbol, timeframe)
    }

    private func timeframeChanged(from old: Timeframe) {
        guard timeframe != old else { return }
        let bars = (0..<view.count).map { view.series[$0] }
        let isOfThatLength = CandleCSV.timeframe(of: bars) == timeframe
        changing {
            forgetBars()
            if isOfThatLength {
                view.setData(bars)
                historyBar = bars.last.map(HistoryBar.init)
            }
        }
        applyZoom()
        announce(.timeframe(timeframe))
        onStreamChange?(symbol, timeframe)
    }

    private func forgetBars() {
        view.setTimeframe(timeframe)
        historyBar = nil
        isCrosshairOn = false
    }

    private func labelChanged() {
        view.setSymbol(symbol.utf8, precision: precision ?? autoPrecision, tickSize: view.tickSize)
    }

    func setTickSize(_ step: Double) { if step != view.tickSize { change { $0.setTickSize(step) } } }

    /// Digits after the point that prices are shown with.
    var shownPrecision: Int { view.precision }
}
