import FinanceChartsKit

enum DataValidator {
    enum Verdict: Equatable {
        case valid
        case invalid(String)
    }

    static let maxAge = 300.0

    /// - Parameter now: seconds since 1970 UTC.
    static func validate(_ tick: Tick, now: Double) -> Verdict {
        guard tick.price > 0 else { return .invalid("price must be above 0") }
        guard tick.volume >= 0 else { return .invalid("volume must not be negative") }
        guard tick.timestamp > 0 else { return .invalid("timestamp must be above 0") }
        guard now - tick.timestamp < maxAge else { return .invalid("tick is too old") }
        return .valid
    }
}
