/// What a venue's reason for a refusal says of the next attempt.
enum RefusalReason {
    /// Whether it speaks of the moment and not of what was asked for: asking again in a while may help.
    ///
    /// Kraken writes `EService:Busy`, `EGeneral:Too many requests` and `Exceeded msg rate`; others say the same in words.
    static func isPassing(_ reason: String) -> Bool {
        let reason = reason.lowercased()
        return words.contains { reason.contains($0) }
    }

    private static let words = [
        "eservice:", "msg rate", "rate limit", "too many requests", "too many messages", "try again", "temporarily",
        "service unavailable", "timed out", "internal error", "internal server error", "system busy",
    ]
}
