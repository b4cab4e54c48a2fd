import MarketModel

/// A time as tables show it.
enum TimeText {
    /// `2026-11-21 14:07:28`, UTC; of the server's seconds since 1970.
    static func utc(_ seconds: Double) -> String {
        guard seconds >= 0, seconds < 253_402_300_800 else { return "\(seconds)" }
        let text = RFC3339.text(seconds).dropLast()
        return "\(text.prefix(10)) \(text.suffix(8))"
    }
}
