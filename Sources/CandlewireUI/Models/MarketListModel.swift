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
            case .symbol: phrase("Name")
            case .change: phrase("Change")
            case .volume: phrase("Volume")
            }
        }
    }

    public private(set) var state = ListState.loading
    public private(set) var markets: [MarketInfo] = []
    /// Shows markets whose symbol or currencies contain each of these words.
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
            let names = "\(market.symbol) \(market.baseCurrency) \(market.quoteCurrency)".lowercased()
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
        return markets.isEmpty ? phrase("The server has no markets.") : phrase("No market matches “%@”.", search)
    }

    private func value(_ market: MarketInfo) -> Double {
        switch order {
        case .symbol: 0
        case .change: market.changePercent24h ?? -.infinity
        case .volume: market.volume24h.flatMap { volume in market.price.map { $0 * volume } } ?? -.infinity
        }
    }
}

/// A market as a list shows it.
public struct MarketRow: Sendable, Hashable, Identifiable {
    public var symbol: String
    /// Base and quote currency.
    public var name: String
    public var price: String
    public var percent: String
    public var movement: Movement
    /// Closes of the last 24 hours, oldest first.
    public var sparkline: [Double]

    public var id: String { symbol }

    public init(_ market: MarketInfo, _ formats: Formats) {
        symbol = market.symbol
        name = "\(market.baseCurrency) / \(market.quoteCurrency)"
        price = formats.price(market.price, precision: market.precision)
        percent = formats.percent(market.changePercent24h)
        movement = Movement(percent)
        sparkline = market.sparkline
    }

    /// What a screen reader says after the symbol.
    public var spokenValue: String { phrase("%@, %@ in 24 hours, %@", price, percent, movement.spoken) }
}
