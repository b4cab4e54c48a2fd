/// A change of price as the legend shows it, in hundredths of a percent. Its sign is that of the figure: what reads
/// 0.00% neither rose nor fell.
struct PercentChange {
    enum Sign { case up, down, none }

    /// 0.01 for a percent; not finite where the change is from 0.
    let fraction: Double
    let sign: Sign

    init(from: Double, to: Double) {
        fraction = (to - from) / from
        // The same rounding as that of the digits.
        let shows = fraction.isFinite && (fraction * 100).magnitude * 100 + 0.5 >= 1
        sign = shows ? (fraction > 0 ? .up : .down) : .none
    }
}

extension TextBuffer {
    /// `+1.23%`, `−1.23%`, `0.00%`.
    mutating func append(_ change: PercentChange) {
        if change.sign == .up { append("+") }
        append(decimal: change.fraction * 100, precision: 2, grouped: true, minus: "−")
        append("%")
    }
}

extension Theme {
    /// Of a figure that rose or fell.
    func text(of change: PercentChange) -> Colour {
        switch change.sign {
        case .up: upText
        case .down: downText
        case .none: axisText
        }
    }
}
