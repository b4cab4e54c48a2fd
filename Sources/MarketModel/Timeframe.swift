/// The length of a candle. The raw value is the field's usual short name and the one on the wire.
///
/// Buckets are aligned to UTC: fixed lengths count from 1970-01-01, weeks start on Monday, months are calendar
/// months.
public enum Timeframe: String, CaseIterable, Sendable, Hashable {
    case s1 = "1s", s5 = "5s", s15 = "15s"
    case m1 = "1m", m3 = "3m", m5 = "5m", m15 = "15m", m30 = "30m"
    case h1 = "1h", h2 = "2h", h4 = "4h", h6 = "6h", h12 = "12h"
    case d1 = "1d", w1 = "1w", mo1 = "1M"

    /// The bucket's length in seconds; for `mo1` the nominal 30 days (real months come from `bucketEnd(after:)`).
    public var seconds: Double { Self.lengths[index] }

    /// Position in `allCases`, finest first. Stable: it is also the number on the WebAssembly boundary.
    public var index: Int {
        switch self {
        case .s1: 0
        case .s5: 1
        case .s15: 2
        case .m1: 3
        case .m3: 4
        case .m5: 5
        case .m15: 6
        case .m30: 7
        case .h1: 8
        case .h2: 9
        case .h4: 10
        case .h6: 11
        case .h12: 12
        case .d1: 13
        case .w1: 14
        case .mo1: 15
        }
    }

    /// What a menu shows.
    public var displayName: String { Self.names[index] }

    private static let lengths: [Double] = [
        1, 5, 15, 60, 180, 300, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400, 604_800, 2_592_000,
    ]
    private static let names = [
        "1 second", "5 seconds", "15 seconds", "1 minute", "3 minutes", "5 minutes", "15 minutes", "30 minutes",
        "1 hour", "2 hours", "4 hours", "6 hours", "12 hours", "1 day", "1 week", "1 month",
    ]

    /// The next longer timeframe; the longest is its own next.
    public var next: Timeframe { Timeframe.allCases[min(index + 1, Timeframe.mo1.index)] }

    /// The next shorter timeframe; the shortest is its own previous.
    public var previous: Timeframe { Timeframe.allCases[max(index - 1, 0)] }

    /// The start of the bucket that holds `timestamp`.
    ///
    /// Fixed lengths: `floor(timestamp / seconds) * seconds`. Weeks start Monday 00:00 UTC, months on their first.
    /// - Parameter timestamp: seconds since 1970 UTC, finite.
    public func bucketStart(of timestamp: Double) -> Double {
        switch self {
        case .w1:
            // 1970-01-01 was a Thursday: the Monday before it lies three days earlier.
            let monday = 3 * 86_400.0
            return ((timestamp + monday) / 604_800).rounded(.down) * 604_800 - monday
        case .mo1:
            return Double(CivilDate(timestamp: timestamp).firstOfMonth.daysSince1970) * 86_400
        default:
            return (timestamp / seconds).rounded(.down) * seconds
        }
    }

    /// The end (exclusive) of the bucket that starts at `start`, which is the next bucket's start.
    public func bucketEnd(ofBucketAt start: Double) -> Double {
        guard self == .mo1 else { return start + seconds }
        return Double(CivilDate(timestamp: start).firstOfNextMonth.daysSince1970) * 86_400
    }

    /// Whether every bucket of this timeframe is made of whole buckets of `finer`.
    public func isMadeOf(_ finer: Timeframe) -> Bool {
        if finer == self { return true }
        switch (self, finer) {
        case (_, .mo1), (.mo1, .w1): return false
        case (.mo1, _): return finer.index <= Timeframe.d1.index
        default:
            guard finer.index < index else { return false }
            return (seconds / finer.seconds).rounded(.down) * finer.seconds == seconds
        }
    }
}
