/// Where the highest high and the lowest low of the last n bars are.
struct RollingRange: Sendable {
    private var highest: RollingExtreme
    private var lowest: RollingExtreme

    init(_ length: Int, _ plan: inout ScratchPlan) {
        highest = RollingExtreme(sign: 1, length, &plan)
        lowest = RollingExtreme(sign: -1, length, &plan)
    }

    /// The rows of both, in the columns of the bars unless there are others; nil while there are fewer than n.
    @inline(__always) mutating func step(
        _ at: Int, _ tape: StudyTape, highs: UnsafeBufferPointer<Double>? = nil,
        lows: UnsafeBufferPointer<Double>? = nil
    ) -> (top: Int, bottom: Int)? {
        let top = highest.step(at, tape, highs ?? tape.highs)
        let bottom = lowest.step(at, tape, lows ?? tape.lows)
        guard let top, let bottom else { return nil }
        return (top, bottom)
    }
}

/// Where the highest or lowest of the last n values is; of equal ones the newest.
struct RollingExtreme: Sendable {
    private var window: BlockWindow
    /// 1 for the highest value; -1 for the lowest.
    private let sign: Double
    /// Age of the best row of the current block.
    private var best = 0

    init(sign: Double, _ length: Int, _ plan: inout ScratchPlan) {
        window = BlockWindow(length, width: 1, &plan)
        self.sign = sign
    }

    /// The row of the extreme of the last n rows of `column` up to `at`; nil while there are fewer. NaN is no extreme
    /// beside a number.
    @inline(__always) mutating func step(_ at: Int, _ tape: StudyTape, _ column: UnsafeBufferPointer<Double>) -> Int? {
        if window.begin() || isBetter(column[at], or: column[best - tape.base], equal: true) { best = tape.age(at) }
        let parts = window.parts(at, tape) { rows, block, numbers in
            var best = rows.upperBound
            for row in rows.reversed() {
                if isBetter(column[row], or: column[best], equal: false) { best = row }
                tape.scratch[numbers + row - block] = Double(tape.age(best))
            }
        }
        let own = best - tape.base
        switch parts {
        case .incomplete: return nil
        case .block: return own
        case .both(let end, let older):
            let other = Int(tape.scratch[end + window.length - older]) - tape.base
            return isBetter(column[other], or: column[own], equal: false) ? other : own
        }
    }

    @inline(__always) private func isBetter(_ a: Double, or b: Double, equal: Bool) -> Bool {
        a * sign > b * sign || (equal && a == b) || b.isNaN
    }
}
