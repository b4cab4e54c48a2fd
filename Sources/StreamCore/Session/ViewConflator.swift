/// Between streams and one view: a maximum of updates a second, the latest of each kind wins, and nothing that
/// counts is lost.
///
/// A view that is redrawn 30 times a second has no use for 2,000 ticks in that second, and a task that computes for a
/// while must not find a queue without end when it returns. So what comes in between is merged: of each stream the
/// latest tick, the latest forming candle and the latest status wait. Final candles, corrections and answers are never
/// left out, and nothing overtakes an older message of its stream. Every update that was left out is counted, and
/// reported with the message that follows it.
///
/// ```
///   offer ──> waiting: final 7, tick 9, forming 10 ──> drain, at `deadline`
///                      (ticks 5, 6, 8 merged: reported as 3 skipped)
/// ```
///
/// The invariant: offered + noted = delivered + reported as skipped + waiting (+ statuses replaced, which are no
/// updates).
/// - Complexity: O(1) amortised an element.
public struct ViewConflator<Element> {
    public enum Kind: Sendable, Hashable {
        /// Replaced by the next tick of its stream.
        case tick
        /// A candle that may still change: replaced by the next one of its stream.
        case forming
        /// How a stream is doing (stale or fresh): replaced by the next one of its stream, without being counted.
        case status
        /// A final candle, a correction, an answer: always delivered, in its place.
        case ordered
        /// Always delivered, in its place. It contains the ticks and forming candles of its stream that wait before it.
        case snapshot
    }

    public enum Verdict: Sendable, Equatable {
        case fine
        /// What must not be left out exceeds `limit`: call `giveUp` and deliver one snapshot instead.
        case overflow
    }

    private struct Entry {
        var element: Element
        var kind: Kind
        var stream: Int
        /// Updates of the stream that were left out right before this one.
        var skipped: Int
    }

    /// Seconds between two deliveries; 0: no limit.
    public let interval: Double
    /// How many elements may wait before any is merged.
    public let keeping: Int
    /// The most that may wait of what is never left out, in the units of `offer`'s weight.
    public let limit: Int
    /// Elements delivered, over the view's life.
    public private(set) var delivered = 0
    /// Updates left out and reported, here or before they came here, over the view's life.
    public private(set) var skippedTotal = 0

    private var entries: [Entry] = []
    private var heldWeight = 0
    private var mergesAt: Int
    private var nextAt = -Double.infinity
    /// Left out, and no message of the stream came since that could report it.
    private var unreported: [Int: Int] = [:]
    /// While merging, of each stream: the latest element that stays, and the bits of the kinds that are replaced.
    private var heirs: [Int: (index: Int, replaced: UInt8)] = [:]

    /// - Parameters:
    ///   - maxRate: deliveries a second; nil: no limit.
    ///   - keeping: how many elements may wait unmerged, for a reader that needs all and is sometimes late.
    ///   - limit: of what is never left out; a snapshot of 1,000 candles should weigh 1,000.
    public init(maxRate: Double? = 30, keeping: Int = 0, limit: Int = 4096) {
        interval = maxRate.map { $0 > 0 ? 1 / $0 : 0 } ?? 0
        self.keeping = max(0, keeping)
        self.limit = max(1, limit)
        mergesAt = max(self.keeping, Self.slack)
    }

    /// Merging walks over everything that waits, so it waits for this many.
    private static var slack: Int { 64 }

    /// Elements that wait; in a view without `keeping` those that the next `drain` will merge are among them.
    public var waiting: Int { entries.count }

    /// When `drain` should be called; nil where nothing waits, in the past where it may be called at once.
    public var deadline: Double? { entries.isEmpty ? nil : nextAt }

    /// Accepts one element.
    /// - Parameters:
    ///   - stream: any number that distinguishes the streams of the view.
    ///   - weight: what an element that is never left out counts towards `limit`.
    public mutating func offer(_ element: Element, kind: Kind, stream: Int = 0, weight: Int = 1) -> Verdict {
        let skipped = unreported.isEmpty ? 0 : unreported.removeValue(forKey: stream) ?? 0
        entries.append(Entry(element: element, kind: kind, stream: stream, skipped: skipped))
        if kind == .ordered || kind == .snapshot { heldWeight += max(1, weight) }
        if entries.count > mergesAt {
            merge()
            mergesAt = max(keeping, entries.count + Self.slack)
        }
        // One that is alone waits, however big it is: a snapshot instead of a snapshot would not help.
        return heldWeight > limit && entries.count > 1 ? .overflow : .fine
    }

    /// Notes updates that were left out before they came here; they are reported with the stream's next message.
    public mutating func noteSkipped(_ count: Int, stream: Int = 0) {
        guard count > 0 else { return }
        unreported[stream, default: 0] += count
    }

    /// Hands out everything that waits, in order, if the time has come.
    /// - Parameter deliver: gets the element, its stream, and how many of the stream's updates were left out before.
    /// - Returns: whether anything was delivered.
    @discardableResult public mutating func drain(
        now: Double, _ deliver: (_ element: Element, _ stream: Int, _ skipped: Int) -> Void
    ) -> Bool {
        guard !entries.isEmpty, now >= nextAt else { return false }
        if keeping == 0 { merge() }
        for entry in entries {
            delivered += 1
            skippedTotal += entry.skipped
            deliver(entry.element, entry.stream, entry.skipped)
        }
        clear()
        nextAt = now + interval
        return true
    }

    /// Drops everything that waits. All of it counts as left out, to be reported with each stream's next message.
    public mutating func giveUp() {
        for entry in entries {
            let count = entry.skipped + (entry.kind == .status ? 0 : 1)
            if count > 0 { unreported[entry.stream, default: 0] += count }
        }
        clear()
    }

    private mutating func clear() {
        entries.removeAll(keepingCapacity: entries.count <= max(keeping, Self.slack))
        heldWeight = 0
        mergesAt = max(keeping, Self.slack)
    }

    /// Leaves out what a later element of the same stream replaces. From the newest to the oldest, so that what
    /// comes first stays; what is left out adds to the count of the next one of its stream that stays.
    private mutating func merge() {
        heirs.removeAll(keepingCapacity: true)
        var kept = entries.count
        for index in entries.indices.reversed() {
            let entry = entries[index]
            let heir = heirs[entry.stream]
            if let heir, heir.replaced & entry.kind.bit != 0 {
                entries[heir.index].skipped += entry.skipped + (entry.kind == .status ? 0 : 1)
            } else {
                kept -= 1
                entries.swapAt(kept, index)
                heirs[entry.stream] = (kept, (heir?.replaced ?? 0) | entry.kind.replaces)
            }
        }
        entries.removeFirst(kept)
    }
}

extension ViewConflator.Kind {
    /// The bit under which an element is known to be replaced; 0 where it never is.
    fileprivate var bit: UInt8 {
        switch self {
        case .tick: 1
        case .forming: 2
        case .status: 4
        case .ordered, .snapshot: 0
        }
    }

    /// The bits of what this element replaces where it lies before it.
    fileprivate var replaces: UInt8 { self == .snapshot ? 1 | 2 : bit }
}
