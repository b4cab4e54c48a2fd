extension StudyTape {
    /// The true range: the bar's own range, or from the close before to its far end where that is more. NaN for the
    /// very first bar, which has no close before. Source: J. W. Wilder, "New Concepts in Technical Trading Systems"
    /// (1978).
    @inline(__always) func trueRange(_ at: Int) -> Double {
        guard age(at) > 0 else { return .nan }
        let before = closes[at - 1]
        return max(highs[at], before) - min(lows[at], before)
    }
}
