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
        chart = ChartModel(LiveChart(source, symbol: symbol, timeframe: timeframe, clock: clock))
    }

    /// Follows the market's figures until the task is cancelled. The chart follows by itself.
    public func run() async {
        do throws(ServiceError) {
            market = try await service.fetchMarket(symbol: symbol)
            problem = nil
        } catch {
            if error.kind == .closed { return }
            problem =
                error.kind == .notFound ? phrase("There is no market “%@” on this server.", symbol) : error.message
        }
        for await markets in service.marketUpdates {
            guard let found = markets.first(where: { $0.symbol == symbol }) else { continue }
            (market, problem) = (found, nil)
        }
    }

    public var price: String { formats.price(market?.price, precision: precision) }

    public var figures: [Figure] {
        guard let market else { return [] }
        let price = { [formats] (value: Double?) in formats.price(value, precision: market.precision) }
        let change = formats.change(market.change24h, precision: market.precision)
        let percent = formats.percent(market.changePercent24h)
        var figures = [
            Figure(phrase("24 h change"), "\(change) (\(percent))", Movement(percent)),
            Figure(phrase("24 h high"), price(market.high24h)),
            Figure(phrase("24 h low"), price(market.low24h)),
            Figure(phrase("24 h volume"), "\(formats.volume(market.volume24h)) \(market.baseCurrency)"),
            Figure(phrase("Last trade"), formats.time(market.timestamp)),
        ]
        if market.bid != nil || market.ask != nil {
            figures.append(Figure(phrase("Bid / ask"), "\(price(market.bid)) / \(price(market.ask))"))
        }
        return figures
    }

    private var precision: Int { market?.precision ?? 2 }
}
