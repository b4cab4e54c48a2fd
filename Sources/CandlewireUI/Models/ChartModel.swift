public import FinanceChartsKit
internal import MarketModel
public import MarketServices
public import Observation

/// A live chart with what its toolbar shows and does.
@MainActor
@Observable
public final class ChartModel {
    public let chart: LiveChart
    public var controller: ChartController { chart.controller }

    /// Rises with each price alert of the chart that was reached.
    public private(set) var alerts = 0
    /// What was reached last.
    public private(set) var lastAlert: String?

    /// The last haptic cue of the price: it crossed a price line or an order, or is beyond the bars before. Alerts are
    /// counted by ``alerts`` alone.
    public private(set) var cue: HapticCue?
    /// Cues so far, so that the same one twice is felt twice.
    public private(set) var cueCount = 0
    @ObservationIgnored private var cues: (stream: String, value: HapticCues)?
    private let clock: ServiceClock

    /// Bars whose highs and lows count as what the price was before.
    private static let cueBars = 500

    /// - Parameter chart: its controller's `onAlert` is used here.
    public init(_ chart: LiveChart, clock: ServiceClock = .system) {
        self.chart = chart
        self.clock = clock
        chart.controller.onAlert = { [weak self] alert in
            guard let self else { return }
            alerts += 1
            lastAlert = localized("%@ reached %@.", controller.symbol, "\(alert.price)")
        }
        watchPrice()
    }

    /// Looks at the price whenever it changes.
    private func watchPrice() {
        let price = withObservationTracking {
            controller.lastPrice
        } onChange: { [weak self] in
            Task { @MainActor in self?.watchPrice() }
        }
        let stream = "\(controller.symbol) \(controller.timeframe.rawValue)"
        guard let price else {
            cues = nil
            return
        }
        if cues?.stream != stream { cues = (stream, HapticCues(range: recentRange)) }
        cues?.value.levels = controller.objects.lines.map(\.price) + controller.objects.orders.map(\.price)
        if let cue = cues?.value.cue(price: price, now: clock.now()) {
            self.cue = cue
            cueCount += 1
        }
    }

    /// Lowest and highest price of the newest bars; `nil` where there are none.
    private var recentRange: ClosedRange<Double>? {
        let count = controller.totalCandleCount
        let bars = (max(0, count - Self.cueBars)..<count).compactMap { controller.candle(at: $0) }
        guard let low = bars.map(\.low).min(), let high = bars.map(\.high).max(), low <= high else { return nil }
        return low...high
    }

    /// An entry of a menu of studies.
    public struct Study: Sendable, Hashable, Identifiable {
        public var id: String
        public var name: String
        public var isShown: Bool
        let overlay: OverlaySpec
        let indicator: IndicatorSpec
    }

    /// What is drawn over the price or under it.
    public var studies: [Study] {
        let overlays: [(String, OverlaySpec)] = [
            ("EMA 20", .ema20), ("EMA 50", .ema50), ("SMA 20", .sma20), ("SMA 50", .sma50),
            ("Bollinger 20", .bollinger20),
        ]
        let indicators: [(String, IndicatorSpec)] = [("RSI 14", .rsi14), ("MACD", .macd), ("Stochastic", .stochastic)]
        return overlays.map { name, spec in
            Study(
                id: name, name: name, isShown: controller.overlays.contains(spec), overlay: spec, indicator: [])
        }
            + indicators.map { name, spec in
                Study(
                    id: name, name: name, isShown: controller.indicators.contains(spec), overlay: [], indicator: spec)
            }
    }

    public func toggle(_ study: Study) {
        controller.overlays.formSymmetricDifference(study.overlay)
        controller.indicators.formSymmetricDifference(study.indicator)
    }

    public var timeframes: [Timeframe] { Timeframe.allCases }

    /// Why the chart is not live; `nil` where it is.
    public var notice: String? {
        switch chart.status {
        case .live: chart.historyProblem.map { localized("Older bars cannot be loaded: %@", $0) }
        case .loading: localized("Loading…")
        case .reconnecting(let reason), .refused(let reason): reason
        case .stopped: localized("Paused")
        }
    }

    /// The system's hint that the network came or went.
    public func networkChanged(isAvailable: Bool) { chart.networkChanged(isAvailable: isAvailable) }
}
