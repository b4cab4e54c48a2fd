public import MarketServices
public import Observation
public import TradingCore

/// What an account holds and has ordered: portfolio, positions, orders and fills, and what can be done with them.
@MainActor
@Observable
public final class TradesModel<Mode: TradingMode> {
    public enum Filter: String, Sendable, CaseIterable, Identifiable {
        case active, done, all

        public var id: String { rawValue }

        public var words: String {
            switch self {
            case .active: localized("Working")
            case .done: localized("Done")
            case .all: localized("All")
            }
        }
    }

    public private(set) var portfolios: [Portfolio] = []
    public private(set) var positions: [Position<Mode>] = []
    public private(set) var orders = ServiceList<Order<Mode>>()
    public private(set) var fills = ServiceList<Fill<Mode>>()
    public private(set) var state = ListState.loading
    public var filter = Filter.active
    /// Rises with each fill that happens while the model runs.
    public private(set) var fillCount = 0
    /// The last fill or refusal, as a sentence.
    public private(set) var news: String?
    /// Why the last command failed.
    public var problem: String?
    /// The orders and positions, by id, that a command is under way for.
    public private(set) var busy: Set<String> = []

    private let trading: any TradingServiceProtocol<Mode>
    private let portfolio: any PortfolioServiceProtocol<Mode>
    private let formats: Formats

    public init(_ services: any ServiceContainer<Mode>, formats: Formats = Formats()) {
        trading = services.trading
        portfolio = services.portfolio
        self.formats = formats
    }

    /// Follows the account until the task is cancelled.
    public func run() async {
        async let portfolios: Void = followPortfolios()
        async let positions: Void = followPositions()
        async let orders: Void = followOrders()
        async let fills: Void = followFills()
        await fetch()
        _ = await (portfolios, positions, orders, fills)
    }

    private func followPortfolios() async {
        for await update in portfolio.portfolioUpdates { portfolios = update }
    }

    private func followPositions() async {
        for await update in trading.positionUpdates { (positions, state) = (update, .ready) }
    }

    private func followOrders() async {
        for await update in trading.orderUpdates { apply(update) }
    }

    private func followFills() async {
        for await update in trading.fillUpdates { apply(update) }
    }

    /// The streams bring everything; this says why where they bring nothing.
    private func fetch() async {
        do throws(ServiceError) {
            positions = try await trading.fetchPositions()
            state = .ready
        } catch {
            if state == .loading, error.kind != .closed { state = .failed(error.message) }
        }
    }

    private func apply(_ update: ServiceUpdate<Order<Mode>>) {
        if case .changed(let order) = update, order.status == .rejected, orders[order.id]?.status != .rejected {
            news = localized("Rejected: %@. %@", title(order), order.reason ?? "")
        }
        orders.apply(update)
    }

    private func apply(_ update: ServiceUpdate<Fill<Mode>>) {
        if case .changed(let fill) = update, fills[fill.id] == nil {
            fillCount += 1
            let title = "\(fill.side.words) \(formats.exact(fill.quantity)) \(fill.symbol)"
            news = localized("Filled: %@ at %@.", title, formats.exact(fill.price))
        }
        fills.apply(update)
    }

    // MARK: What is shown

    public var totals: [[Figure]] {
        portfolios.map { portfolio in
            let money = { [formats] (value: ExactDecimal) in formats.money(value, portfolio.currency) }
            let profit = formats.signed(
                portfolio.unrealizedPnL, decimals: QuoteCurrency.decimals(of: portfolio.currency))
            return [
                Figure(localized("Equity"), money(portfolio.equity)),
                Figure(localized("Available"), money(portfolio.availableBalance)),
                Figure(localized("Used margin"), money(portfolio.usedMargin)),
                Figure(localized("Open profit"), "\(profit) \(portfolio.currency)", Movement(profit)),
            ]
        }
    }

    public var positionRows: [PositionRow<Mode>] { positions.map { PositionRow($0, formats) } }

    public var orderRows: [OrderRow<Mode>] {
        orders.items.filter { order in
            switch filter {
            case .active: order.status.isActive
            case .done: order.status.isDone
            case .all: true
            }
        }.map { OrderRow($0, formats, title: title($0)) }
    }

    private func title(_ order: Order<Mode>) -> String {
        "\(order.side.words) \(formats.exact(order.quantity)) \(order.symbol)"
    }

    // MARK: Commands

    public func close(_ position: Position<Mode>) async {
        await command(position.id.description) { trading throws(ServiceError) in
            _ = try await trading.closePosition(symbol: position.symbol)
        }
    }

    public func reverse(_ position: Position<Mode>) async {
        await command(position.id.description) { trading throws(ServiceError) in
            _ = try await trading.reversePosition(symbol: position.symbol)
        }
    }

    public func cancel(_ order: Order<Mode>) async {
        await command(order.id.description) { trading throws(ServiceError) in
            _ = try await trading.cancel(order.id)
        }
    }

    public func cancelAll() async {
        await command("all") { trading throws(ServiceError) in _ = try await trading.cancelAll(symbol: nil) }
    }

    private func command(
        _ id: String, _ body: (any TradingServiceProtocol<Mode>) async throws(ServiceError) -> Void
    ) async {
        guard busy.insert(id).inserted else { return }
        defer { busy.remove(id) }
        do throws(ServiceError) {
            try await body(trading)
            problem = nil
        } catch {
            problem = error.message
        }
    }
}
