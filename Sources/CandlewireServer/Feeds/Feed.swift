import HistoryStore
import MarketModel
import NIOCore

/// A source of ticks, as the server runs it.
protocol Feed: Sendable {
    /// The markets it trades, known before it starts.
    var markets: [Market] { get }
    /// `sim` or `replay`.
    var name: String { get }
    /// One line for the start banner.
    var summary: String { get }

    /// Where its own clock begins, seconds since 1970 UTC; `nil`: it lives in the present.
    var clockStart: Double? { get }

    /// Starts delivering to `core`'s pipeline, on its loop.
    /// - Parameter store: where the pipeline's candles go; a feed that can wait does so while the store is behind.
    func start(_ core: MarketCore, store: CandleStore)
    /// What it did so far.
    func status(_ core: MarketCore) async throws -> FeedStatus
}

extension Feed {
    var clockStart: Double? { nil }
}

/// A feed's state, for `/health`.
struct FeedStatus: Sendable {
    var name: String
    /// `live`, `playing` or `ended`.
    var state: String
    /// Figures by name, in the order they are shown.
    var figures: [(name: String, value: Int)]
}
