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
    private var counts: (Int, Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0, 0)

    public init() {}

    public subscript(reason: TickRejection) -> Int {
        get {
            switch reason {
            case .notFinite: counts.0
            case .price: counts.1
            case .volume: counts.2
            case .timestamp: counts.3
            case .tooOld: counts.4
            case .tooFarAhead: counts.5
            case .late: counts.6
            case .deviation: counts.7
            }
        }
        set {
            switch reason {
            case .notFinite: counts.0 = newValue
            case .price: counts.1 = newValue
            case .volume: counts.2 = newValue
            case .timestamp: counts.3 = newValue
            case .tooOld: counts.4 = newValue
            case .tooFarAhead: counts.5 = newValue
            case .late: counts.6 = newValue
            case .deviation: counts.7 = newValue
            }
        }
    }

    public var total: Int {
        counts.0 + counts.1 + counts.2 + counts.3 + counts.4 + counts.5 + counts.6 + counts.7
    }

    public mutating func add(_ more: RejectionCounts) {
        for reason in TickRejection.allCases { self[reason] += more[reason] }
    }

    public static func == (a: RejectionCounts, b: RejectionCounts) -> Bool {
        TickRejection.allCases.allSatisfy { a[$0] == b[$0] }
    }
}
