package import HTTPTransport
import MarketModel
import StreamCore

/// Intrinio's companies and reference prices over REST.
///
/// ```swift
/// let reference = try IntrinioReference(credentials: .password(user: user, password: password))
/// let apple = try await reference.companies(matching: "apple")     // ticker AAPL, ...
/// let day = try await reference.prices(of: "AAPL").first           // open, high, low, close, volume
/// ```
///
/// Requests are paced and tried again as those of `VenueHistory` are. Throws `HistoryError`, `CancellationError`.
package struct IntrinioReference: Sendable {
    package static let endpoint = "https://api.intrinio.com"

    private let client: VenueHistory

    /// - Parameters:
    ///   - base: `http://` or `https://` and a host; `nil` for the venue's own.
    package init(
        credentials: FeedCredentials, base: String? = nil, transport: HTTPTransport = .network(),
        retryLimits: VenueHistory.RetryLimits = VenueHistory.RetryLimits()
    ) throws(HistoryError) {
        client = try VenueHistory(
            IntrinioHistory(), base: base ?? Self.endpoint, transport: transport,
            headers: IntrinioAccess.restHeaders(credentials), retryLimits: retryLimits)
    }

    /// The companies whose name or ticker matches, in the venue's order.
    package func companies(matching text: String) async throws -> [Company] {
        try Self.companies(from: try await client.get("/companies?query=\(percentEncoded(text))").body)
    }

    /// The prices of a ticker, newest first where the venue has several days.
    package func prices(of ticker: String) async throws -> [ReferencePrice] {
        try Self.prices(from: try await client.get("/prices?identifier=\(percentEncoded(ticker))").body)
    }

    /// One entry of the search. What the venue leaves out is empty.
    package struct Company: Sendable, Equatable {
        package var name: String
        package var ticker: String
        /// The number at the US supervisory authority, with its leading zeros.
        package var cik: String
    }

    static func companies(from body: [UInt8]) throws(HistoryError) -> [Company] {
        try RESTBody.rows(.init("data", as: "list of companies"), in: body, of: "intrinio") { scanner in
            var company = Company(name: "", ticker: "", cik: "")
            try scanner.eachField { key, scanner in
                if try scanner.skipNull() { return }
                switch key {
                case "name": company.name = RESTBody.quoted(try scanner.anyText())
                case "ticker": company.ticker = RESTBody.quoted(try scanner.anyText())
                case "cik": company.cik = RESTBody.quoted(try scanner.anyText())
                default: try scanner.skipValue()
                }
            }
            // Without a ticker there is nothing to subscribe to.
            return company.ticker.isEmpty ? nil : company
        }
    }

    static func prices(from body: [UInt8]) throws(HistoryError) -> [ReferencePrice] {
        try RESTBody.rows(.init("data", as: "list of prices"), in: body, of: "intrinio") { scanner in
            var date = ""
            var bar = CandleFields()
            try scanner.eachField { key, scanner in
                if try scanner.skipNull() { return }
                if key.equals("date") {
                    date = RESTBody.quoted(try scanner.anyText())
                } else {
                    try bar.read(key, &scanner, start: "")
                }
            }
            return ReferencePrice(
                date: date, open: bar.open, high: bar.high, low: bar.low, close: bar.close, volume: bar.volume)
        }
    }
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
