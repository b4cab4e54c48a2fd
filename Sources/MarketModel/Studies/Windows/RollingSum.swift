/// The sum of the last n values.
struct RollingSum: Sendable {
    private var window: BlockWindow
    private var beginning = 0.0

    init(_ length: Int, _ plan: inout ScratchPlan) {
        window = BlockWindow(length, width: 1, &plan)
    }

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
