public import MarketModel

/// How long candles are kept, by timeframe: those without an entry for ever.
///
/// ```swift
/// let retention = try CandleRetention("1s:7d,1m:90d")
/// ```
public struct CandleRetention: Sendable, Equatable {
    /// Seconds by timeframe.
    public var ages: [Timeframe: Double] = [:]

    public static let keepAll = CandleRetention()

    /// The shortest that is allowed: the figures of the past 24 hours need it.
    public static let shortest = 86_400.0

    public init() {}

    /// Reads `TIMEFRAME:AGE,...`; an age is a number with `d` (days), `w` (weeks) or `y` (years of 365 days).
    /// - Parameter option: as the user calls the text.
    /// - Throws: `StoreError` that names the part that is wrong and what is allowed.
    public init(_ text: String, of option: String = "retention") throws(StoreError) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: ":", omittingEmptySubsequences: false)
            guard words.count == 2, let timeframe = Timeframe(rawValue: String(words[0])) else {
                throw Self.wrong(
                    option, part,
                    "is not TIMEFRAME:AGE with a timeframe of "
                        + Timeframe.allCases.map(\.rawValue).joined(separator: ", "))
            }
            guard let age = Self.seconds(words[1]), (Self.shortest...1e11).contains(age) else {
                throw Self.wrong(option, part, "has no age of 1d or more, such as 7d, 12w or 2y")
            }
            guard ages.updateValue(age, forKey: timeframe) == nil else {
                throw Self.wrong(option, part, "is the second age of that timeframe")
            }
        }
    }

    private static func seconds(_ text: Substring) -> Double? {
        let units: [Character: Double] = ["d": 86_400, "w": 604_800, "y": 31_536_000]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()), count > 0 else {
            return nil
        }
        return Double(count) * unit
    }

    private static func wrong(_ option: String, _ part: Substring, _ what: String) -> StoreError {
        StoreError(.other, "The \(option) \"\(part)\" \(what).")
    }

    /// Which candles of a timeframe may go: those that start before the returned time.
    ///
    /// A clock that is wrong must not decide: what is kept is counted from the newest candle or from the clock, whichever is
    /// earlier, and nothing goes where the two differ by more than the retention itself.
    /// - Parameters:
    ///   - now: the clock, seconds since 1970 UTC.
    ///   - newest: the start of the newest candle of the store, of whatever series.
    /// - Returns: `nil`: all stay.
    func limit(_ timeframe: Timeframe, now: Double, newest: Double) -> Double? {
        guard let age = ages[timeframe], abs(now - newest) <= age else { return nil }
        return min(now, newest) - age
    }
}

/// What a deletion of old candles did, or would do.
public struct PruneReport: Sendable, Equatable {
    /// Candles by timeframe.
    public var candles: [Timeframe: Int] = [:]
    /// Timeframes of which nothing was deleted because the clock differs from the newest candle by more than their age.
    public var doubtful: [Timeframe] = []
    /// The start of the newest candle, seconds since 1970 UTC; `nil`: there is none.
    public var newest: Double?
    /// The database file before and after. Without a deletion `after` is a guess by the mean size of a candle.
    public var fileBytes = (before: 0, after: 0)
    /// Bytes inside the file that later candles use again.
    public var reusableBytes = 0

    public var count: Int { candles.values.reduce(0, +) }

    public static func == (one: Self, other: Self) -> Bool {
        one.candles == other.candles && one.doubtful == other.doubtful && one.newest == other.newest
            && one.fileBytes == other.fileBytes && one.reusableBytes == other.reusableBytes
    }
}
