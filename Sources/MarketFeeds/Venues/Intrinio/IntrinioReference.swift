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
package struct IntrinioReference: MarketReference {
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

    package func companies(matching text: String) async throws -> [ListedCompany] {
        try Self.companies(from: try await client.get("/companies?query=\(percentEncoded(text))").body)
    }

    package func prices(of ticker: String) async throws -> [ReferencePrice] {
        try Self.prices(from: try await client.get("/prices?identifier=\(percentEncoded(ticker))").body)
    }

    static func companies(from body: [UInt8]) throws(HistoryError) -> [ListedCompany] {
        try RESTBody.rows(.init("data", as: "list of companies"), in: body, of: "intrinio") { scanner in
            var company = ListedCompany()
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

extension IntrinioFeed {
    func reference(
        credentials: FeedCredentials, base: String?, transport: HTTPTransport, retryLimits: VenueHistory.RetryLimits
    ) throws(HistoryError) -> any MarketReference {
        try IntrinioReference(credentials: credentials, base: base, transport: transport, retryLimits: retryLimits)
    }
}
