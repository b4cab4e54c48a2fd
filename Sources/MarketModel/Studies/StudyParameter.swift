/// A number that a study can be set by.
public struct StudyParameter: Sendable {
    /// What a settings form calls it: "Period".
    public let name: StaticString
    /// The values it may take; others are clamped into it.
    public let range: ClosedRange<Double>
    /// The usual value.
    public let standard: Double
    /// Whether it counts something (bars, minutes) and is rounded to a whole number.
    public let isWhole: Bool

    /// The longest window, in bars.
    static let longest = 1000.0

    /// A number of bars.
    static func bars(_ name: StaticString, _ standard: Double, from least: Double = 1) -> StudyParameter {
        StudyParameter(name: name, range: least...longest, standard: standard, isWhole: true)
    }

    static func factor(
        _ name: StaticString, _ standard: Double, in range: ClosedRange<Double>
    ) -> StudyParameter {
        StudyParameter(name: name, range: range, standard: standard, isWhole: false)
    }

    /// The value nearest to `value` that the parameter can take; the usual one for NaN.
    public func clamped(_ value: Double) -> Double {
        guard !value.isNaN else { return standard }
        let inside = min(max(value, range.lowerBound), range.upperBound)
        return isWhole ? inside.rounded() : inside
    }
}
