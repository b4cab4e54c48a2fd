public import HTTPTransport
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
public struct IntrinioReference: Sendable {
    public static let endpoint = "https://api.intrinio.com"

    private let client: VenueHistory

    /// - Parameters:
    ///   - base: `http://` or `https://` and a host; `nil` for the venue's own.
    public init(
        credentials: FeedCredentials, base: String? = nil, transport: HTTPTransport = .network()
    ) throws(HistoryError) {
        client = try VenueHistory(
            IntrinioHistory(), base: base ?? Self.endpoint, transport: transport,
            headers: IntrinioAccess.restHeaders(credentials))
    }

    /// The companies whose name or ticker matches, in the venue's order.
    public func companies(matching text: String) async throws -> [Company] {
        try Self.companies(from: try await client.get("/companies?query=\(percentEncoded(text))").body)
    }

    /// The prices of a ticker, newest first where the venue has several days.
    public func prices(of ticker: String) async throws -> [ReferencePrice] {
        try Self.prices(from: try await client.get("/prices?identifier=\(percentEncoded(ticker))").body)
    }

    /// One entry of the search. What the venue leaves out is empty.
    public struct Company: Sendable, Equatable {
        public var name: String
        public var ticker: String
        /// The number at the US supervisory authority, with its leading zeros.
        public var cik: String

        public init(name: String, ticker: String, cik: String) {
            self.name = name
            self.ticker = ticker
            self.cik = cik
        }
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
            var price = ReferencePrice()
            try scanner.eachField { key, scanner in
                if try scanner.skipNull() { return }
                switch key {
                case "date": price.date = RESTBody.quoted(try scanner.anyText())
                case "open": price.open = try scanner.decimalString()
                case "high": price.high = try scanner.decimalString()
                case "low": price.low = try scanner.decimalString()
                case "close": price.close = try scanner.decimalString()
                case "volume": price.volume = try scanner.decimalString()
                default: try scanner.skipValue()
                }
            }
            return price
        }
    }
}

/// A day's prices as a venue's reference data has them; what it does not say is `nil`.
public struct ReferencePrice: Sendable, Equatable {
    /// `2024-08-08`, as the venue writes it; empty where it does not.
    public var date = ""
    public var open: Double?
    public var high: Double?
    public var low: Double?
    public var close: Double?
    public var volume: Double?

    public init(
        date: String = "", open: Double? = nil, high: Double? = nil, low: Double? = nil, close: Double? = nil,
        volume: Double? = nil
    ) {
        self.date = date
        self.open = open
        self.high = high
        self.low = low
        self.close = close
        self.volume = volume
    }

    /// From the open to this price, absolute and in percent. `nil` where either is not known; no percentage of an open
    /// of 0.
    public func change(to price: Double?) -> (absolute: Double, percent: Double?)? {
        guard let open, let price, open.isFinite, price.isFinite else { return nil }
        let change = price - open
        return (change, open == 0 ? nil : change / open * 100)
    }
}
