/// The standard deviation of the last n values.
///
/// Parts of a window are a mean and a sum of squared distances from it, grown after Welford (Technometrics 4, 1962) and
/// joined after Chan, Golub and LeVeque (Updating Formulae, 1979): squares of prices, whose differences would lose all
/// digits of a small deviation, do not occur. Equal values have a deviation of exactly 0.
struct RollingDeviation: Sendable {
    private var window: BlockWindow
    private var beginning = Part()

    private struct Part: Sendable {
        var mean = 0.0
        var squares = 0.0

        /// Adds the `count`th value.
        @inline(__always) mutating func add(_ value: Double, count: Int) {
            let distance = value - mean
            mean += distance / Double(count)
            squares += distance * (value - mean)
        }
    }

    init(_ length: Int, _ plan: inout ScratchPlan) { window = BlockWindow(length, width: 2, &plan) }

    /// The deviation (of the values themselves: divided by n) of the last n rows up to `at`; NaN while there are fewer.
    @inline(__always) mutating func step(_ at: Int, _ tape: StudyTape, _ value: (Int) -> Double) -> Double {
        if window.begin() { beginning = Part() }
        beginning.add(value(at), count: window.filled)
        let parts = window.parts(at, tape) { rows, block, numbers in
            var part = Part()
            for row in rows.reversed() {
                part.add(value(row), count: rows.upperBound - row + 1)
                tape.scratch[numbers + 2 * (row - block)] = part.mean
                tape.scratch[numbers + 2 * (row - block) + 1] = part.squares
            }
        }
        let squares: Double
        switch parts {
        case .incomplete: return .nan
        case .block: squares = beginning.squares
        case .both(let end, let older):
            let place = end + 2 * (window.length - older)
            let distance = beginning.mean - tape.scratch[place]
            let (a, b) = (Double(older), Double(window.filled))
            squares = tape.scratch[place + 1] + beginning.squares + distance * distance * (a * b / (a + b))
        }
        return (squares / Double(window.length)).squareRoot()
    }
}
