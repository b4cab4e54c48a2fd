package import HTTPTransport
import StreamCore

/// Fetches whole order books from a venue, no faster than it allows: what `FeedConnection.Options.book` needs.
package struct BookSnapshots: Sendable {
    private let history: VenueHistory

    /// - Parameter url: of the stream, instead of the venue's own address; its REST interface is on the same host.
    /// - Returns: `nil` where the feed's books need none.
    /// - Throws: `HistoryError` where the address is none.
    package init?(
        _ adapter: any FeedAdapter, url: String?, transport: HTTPTransport = .network()
    ) throws(HistoryError) {
        guard (adapter as? any BookAdapter)?.bookRules?.source == .request, let rest = adapter.history else {
            return nil
        }
        // A session tries again by itself, and what came before an answer is worth the less the later it comes.
        var limits = VenueHistory.RetryLimits()
        (limits.attempts, limits.refusals, limits.timeout, limits.maxWait) = (1, 2, 10, 20)
        history = try VenueHistory(
            rest, base: url.map(FeedAddress.rest), transport: transport, pace: Self.pace, retryLimits: limits)
    }

    /// Books are large, and weigh more than a page of candles.
    private static let pace = RequestPacer.Configuration(rate: 2, burst: 4, minimumInterval: 0.1)

    /// - Parameter path: as `FeedBookEvent.fetch` has it.
    /// - Throws: `HistoryError`, `CancellationError`.
    package func fetch(_ path: String) async throws -> [UInt8] { try await history.get(path).body }
}
