public import FinanceChartsKit
internal import MarketModel
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

    /// - Parameter chart: its controller's `onAlert` is used here.
    public init(_ chart: LiveChart) {
        self.chart = chart
        chart.controller.onAlert = { [weak self] alert in
            guard let self else { return }
            alerts += 1
            lastAlert = phrase("%@ reached %@.", controller.symbol, "\(alert.price)")
        }
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
        case .live: chart.historyProblem.map { phrase("Older bars cannot be loaded: %@", $0) }
        case .loading: phrase("Loading…")
        case .reconnecting(let reason), .refused(let reason): reason
        case .stopped: phrase("Paused")
        }
    }

    /// The system's hint that the network came or went.
    public func networkChanged(isAvailable: Bool) { chart.networkChanged(isAvailable: isAvailable) }
}
