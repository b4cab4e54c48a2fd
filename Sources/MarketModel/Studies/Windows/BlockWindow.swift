/// Where a sliding window stands in its blocks.
///
/// A window of n values slides over blocks of n values: it is the end of one block and the beginning of the next. The
/// beginning is summed up while its values come in; the ends of the last block, one for each length, are summed up at
/// once when the block is complete. Joining the two gives the window in O(1) without ever subtracting a value again, so
/// there is no drift however long it runs, and a hostile value is forgotten when it leaves. ("Two stacks", as for
/// queues with minimum; for extremes also known as van Herk and Gil-Werman, Pattern Recognition Letters 13, 1992.)
///
/// Blocks are counted from the study's first bar, so that the roundings are the same wherever a computation began.
struct BlockWindow: Sendable {
    let length: Int
    private let tag: Int
    private let values: Int
    /// How many values the current block has.
    private(set) var filled = 0

    /// - Parameter width: numbers to keep for each end of a block.
    init(_ length: Int, width: Int, _ plan: inout ScratchPlan) {
        self.length = max(1, length)
        (tag, values) = plan.window(ofValues: self.length * width)
        plan.reads(self.length)
    }

    /// Counts one value; true where it begins a block.
    @inline(__always) mutating func begin() -> Bool {
        if filled == length { filled = 0 }
        filled += 1
        return filled == 1
    }

    /// What there is to join.
    enum Parts {
        /// Fewer than `length` values have come.
        case incomplete
        /// The current block is the window.
        case block
        /// The current block and the end of the last one, whose numbers begin here, `older` values long. The
        /// numbers of an end lie `width` times its beginning's place in the block.
        case both(end: Int, older: Int)
    }

    /// What the window that ends at row `at` is made of. `sum` fills in the ends of a block, whose last row and whose
    /// oldest row that is there it is given, and the place where the block's numbers begin.
    @inline(__always) func parts(
        _ at: Int, _ tape: StudyTape, sum: (_ rows: ClosedRange<Int>, _ block: Int, _ numbers: Int) -> Void
    ) -> Parts {
        guard tape.age(at) >= length - 1 else { return .incomplete }
        guard filled < length else { return .block }
        let next = at - filled + 1
        let owner = Double(tape.age(next))
        if tape.scratch[tag] != owner {
            // A window never needs more than the rows that are there.
            sum(max(next - length, 0)...(next - 1), next - length, values)
            tape.scratch[tag] = owner
        }
        return .both(end: values, older: length - filled)
    }
}
