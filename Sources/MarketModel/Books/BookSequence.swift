/// What the numbers of a venue's changes mean.
public enum BookNumbering: Sendable, Equatable {
    /// There are none: a missing change cannot be seen by them.
    case none
    /// A change stands for a span of numbers, and begins with the one after the last: Binance spot, `U` and `u`. With the
    /// number before it, as Binance's futures have it in `pu`, that decides instead.
    case spans
    /// A change names the one before it: OKX, `prevSeqId` and `seqId`. Numbers may go back, when the venue begins again.
    case links
    /// Each one is the last plus one: Bybit, `u`.
    case steps
    /// They grow, by any amount: a time. What is not newer than the snapshot is in it already.
    case times
}

/// The numbers of one change.
public struct BookNumbers: Sendable, Equatable {
    /// The first of its span; the same as `last` where there is only one.
    public var first: UInt64
    public var last: UInt64
    /// The number of the change before it, where the venue names that.
    public var previous: UInt64?

    public init(first: UInt64, last: UInt64, previous: UInt64? = nil) {
        self.first = first
        self.last = last
        self.previous = previous
    }

    public init(_ number: UInt64, previous: UInt64? = nil) {
        self.init(first: number, last: number, previous: previous)
    }
}

/// Whether the changes of a book follow each other without a hole.
public struct BookSequence: Sendable {
    public enum Outcome: Sendable, Equatable {
        case next
        /// It is in the book already.
        case old
        /// At least one change between the last one and this one did not come.
        case gap
    }

    public let numbering: BookNumbering
    /// The number up to which the book is complete.
    public private(set) var last: UInt64?
    /// The number of the snapshot, and whether no change came since.
    private var start: UInt64 = 0
    private var isAtSnapshot = true

    public init(_ numbering: BookNumbering) { self.numbering = numbering }

    /// Begins with a snapshot.
    public mutating func begin(at number: UInt64?) {
        last = number
        start = number ?? 0
        isAtSnapshot = true
    }

    /// Accepts the numbers of the next change; none where it has none, which is a gap where it should have.
    public mutating func accept(_ numbers: BookNumbers?) -> Outcome {
        guard numbering != .none else { return .next }
        guard let numbers, let last else { return .gap }
        let outcome = judge(numbers, last)
        if outcome == .next {
            self.last = numbering == .times ? max(last, numbers.last) : numbers.last
            isAtSnapshot = false
        }
        return outcome
    }

    private func judge(_ numbers: BookNumbers, _ last: UInt64) -> Outcome {
        switch numbering {
        case .none: return .next
        case .spans:
            if numbers.last <= last { return repeated(numbers, last) }
            if let previous = numbers.previous {
                return previous == last || isAtSnapshot && previous < last ? .next : .gap
            }
            // Sent again in part: sizes are absolute, and the last word counts.
            return numbers.first <= last + 1 ? .next : .gap
        case .links:
            if numbers.previous == last { return .next }
            return numbers.last <= last ? repeated(numbers, last) : .gap
        case .steps:
            if numbers.last <= last { return repeated(numbers, last) }
            return numbers.last == last + 1 ? .next : .gap
        // They come in their order, whatever their clock says; the snapshot of a moment has all of it.
        case .times: return numbers.last > start ? .next : .old
        }
    }

    /// A number that was there already. One that goes back, once changes have come, is of another numbering: what is between
    /// is not known.
    private func repeated(_ numbers: BookNumbers, _ last: UInt64) -> Outcome {
        isAtSnapshot || numbers.last == last ? .old : .gap
    }
}
