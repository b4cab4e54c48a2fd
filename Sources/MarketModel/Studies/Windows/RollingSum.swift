/// The sum of the last n values.
struct RollingSum: Sendable {
    private var window: BlockWindow
    private var beginning = 0.0

    init(_ length: Int, _ plan: inout ScratchPlan) { window = BlockWindow(length, width: 1, &plan) }

    var length: Int { window.length }

    /// The sum of the values of the last n rows up to `at`; NaN while there are fewer, or where one of them is NaN.
    @inline(__always) mutating func step(_ at: Int, _ tape: StudyTape, _ value: (Int) -> Double) -> Double {
        beginning = window.begin() ? value(at) : beginning + value(at)
        let parts = window.parts(at, tape) { rows, block, numbers in
            var sum = 0.0
            for row in rows.reversed() {
                sum += value(row)
                tape.scratch[numbers + row - block] = sum
            }
        }
        switch parts {
        case .incomplete: return .nan
        case .block: return beginning
        case .both(let end, let older): return tape.scratch[end + window.length - older] + beginning
        }
    }
}

/// The sum of the last n values, the newest counted n times, the one before n - 1 times, the oldest once.
struct RollingWeightedSum: Sendable {
    private var window: BlockWindow
    private var sum = 0.0
    private var weighted = 0.0

    init(_ length: Int, _ plan: inout ScratchPlan) { window = BlockWindow(length, width: 1, &plan) }

    var length: Int { window.length }

    /// The weighted sum of the values of the last n rows up to `at`; NaN while there are fewer.
    @inline(__always) mutating func step(_ at: Int, _ tape: StudyTape, _ value: (Int) -> Double) -> Double {
        if window.begin() { (sum, weighted) = (0, 0) }
        sum += value(at)
        weighted += Double(window.filled) * value(at)
        let parts = window.parts(at, tape) { rows, block, numbers in
            // One value more at the front makes each of the others count once more.
            var (sum, weighted) = (0.0, 0.0)
            for row in rows.reversed() {
                sum += value(row)
                weighted += sum
                tape.scratch[numbers + row - block] = weighted
            }
        }
        switch parts {
        case .incomplete: return .nan
        case .block: return weighted
        case .both(let end, let older):
            // The values of the current block come after `older` others.
            return tape.scratch[end + window.length - older] + (weighted + Double(older) * sum)
        }
    }
}
