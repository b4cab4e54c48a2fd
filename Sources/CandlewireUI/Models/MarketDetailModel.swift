public import FinanceChartsKit
public import MarketServices
public import Observation

/// One market: its figures, and its live chart.
@MainActor
@Observable
public final class MarketDetailModel {
    public let symbol: String
    public let chart: ChartModel
    public private(set) var market: MarketInfo?
    /// Why there are no figures; `nil` where there are, or they are on their way.
    public private(set) var problem: String?

    private let service: any MarketServiceProtocol
    private let formats: Formats

    public init(
        symbol: String, _ service: any MarketServiceProtocol, source: any LiveChartSource,
        timeframe: Timeframe = .m1, clock: ServiceClock = .system, formats: Formats = Formats()
    ) {
        self.symbol = symbol
        self.service = service
        self.formats = formats
        chart = ChartModel(LiveChart(source, symbol: symbol, timeframe: timeframe, clock: clock), clock: clock)
    }

    /// Follows the market's figures until the task is cancelled. The chart follows by itself.
    public func run() async {
        do throws(ServiceError) {
            market = try await service.fetchMarket(symbol: symbol)
            problem = nil
        } catch {
            if error.kind == .closed { return }
            problem =
                error.kind == .notFound ? localized("There is no market “%@” on this server.", symbol) : error.message
        }
        for await markets in service.marketUpdates {
            guard let found = markets.first(where: { $0.symbol == symbol }) else { continue }
            (market, problem) = (found, nil)
        }
    }

    /// As people call the market; `nil` where the venue does not say.
    public var name: String? { market?.name }

    public var price: String { formats.price(market?.price, precision: precision) }

    public var figures: [Figure] {
        guard let market else { return [] }
        let price = { [formats] (value: Double?) in formats.price(value, precision: market.precision) }
        let period = market.comparison
        let change = formats.change(period.change, precision: market.precision)
        let percent = formats.percent(period.changePercent)
        var figures = [
            Figure(period.kind.changeName, "\(change) (\(percent))", Movement(percent)),
            Figure(period.kind.highName, price(period.high)),
            Figure(period.kind.lowName, price(period.low)),
            Figure(localized("24 h volume"), "\(formats.volume(market.volume24h)) \(market.baseCurrency)"),
            Figure(localized("Last trade"), formats.time(market.timestamp)),
        ]
        if market.bid != nil || market.ask != nil {
            figures.append(Figure(localized("Bid / ask"), "\(price(market.bid)) / \(price(market.ask))"))
        }
        return figures
    }

    private var precision: Int { market?.precision ?? 2 }
}
