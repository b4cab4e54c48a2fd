public import HTTPTransport
public import MarketModel
public import StreamCore
import WebSocketTransport

/// A venue's own candles and its list of markets, over REST: page by page, no faster than the venue allows.
///
/// ```swift
/// let history = try VenueHistory(HistoryCatalogue.adapter(for: .coinbase)!)
/// let candles = try await history.candles(symbol: "BTC-USD", timeframe: .m1, from: yesterday, to: now)
/// ```
///
/// Requests of one instance go out one after another. A 429 or 503 pauses all of them for as long as `Retry-After` says.
/// A server's error and a lost connection are tried again, with growing pauses. Cancelling the task that waits ends the
/// waiting at once.
public struct VenueHistory: Sendable {
    /// How often a request is tried, and how long is waited.
    public struct RetryLimits: Sendable {
        /// Attempts of one request that failed for other reasons than its pace.
        public var attempts = 4
        /// Refusals for its pace.
        public var refusals = 6
        /// Seconds before the second attempt; each further one doubles them, with up to as much again by chance.
        public var firstPause = 1.0
        /// Seconds until an answer must be complete.
        public var timeout = 30.0
        /// Seconds that a venue may request to wait, longer than which is an error.
        public var maxWait = 3600.0
        /// Seconds after its end in which a candle is still held to be running: the venue's last trades may be on the way.
        public var settling = 2.0

        public init() {}
    }

    public let adapter: any HistoryAdapter
    /// Where requests go: the venue's endpoint, or a server that behaves like it.
    public let base: String
    private let transport: HTTPTransport
    private let headers: [String: String]
    private let limiter: RESTRateLimiter
    private let retryLimits: RetryLimits
    private let now: @Sendable () -> Double
    private let sleep: @Sendable (Double) async throws -> Void
    private let chance: @Sendable () -> Double
    /// Called with each pause that the venue requested, in seconds.
    public var onPause: @Sendable (Double) -> Void = { _ in }

    /// - Parameters:
    ///   - base: `http://` or `https://`, a host, perhaps a port and a path; `nil` for the venue's own.
    ///   - headers: sent with each request, credentials for example; nothing of them is in an error.
    ///   - pace: `nil` for the venue's own.
    ///   - clock: what is waited by.
    ///   - now: seconds since 1970 UTC.
    ///   - chance: 0 to 1, for the pauses between attempts.
    /// - Throws: `HistoryError` where the base is not an address.
    public init<C: Clock<Duration>>(
        _ adapter: any HistoryAdapter, base: String? = nil, transport: HTTPTransport = .network(),
        headers: [FeedHeader] = [], pace: RequestPacer.Configuration? = nil, retryLimits: RetryLimits = RetryLimits(),
        clock: C = ContinuousClock(),
        now: @escaping @Sendable () -> Double = systemTime,
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) throws(HistoryError) {
        self.adapter = adapter
        self.base = try VenueHistory.checked(base ?? adapter.endpoint)
        self.transport = transport
        // Coinbase refuses a client without a name.
        self.headers = headers.reduce(into: ["User-Agent": "candlewire", "Accept": "application/json"]) {
            $0[$1.name] = $1.value
        }
        self.retryLimits = retryLimits
        self.now = now
        self.chance = chance
        limiter = RESTRateLimiter(pace ?? adapter.pace, clock: clock, wallClock: now)
        sleep = { seconds in try await clock.sleep(for: .seconds(seconds)) }
    }

    private static func checked(_ text: String) throws(HistoryError) -> String {
        let base = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard RESTAddress.isBase(base) else {
            throw HistoryError(
                .invalidURL,
                "The address of the venue's REST interface must be http:// or https:// with a host, as "
                    + "https://api.exchange.coinbase.com, without a name, a query or a fragment.")
        }
        return base
    }

    /// The earliest candle that the venue still has; 0 where it has all.
    public func earliest(_ timeframe: Timeframe) -> Double { adapter.earliest(timeframe, now: now()) }

    /// The end of the newest candle that is finished, seconds since 1970 UTC.
    public func finished(_ timeframe: Timeframe) -> Double { timeframe.bucketStart(of: now() - retryLimits.settling) }

    /// The finished candles whose start lies in `from..<to`, ascending, each once; where nothing traded, there is none,
    /// or one without volume, as the venue has it.
    ///
    /// What is older than the venue has, is left out: see `earliest(_:)`.
    /// - Throws: `HistoryError`, `CancellationError`.
    public func candles(symbol: String, timeframe: Timeframe, from: Double, to: Double) async throws -> [Candle] {
        try await stretch(symbol: symbol, timeframe: timeframe, from: from, to: to).candles.map(\.candle)
    }

    /// The same with what the venue says of each, and of which time it says anything: all pages as one, without `next`.
    public func stretch(symbol: String, timeframe: Timeframe, from: Double, to: Double) async throws -> HistoryPage {
        var all = try await page(symbol: symbol, timeframe: timeframe, from: max(from, earliest(timeframe)), to: to)
        while let start = all.next {
            let page = try await page(symbol: symbol, timeframe: timeframe, from: start, to: to)
            all.append(page)
        }
        return all
    }

    /// The first page of the finished candles whose start lies in `from..<to`.
    public func page(symbol: String, timeframe: Timeframe, from: Double, to: Double) async throws -> HistoryPage {
        guard adapter.timeframes.contains(timeframe) else {
            throw HistoryError(
                .usage,
                "\(adapter.name) has no \(timeframe.rawValue) candles; it has \(adapter.timeframeNames).")
        }
        let first = timeframe.bucketStart(of: from)
        let start = first < from ? timeframe.bucketEnd(ofBucketAt: first) : first
        let end = min(to, finished(timeframe))
        guard start < end else { return HistoryPage(nothingAt: start) }
        var stop = start
        for _ in 0..<adapter.rowsPerPage where stop < end { stop = timeframe.bucketEnd(ofBucketAt: stop) }
        if adapter.newestOnly != nil { stop = max(stop, end) }
        let request = adapter.request(symbol: symbol, timeframe: timeframe, from: start, to: stop)
        let answer = try await get(request)
        let rows = try await adapter.candles(from: answer.body) + rest(of: answer, request)
        let known = min(
            stop, end, finished(timeframe, by: answer),
            rows.lazy.filter(\.isRunning).map(\.candle.timestamp).min() ?? .infinity)
        // Where the venue has the newest only, the oldest may have gone while the request waited for its turn.
        let begin = adapter.newestOnly == nil ? start : max(start, earliest(timeframe))
        return HistoryPage(
            rows, timeframe, covered: begin..<max(begin, known), omitsEmptyIntervals: adapter.omitsEmptyIntervals,
            next: known == stop && stop < end ? stop : nil)
    }

    /// Answers of one page that a venue may split it into: a list that leads back to itself must end.
    static let maxListPages = 200

    /// The rows that a venue has on pages of its own after this answer.
    private func rest(of answer: HTTPTransportAnswer, _ request: String) async throws -> [HistoryCandle] {
        var rows: [HistoryCandle] = []
        var body = answer.body
        for _ in 0..<Self.maxListPages {
            guard let next = adapter.nextPage(after: request, in: body) else { return rows }
            body = try await get(next).body
            rows += try adapter.candles(from: body)
        }
        throw HistoryError(.invalidResponse, "The answer of \(place) does not come to an end.")
    }

    /// The end of the newest candle that is finished by the venue's own clock: ours may be ahead of it.
    private func finished(_ timeframe: Timeframe, by answer: HTTPTransportAnswer) -> Double {
        guard let date = answer.headers["date"], let time = RetryAfter.seconds(date, wallClock: 0), time > 0 else {
            return .infinity
        }
        // The header is in whole seconds.
        return timeframe.bucketStart(of: max(0, time + 1 - retryLimits.settling))
    }

    /// The venue's markets, in alphabetical order.
    public func symbols() async throws -> [VenueSymbol] {
        guard let request = adapter.directoryRequest else {
            throw HistoryError(.usage, "No list of markets is known of \(adapter.venue.rawValue).")
        }
        return try adapter.symbols(from: try await get(request).body).sorted { $0.symbol < $1.symbol }
    }

    /// Bytes of an answer: a venue's list of markets has some megabytes.
    private static let maximumBody = 64 << 20

    func get(_ request: String) async throws -> HTTPTransportAnswer {
        var failures = 0
        var refusals = 0
        return try await HTTPTransport.retrying(sleep: sleep) { _ in
            // A request that is made during a long pause does not wait for its end either.
            try await checkWait(nil)
            try await limiter.acquire()
            let problem: HistoryError
            do {
                let answer = try await transport.send(
                    HTTPTransportRequest(
                        url: base + request, headers: headers, timeout: retryLimits.timeout,
                        maximumBody: Self.maximumBody))
                await limiter.answered(
                    status: answer.status, retryAfter: answer.headers["retry-after"], date: answer.headers["date"])
                switch answer.status {
                case 200..<300: return .done(answer)
                case 429, 503:
                    refusals += 1
                    // The limiter holds the next attempt back for as long as the venue requested.
                    if refusals < retryLimits.refusals {
                        onPause(try await checkWait(answer))
                        return .again(after: 0)
                    }
                    throw HistoryError(
                        .rateLimitExceeded,
                        "\(place) refused \(refusals) times in a row because of too many requests; try again later.",
                        status: answer.status)
                case 500...: problem = self.problem(answer)
                default: throw self.problem(answer)
                }
            } catch let error as HTTPTransportError { problem = try self.problem(error) }
            failures += 1
            guard failures < retryLimits.attempts else { throw problem }
            // From one to two times the pause.
            let pauses = Backoff.Configuration(first: 2 * retryLimits.firstPause, cap: .infinity, jitter: 0.5)
            return .again(after: pauses.wait(before: min(failures, 11), random: chance()))
        }
    }

    /// - Parameter answer: the refusal, where it just came.
    /// - Returns: seconds until the next request goes out.
    @discardableResult private func checkWait(_ answer: HTTPTransportAnswer?) async throws -> Double {
        let delay = await limiter.delay
        guard delay > retryLimits.maxWait else { return delay }
        let said = answer.flatMap { adapter.errorMessage(in: $0.body) }.map { ": “\($0)”" } ?? ""
        throw HistoryError(
            .rateLimitExceeded,
            "\(place) asks for a pause of \(Int(min(delay, 1e9).rounded(.up))) s\(said); try again after that.",
            status: answer?.status)
    }

    private var place: String { "\(adapter.name) (\(base))" }

    private func problem(_ answer: HTTPTransportAnswer) -> HistoryError {
        let said = adapter.errorMessage(in: answer.body).map { ": “\($0)”" } ?? ""
        // 418 is Binance's ban of those who do not heed a 429. 403 is said by the guards in front of venues, of the
        // client; 408 and 425 of the moment.
        if answer.status == 418 || answer.status == 429 {
            let until = answer.headers["retry-after"].map { " for \($0) s" } ?? ""
            return HistoryError(
                .rateLimitExceeded, "\(place) accepts no requests from here\(until)\(said).", status: answer.status)
        }
        let isPassing = answer.status >= 500 || [403, 408, 425].contains(answer.status)
        let kind: HistoryError.Kind = isPassing ? .unreachable : .refused
        return HistoryError(kind, "\(place) answered with HTTP status \(answer.status)\(said).", status: answer.status)
    }

    private func problem(_ error: HTTPTransportError) throws -> HistoryError {
        switch error {
        case .cancelled: throw CancellationError()
        case .badURL: HistoryError(.invalidURL, "\(place) is not a URL.")
        case .notConnected(let reason): HistoryError(.unreachable, "\(place) cannot be reached: \(reason).")
        case .lost: HistoryError(.unreachable, "The connection to \(place) broke.")
        case .timedOut: HistoryError(.unreachable, "\(place) did not answer within \(Int(retryLimits.timeout)) s.")
        case .tooLarge: HistoryError(.invalidResponse, "The answer of \(place) is too large.")
        }
    }
}
