public import MarketServices
public import Observation

/// The list of markets: searched, sorted, and as texts.
///
/// ```swift
/// let list = MarketListModel(services.markets)
/// // In the view: .task { await list.run() }
/// ```
@MainActor
@Observable
public final class MarketListModel {
    public enum Order: String, Sendable, CaseIterable, Identifiable {
        case symbol
        /// The largest rise first.
        case change
        /// The largest first, in the quote currency.
        case volume

        public var id: String { rawValue }

        public var words: String {
            switch self {
            case .symbol: localized("Name")
            case .change: localized("Change")
            case .volume: localized("Volume")
            }
        }
    }

    public private(set) var state = ListState.loading
    public private(set) var markets: [MarketInfo] = []
    /// Shows markets whose symbol, name or currencies contain each of these words.
    public var search = ""
    public var order = Order.symbol

    private let service: any MarketServiceProtocol
    private let formats: Formats

    public init(_ service: any MarketServiceProtocol, formats: Formats = Formats()) {
        self.service = service
        self.formats = formats
    }

    /// Fetches the markets, then follows their prices until the task is cancelled.
    public func run() async {
        await refresh()
        for await markets in service.marketUpdates { show(markets) }
    }

    public func refresh() async {
        do throws(ServiceError) { show(try await service.fetchMarkets()) } catch {
            if markets.isEmpty, error.kind != .closed { state = .failed(error.message) }
        }
    }

    private func show(_ markets: [MarketInfo]) {
        self.markets = markets
        state = .ready
    }

    /// What the list shows. Markets without the value that decides come last; equal ones by name.
    public var rows: [MarketRow] {
        let words = search.lowercased().split(separator: " ")
        return markets.filter { market in
            let names = "\(market.symbol) \(market.name ?? "") \(market.baseCurrency) \(market.quoteCurrency)"
                .lowercased()
            return words.allSatisfy { names.contains($0) }
        }
        .sorted { one, other in
            let (a, b) = (value(one), value(other))
            return a == b ? one.symbol < other.symbol : a > b
        }
        .map { MarketRow($0, formats) }
    }

    /// Why there is no row; `nil` where there is one, or the list still loads.
    public var emptyReason: String? {
        guard state == .ready, rows.isEmpty else { return nil }
        return markets.isEmpty ? localized("The server has no markets.") : localized("No market matches “%@”.", search)
    }

    private func value(_ market: MarketInfo) -> Double {
        switch order {
        case .symbol: 0
        case .change: market.comparison.changePercent ?? -.infinity
        case .volume: market.volume24h.flatMap { volume in market.price.map { $0 * volume } } ?? -.infinity
        }
    }
}

/// A market as a list shows it.
public struct MarketRow: Sendable, Hashable, Identifiable {
    public var symbol: String
    /// As people call it, or where the venue does not say, base and quote currency.
    public var name: String
    public var price: String
    /// Against the session's open where the venue reports one, else in 24 hours.
    public var percent: String
    /// What ``percent`` is compared with: `Session` or `24 h`.
    public var period: String
    public var movement: Movement
    /// Closes of the last 24 hours, oldest first.
    public var sparkline: [Double]

    public var id: String { symbol }
    private let spokenName: String
    private let spokenChange: String

    public init(_ market: MarketInfo, _ formats: Formats) {
        symbol = market.symbol
        name = market.name ?? "\(market.baseCurrency) / \(market.quoteCurrency)"
        price = formats.price(market.price, precision: market.precision)
        let comparison = market.comparison
        percent = formats.percent(comparison.changePercent)
        period = comparison.kind.name
        movement = Movement(percent)
        sparkline = market.sparkline
        spokenName = market.name.map { "\(market.symbol), \($0)" } ?? market.symbol
        spokenChange = comparison.kind.sentence(percent)
    }

    /// What a screen reader says: the symbol, with the market's name where it has one.
    public var accessibilityLabel: String { spokenName }
    /// What a screen reader says after that.
    public var spokenValue: String { localized("%@, %@, %@", price, spokenChange, movement.accessibilityLabel) }
}
