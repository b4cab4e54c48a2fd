/// Why a tick was not used. Each reason has its own counter.
public enum TickRejection: UInt8, Sendable, Hashable, CaseIterable {
    /// A number is NaN or infinite.
    case notFinite
    /// The price is zero, negative or beyond 1e18.
    case price
    /// The volume is negative or beyond 1e18.
    case volume
    /// The timestamp is zero, negative, or beyond the year 5138, as milliseconds taken for seconds would be.
    case timestamp
    /// Older than the validator's `maxAge`.
    case tooOld
    /// Further ahead of the clock than the validator's `maxAhead`.
    case tooFarAhead
    /// Behind the newest tick by more than the aggregator's lateness window.
    case late
    /// Too far from the market's price, where there is a deviation filter.
    case deviation

    /// The name in health reports and logs.
    public var name: StaticString {
        switch self {
        case .notFinite: "not_finite"
        case .price: "price"
        case .volume: "volume"
        case .timestamp: "timestamp"
        case .tooOld: "too_old"
        case .tooFarAhead: "too_far_ahead"
        case .late: "late"
        case .deviation: "deviation"
        }
    }
}

/// How many ticks were rejected, reason by reason.
public struct RejectionCounts: Sendable, Equatable {
    private var counts = [0, 0, 0, 0, 0, 0, 0, 0]

    public init() {}

    public subscript(reason: TickRejection) -> Int {
        get { counts[Int(reason.rawValue)] }
        set { counts[Int(reason.rawValue)] = newValue }
    }

    public var total: Int { counts.reduce(0, +) }

    public mutating func add(_ more: RejectionCounts) {
        for reason in TickRejection.allCases { self[reason] += more[reason] }
    }
}
