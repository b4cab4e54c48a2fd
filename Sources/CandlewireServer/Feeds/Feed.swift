import HistoryStore
import MarketModel
import NIOCore
import StreamCore

/// A source of ticks, as the server runs it.
protocol Feed: Sendable {
    /// The markets it trades, known before it starts.
    var markets: [Market] { get }
    /// `sim` or `replay`.
    var name: String { get }
    /// One line for the start banner.
    var summary: String { get }
    /// How many markets more may be added while it runs.
    var room: Int { get }
    /// Those of `markets` that were removed: they keep their names in the ledger, and are not traded.
    var removed: Set<String> { get }
    /// By symbol: what its markets are called by people, as far as it is known before it starts.
    var titles: [String: String] { get }
    /// What it is, and how it does, for people who look after it.
    func details(_ core: MarketCore) async throws -> FeedDetails

    /// Where its own clock begins, seconds since 1970 UTC; `nil`: it lives in the present.
    var clockStart: Double? { get }

    /// Starts delivering to `core`'s pipeline, on its loop.
    /// - Parameters:
    ///   - base: the number of its first market; the others follow.
    ///   - store: where the pipeline's candles go; a feed that can wait does so while the store is behind.
    func start(_ core: MarketCore, base: Int, store: CandleStore)
    /// Delivers no more, and releases what it holds. On the market loop.
    /// - Returns: what is still at work, and ends soon: nothing it needs may go before.
    func stop() -> [Task<Void, Never>]
    /// What it did so far.
    func status(_ core: MarketCore) async throws -> FeedStatus
}

extension Feed {
    var clockStart: Double? { nil }
    var room: Int { 0 }
    var removed: Set<String> { [] }
    var titles: [String: String] { [:] }
    func stop() -> [Task<Void, Never>] { [] }
}

/// A feed's state, for `/health`.
struct FeedStatus: Sendable {
    var name: String
    /// `live`, `playing` or `ended`; of a venue also `connecting`, `reconnecting`, `unavailable` and `failed`.
    var state: String
    /// What is wrong, in a sentence.
    var problem: String?
    /// Figures by name, in the order they are shown.
    var figures: [(name: String, value: Int)]
    /// Ticks of its markets that were not accepted, by reason.
    var rejected = RejectionCounts()
    /// When its newest tick was received, by its own clock; `nil`: none was.
    var lastTickAt: Double?
}

extension FeedStatus: JSONObjectDocument {
    func writeMembers(into sink: inout [UInt8]) {
        sink.fields("name", name, "state", state, "problem", problem)
        for (name, value) in figures {
            sink.json(",")
            sink.string(name)
            sink.json(":")
            sink.integer(value)
        }
        sink.field("rejected", rejected)
    }
}

extension RejectionCounts: JSONObjectDocument {
    /// Each reason with its count.
    func writeMembers(into sink: inout [UInt8]) {
        for reason in TickRejection.allCases { sink.field(reason.name, self[reason]) }
    }
}
