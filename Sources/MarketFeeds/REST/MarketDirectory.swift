package import HTTPTransport
import MarketModel
import StreamCore

/// A market as a venue lists it.
package struct MarketListing: Sendable, Equatable {
    /// The name that its stream accepts.
    package var symbol: String
    /// As people call it: a company's name; `nil` where the venue has none.
    package var title: String?
    /// What it is priced in; empty where the venue does not say.
    package var quote: String
    /// Decimals of its prices, where the venue says so.
    package var precision: Int?

    package init(symbol: String, title: String? = nil, quote: String = "", precision: Int? = nil) {
        self.symbol = symbol
        self.title = title
        self.quote = quote
        self.precision = precision
    }
}

/// Searches the markets that a venue lists: in its list of all markets, kept for ten minutes, or by the venue's own
/// search.
///
/// Requests go out one after another, no faster than the venue allows, and at most ``maxWaiting`` wait for their turn.
/// Throws `HistoryError`, `CancellationError`.
package actor MarketDirectory {
    /// Searches at the same time.
    package static let maxWaiting = 8
    /// Seconds for which an answer is used again, and how many answers of a venue's search are kept.
    static let freshness = 600.0
    static let maxCachedAnswers = 64

    private enum Source: Sendable {
        case list(VenueHistory)
        case search(any MarketReference)
    }

    private struct Answer {
        var time: Double
        var listings: [MarketListing]
    }

    private let source: Source
    private let title: String
    private let now: @Sendable () -> Double
    /// By the text of the search; of a list, all of it.
    private var answers: [String: Answer] = [:]
    private var waiting = 0

    /// - Parameters:
    ///   - url: of the stream, instead of the venue's own address; its REST interface is on the same host.
    ///   - now: seconds since 1970 UTC.
    /// - Returns: `nil` where the venue has no list, or its search needs credentials that are not there.
    /// - Throws: `HistoryError` where the address is none.
    package init?(
        _ adapter: any FeedAdapter, url: String?, credentials: FeedCredentials?,
        transport: HTTPTransport = .network(), now: @escaping @Sendable () -> Double = systemTime
    ) throws(HistoryError) {
        let base = url.map(FeedAddress.rest)
        // A person waits for the answer.
        var limits = VenueHistory.RetryLimits()
        (limits.attempts, limits.refusals, limits.timeout, limits.maxWait) = (2, 2, 10, 10)
        if let adapter = adapter as? any ReferenceAdapter {
            guard let credentials else { return nil }
            source = .search(
                try adapter.reference(
                    credentials: credentials, base: base, transport: transport, retryLimits: limits))
        } else if let rest = adapter.history, rest.directoryRequest != nil {
            let headers = adapter.historyHeaders + (credentials.map(rest.headers) ?? [])
            source = .list(
                try VenueHistory(rest, base: base, transport: transport, headers: headers, retryLimits: limits))
        } else {
            return nil
        }
        title = adapter.title
        self.now = now
    }

    /// The markets whose symbol, currencies or name hold the text, in any case: the symbol itself first, then those that
    /// begin with it, then the others as the venue has them.
    package func search(_ text: String, limit: Int) async throws -> [MarketListing] {
        let wanted = text.lowercased()
        var found = try await listings(for: text)
        if case .list = source {
            found = found.filter { $0.symbol.lowercased().contains(wanted) || $0.letters.contains(wanted.letters) }
        }
        func rank(_ listing: MarketListing) -> Int {
            let symbol = listing.symbol.lowercased()
            return symbol == wanted ? 0 : symbol.hasPrefix(wanted) ? 1 : 2
        }
        let ranked = found.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
        return ranked.prefix(limit).map(\.element)
    }

    /// The market of exactly this symbol; `nil` where the venue does not list it.
    package func listing(of symbol: String) async throws -> MarketListing? {
        try await listings(for: symbol).first { $0.symbol == symbol }
    }

    private func listings(for text: String) async throws -> [MarketListing] {
        let key = if case .search = source { text.lowercased() } else { "" }
        if let known = answers[key], now() - known.time < Self.freshness { return known.listings }
        guard waiting < Self.maxWaiting else {
            throw HistoryError(
                .rateLimitExceeded, "\(title) is being searched \(waiting) times already; try again in a moment.")
        }
        waiting += 1
        defer { waiting -= 1 }
        let listings: [MarketListing]
        switch source {
        case .list(let history):
            listings = try await history.symbols().map {
                MarketListing(symbol: $0.symbol, quote: $0.quote, precision: $0.precision)
            }
        case .search(let reference):
            listings = try await reference.companies(matching: text).map {
                MarketListing(symbol: $0.ticker, title: $0.name.isEmpty ? nil : $0.name)
            }
        }
        if answers.count >= Self.maxCachedAnswers, let oldest = answers.min(by: { $0.value.time < $1.value.time })?.key
        {
            answers[oldest] = nil
        }
        answers[key] = Answer(time: now(), listings: listings)
        return listings
    }
}

extension MarketListing {
    fileprivate var letters: String { symbol.lowercased().letters }
}

extension String {
    /// Letters and digits only: `btcusd` finds `BTC/USD`.
    fileprivate var letters: String { filter { $0.isLetter || $0.isNumber } }
}
