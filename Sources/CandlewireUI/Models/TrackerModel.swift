internal import Foundation
public import MarketFeeds
public import Observation

/// The price tracker on screen: a sorted list, and each stock in detail, with the same prices.
///
/// ```swift
/// let model = TrackerModel(try TrackerClient(TrackedStock.bundled, url: "ws://127.0.0.1:8080/raw"))
/// // In the view: .task { await model.run() }
/// ```
@MainActor
@Observable
public final class TrackerModel {
    public struct Row: Sendable, Hashable, Identifiable {
        public let symbol: String
        public let company: String
        public let price: String
        /// Against the initial price, in percent.
        public let percent: String
        /// Which way the last message moved the price.
        public let movement: Movement
        /// Whether the price changed just now.
        public let isFlashing: Bool

        public var id: String { symbol }
        public var spokenValue: String { localized("%@, %@, %@", price, movement.accessibilityLabel, percent) }
    }

    public private(set) var connection = TrackerConnection.disconnected
    public private(set) var rows: [Row] = []
    public var order = StockOrder.Key.price { didSet { sorting.key = order } }
    /// The list is being touched: rows stay where they are.
    public var isHeld = false { didSet { sorting.isHeld = isHeld } }

    private let client: TrackerClient
    private let formats: Formats
    /// Seconds that a changed price stands out.
    private let flash: Double
    @ObservationIgnored private var board: StockBoard?
    @ObservationIgnored private var sorting = StockOrder(count: 0)

    public init(_ client: TrackerClient, flash: Double = 1, formats: Formats = Formats()) {
        self.client = client
        self.flash = flash
        self.formats = formats
    }

    /// Connects and shows the prices until the task is cancelled, at most ten times a second.
    public func run(every seconds: Double = 0.1) async {
        client.start()
        while !Task.isCancelled, let snapshot = try? await client.snapshot() {
            show(snapshot)
            try? await Task.sleep(for: .seconds(seconds))
        }
        client.stop()
    }

    /// Connects again, after a failure.
    public func reconnect() { client.start() }

    /// The system's hint that the network came or went.
    public func networkChanged(isAvailable: Bool) { client.networkChanged(isAvailable: isAvailable) }

    func show(_ snapshot: TrackerClient.Snapshot) {
        let board = snapshot.board
        if self.board == nil { sorting = StockOrder(count: board.stocks.count, key: order) }
        self.board = board
        _ = sorting.update(board, now: snapshot.now)
        let rows = sorting.stocks.map { index in
            let (stock, price) = (board.stocks[index], board.prices[index])
            return Row(
                symbol: stock.symbol, company: stock.company,
                price: formats.price(price.current, precision: stock.decimals),
                percent: formats.percent(price.changePercent), movement: Movement(price.direction),
                isFlashing: price.isFlashing(now: snapshot.now, for: flash))
        }
        // A view that observes is evaluated only where something is different.
        if rows != self.rows { self.rows = rows }
        if snapshot.state != connection { connection = snapshot.state }
    }

    public var connectionWords: String {
        switch connection {
        case .disconnected: localized("Offline")
        case .connecting: localized("Connecting…")
        case .connected: localized("Live")
        case .reconnecting: localized("Reconnecting…")
        case .failed(let reason): localized("Failed: %@", reason)
        }
    }

    public var hasFailed: Bool { if case .failed = connection { true } else { false } }

    /// A stock in detail; `nil` where the tracker has none of that symbol, as from a link.
    public func detail(_ symbol: String) -> TrackerDetail? {
        guard let row = rows.first(where: { $0.symbol == symbol }), let board, let index = board.index(of: symbol)
        else { return nil }
        let (stock, price) = (board.stocks[index], board.prices[index])
        let change = formats.change(price.change, precision: stock.decimals)
        return TrackerDetail(
            row: row, description: stock.description,
            figures: [
                Figure(localized("Initial price"), formats.price(price.initial, precision: stock.decimals)),
                Figure(localized("Change"), "\(change) (\(row.percent))", Movement(change)),
            ])
    }
}

/// A stock of the tracker in detail.
public struct TrackerDetail: Sendable, Hashable {
    public let row: TrackerModel.Row
    /// What the company does.
    public let description: String
    public let figures: [Figure]
}

extension StockOrder.Key {
    public var words: String {
        switch self {
        case .price: localized("Price")
        case .symbol: localized("Symbol")
        case .change: localized("Change")
        }
    }
}
