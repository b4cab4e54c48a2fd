package import HTTPTransport
import MarketModel
import StreamCore

/// A feed whose markets are searched by a text, and which has the prices of their sessions.
package protocol ReferenceAdapter: FeedAdapter {
    /// - Parameter base: `http://` or `https://` and a host; `nil` for the venue's own.
    func reference(
        credentials: FeedCredentials, base: String?, transport: HTTPTransport, retryLimits: VenueHistory.RetryLimits
    ) throws(HistoryError) -> any MarketReference
}

extension ReferenceAdapter {
    package func reference(credentials: FeedCredentials, base: String?) throws(HistoryError) -> any MarketReference {
        try reference(
            credentials: credentials, base: base, transport: .network(), retryLimits: VenueHistory.RetryLimits())
    }
}

/// What a venue knows of its companies over REST. Throws `HistoryError`, `CancellationError`.
package protocol MarketReference: Sendable {
    /// The companies whose name or ticker matches, in the venue's order.
    func companies(matching text: String) async throws -> [ListedCompany]
    /// The prices of a ticker, newest first where the venue has several days.
    func prices(of ticker: String) async throws -> [ReferencePrice]
}

/// One entry of a search. What the venue leaves out is empty.
package struct ListedCompany: Sendable, Equatable {
    package var name = ""
    package var ticker = ""
    /// The number at the US supervisory authority, with its leading zeros.
    package var cik = ""
}

/// A day's prices as a venue's reference data has them; what it does not say is `nil`.
package struct ReferencePrice: Sendable, Equatable {
    /// `2024-08-08`, as the venue writes it; empty where it does not.
    package var date = ""
    package var open: Double?
    package var high: Double?
    package var low: Double?
    package var close: Double?
    package var volume: Double?

    /// The day of the US session that a time belongs to, as in `date`. Sessions with their extended hours are from 04:00
    /// to 20:00 in New York; five hours earlier each is on one day in UTC, in summer and in winter.
    /// - Parameter time: seconds since 1970 UTC.
    package static func sessionDate(at time: Double) -> String { String(RFC3339.text(time - 5 * 3600).prefix(10)) }

    /// From the open to this price, absolute and in percent (none of an open of 0). `nil` where either is not known.
    package func change(to price: Double?) -> (absolute: Double, percent: Double?)? {
        guard let open, let price, open.isFinite, price.isFinite else { return nil }
        let change = price - open
        return (change, open == 0 ? nil : change / open * 100)
    }
}
