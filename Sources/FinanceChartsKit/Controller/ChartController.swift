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
/// controller.apply(builder.ingest(tick))
/// ```
///
/// Candles are placed **by their timestamp**, so the order of calls does not matter. Ticks come through
/// `apply(builder.ingest(tick))`, whole bars of a venue or a server through `updateLast` and `append`. Together they
/// give the right bar, in any order:
///
/// - The bars of `setData` hold all trades until that call; ticks that come later, late ones too, are added to their
///   bar. After an outage, call `setData` again.
/// - A whole bar is never added to anything. Where it and the one built from ticks differ, the one with more volume
///   stays.
/// - Bars that do not begin where a bar of `timeframe` does are rejected, and so are results of a builder of another
///   timeframe.
///
/// No call traps on data: what cannot be used is left out and said so. The chart begins at its newest bar and stays
/// there until someone moves it away; without a view it is 800 x 450 points, so `snapshot()` works on a server, too.
@MainActor
@Observable
public final class ChartController {
    /// The name of what is shown. Another symbol forgets the bars of the one before; naming the bars that are there
    /// (from no name) keeps them.
    public var symbol = "" { didSet { if symbol != oldValue { symbolChanged(from: oldValue) } } }

    /// The length of a candle. Another one forgets the bars, unless they are of that length already, as after a
    /// `setData` that came first. `changeTimeframe(to:data:builder:)` changes bars and builder with it.
    public var timeframe = Timeframe.m1 { didSet { timeframeChanged(from: oldValue) } }

    /// What is drawn over the price.
    public var overlays: OverlaySpec = [] { didSet { if overlays != oldValue { presetsChanged() } } }

    /// What is drawn in panes under the price.
    public var indicators: IndicatorSpec = [] {
        didSet { if indicators != oldValue { presetsChanged() } }
    }

    /// Digits after the point of a price, 0 to 10; `nil` derives them from the data.
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
    @ObservationIgnored private var sources = BarSources()
    /// Goes up by one whenever other bars replace all there were.
    @ObservationIgnored private(set) var loads = 0
    /// What `setData` rejected: bars of another timeframe, which may be chosen next.
    @ObservationIgnored private var barsOfOtherTimeframe: [Candle] = []
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
    /// equal timestamps the last counts. The bars are expected to hold all trades until this call.
    ///
    /// Candles that do not begin where a bar of `timeframe` does are left out, too. Where all candles are of another
    /// timeframe, nothing changes; they are shown once `timeframe` becomes theirs.
    /// - Returns: `applied`, or `rejected(.otherTimeframe)`.
    /// - Complexity: O(n), O(n log n) where they are not in order.
    @discardableResult public func setData(_ candles: [Candle]) -> PlaceResult {
        let wellFormed = candles.filter(\.isWellFormed)
        guard let bars = timeframe.bars(among: wellFormed) else {
            barsOfOtherTimeframe = wellFormed
            announce(.otherTimeframe(count: wellFormed.count, than: timeframe))
            return .rejected(.otherTimeframe)
        }
        changing { show(bars) }
        applyZoom()
        if wellFormed.count < candles.count { announce(.leftOut(candles.count - wellFormed.count)) }
        if bars.count < wellFormed.count {
            announce(.otherTimeframe(count: wellFormed.count - bars.count, than: timeframe))
        }
        announce(view.count == 0 ? .noData : .loaded(bars: view.count, symbol: symbol, timeframe: timeframe))
        return .applied
    }

    /// Shows bars of another timeframe, with a builder that continues them: no bar of the old timeframe comes between.
    ///
    /// `onStreamChange` is not called, because the bars are here.
    /// - Parameters:
    ///   - data: as for `setData`.
    ///   - builder: becomes one of that timeframe, seeded with the newest bar.
    /// - Returns: `applied`; or `rejected(.otherTimeframe)` where `data` is not of that timeframe, and nothing changes.
    @discardableResult
    public func changeTimeframe(to timeframe: Timeframe, data: [Candle], builder: inout OHLCBuilder) -> PlaceResult {
        let wellFormed = data.filter(\.isWellFormed)
        guard timeframe.bars(among: wellFormed) != nil else {
            announce(.otherTimeframe(count: wellFormed.count, than: timeframe))
            return .rejected(.otherTimeframe)
        }
        let requestStream = onStreamChange
        onStreamChange = nil
        self.timeframe = timeframe
        onStreamChange = requestStream
        builder = OHLCBuilder(timeframe: timeframe, lateness: builder.lateness)
        let result = setData(data)
        if let last = lastCandle { builder.seed(with: last) }
        return result
    }

    /// Puts older bars in front; what is on screen does not move.
    /// - Returns: how many bars were added: those of this timeframe that are older than the oldest one and within the
    ///   capacity.
    @discardableResult public func prepend(_ candles: [Candle]) -> Int {
        guard let bars = timeframe.bars(among: candles.filter(\.isWellFormed)) else { return 0 }
        return change { view in
            // Bars that go out at the other end would have to be requested again: here they stay.
            let room = view.series.capacity - view.count
            guard bars.count > room else { return view.prepend(bars) }
            return view.prepend(bars.sorted { $0.timestamp < $1.timestamp }.suffix(max(0, room)))
        }
    }

    /// Places a candle by its timestamp, usually the forming one.
    ///
    /// A builder's results are better handed to `apply`, which knows what they lack. Here a part of the bar that
    /// history ended with, from a builder that was not seeded with it, is recognised by its values and added to that
    /// bar.
    /// - Returns: `rejected(.otherTimeframe)` where the candle does not begin at the start of a bar of `timeframe`.
    @discardableResult public func updateLast(_ candle: Candle) -> PlaceResult { placed(candle) }

    /// Places a candle by its timestamp, usually a completed one: before the forming one, if that came first. Otherwise
    /// the same as `updateLast`.
    @discardableResult public func append(_ candle: Candle) -> PlaceResult { placed(candle) }

    /// Places all that one tick changed: the forming bar, a completed one, or one that a late tick corrected.
    /// - Returns: what became of `updated`; `nil` where the tick was rejected.
    @discardableResult public func apply(_ result: BuildResult) -> PlaceResult? {
        let bars = wholeBars(of: result)
        guard !bars.isEmpty else { return result.updated == nil ? nil : .rejected(.otherTimeframe) }
        var outcome: PlaceResult?
        changing { for bar in bars { outcome = place(bar) } }
        checkAlerts()
        return outcome
    }

    /// The bars that a result changed, completed before forming, with what the builder lacks of them; none where it was
    /// built for another timeframe.
    func wholeBars(of result: BuildResult) -> [Candle] {
        let candles = [result.appended, result.updated].compactMap(\.self)
        guard let tick = result.tick else { return candles }
        guard result.timeframe == timeframe else { return [] }
        return candles.map { candle in
            let isUpdated = candle.timestamp == result.updated?.timestamp
            return sources.wholeBar(candle, with: isUpdated ? tick : nil, in: view.series)
        }
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
        guard timeframe.isBarStart(candle.timestamp) else { return .rejected(.otherTimeframe) }
        return view.place(sources.bar(after: candle, shown: bar(at: candle.timestamp)), final: false)
    }

    /// The bar that begins at `timestamp`.
    private func bar(at timestamp: Double) -> Candle? {
        view.bar(at: view.series.firstIndex(notBefore: timestamp)).flatMap { $0.timestamp == timestamp ? $0 : nil }
    }

    /// The symbol and timeframe that the bars are of.
    var stream: BuilderPool.Key { BuilderPool.Key(symbol: symbol, timeframe: timeframe) }

    private func show(_ bars: [Candle]) {
        view.setData(bars)
        loads += 1
        sources.load(view.series, of: stream)
        barsOfOtherTimeframe = []
        autoPrecision = PricePrecision.digits(of: bars)
        labelChanged()
    }

    private func symbolChanged(from old: String) {
        changing {
            if !old.isEmpty {
                forgetBars(of: BuilderPool.Key(symbol: old, timeframe: timeframe))
                changeBoard(from: old)
            }
            labelChanged()
        }
        onStreamChange?(symbol, timeframe)
    }

    private func timeframeChanged(from old: Timeframe) {
        guard timeframe != old else { return }
        let bars = barsOfOtherTimeframe.isEmpty ? (0..<view.count).map { view.series[$0] } : barsOfOtherTimeframe
        let isOfThatLength = Timeframe(ofBars: bars) == timeframe
        changing {
            forgetBars(of: BuilderPool.Key(symbol: symbol, timeframe: old))
            if isOfThatLength, let bars = timeframe.bars(among: bars) { show(bars) }
        }
        applyZoom()
        announce(.timeframe(timeframe))
        onStreamChange?(symbol, timeframe)
    }

    private func forgetBars(of stream: BuilderPool.Key) {
        view.setTimeframe(timeframe)
        loads += 1
        sources.leave(stream)
        barsOfOtherTimeframe = []
        isCrosshairOn = false
    }

    private func labelChanged() {
        view.setSymbol(symbol.utf8, precision: precision ?? autoPrecision, tickSize: view.tickSize)
    }

    func setTickSize(_ step: Double) { if step != view.tickSize { change { $0.setTickSize(step) } } }

    /// Digits after the point that prices are shown with.
    var shownPrecision: Int { view.precision }
}
