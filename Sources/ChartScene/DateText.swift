internal import MarketModel

/// Dates and times as the axis and the crosshair show them. A `timestamp` here is what the chart's clock shows, as if
/// that were UTC.
extension TextBuffer {
    /// The label of a tick: `13:45`, `13:45:30`, `21 Nov`, `21`, `Nov`, `2026`.
    mutating func append(tick rank: TimeTick.Rank, timestamp: Double, step: TimeStep) {
        let time = Calendar.time(timestamp)
        let date = CivilDate(timestamp: time)
        let isIntraday = step.ordinaryRank == .time
        switch rank {
        case .time: append(clock: time, seconds: step.nominalSeconds < 60)
        case .day, .month:
            // On an axis of days, the day alone and the month alone are clear; between clock times they are not.
            if isIntraday || rank == .day { append(integer: UInt64(date.day)) }
            if isIntraday { append(" ") }
            if isIntraday || rank == .month { append(month: date.month) }
        case .year: append(integer: UInt64(date.year))
        }
    }

    /// The label of a tick with the unit above the step's, for an axis that does not show it elsewhere:
    /// `21 Nov 13:45`, `21 Nov`, `Nov 2026`.
    mutating func append(dated timestamp: Double, step: TimeStep) {
        let time = Calendar.time(timestamp)
        let date = CivilDate(timestamp: time)
        switch step.ordinaryRank {
        case .time, .day:
            append(integer: UInt64(date.day))
            append(" ")
            append(month: date.month)
            guard step.ordinaryRank == .time else { return }
            append(" ")
            append(clock: time, seconds: step.nominalSeconds < 60)
        case .month, .year:
            append(month: date.month)
            append(" ")
            append(integer: UInt64(date.year))
        }
    }

    /// A bar's full date for the crosshair, as exact as the timeframe: `Sat 21 Nov 2026 13:45`, `Nov 2026`.
    mutating func append(barDate timestamp: Double, timeframe: Timeframe) {
        let time = Calendar.time(timestamp)
        let date = CivilDate(timestamp: time)
        if timeframe != .mo1 {
            append(weekday: date.daysSince1970)
            append(" ")
            append(integer: UInt64(date.day))
            append(" ")
        }
        append(month: date.month)
        append(" ")
        append(integer: UInt64(date.year))
        if timeframe.seconds < 86_400 {
            append("  ")
            append(clock: time, seconds: timeframe.seconds < 60)
        }
    }

    @inline(never)
    private mutating func append(clock time: Double, seconds: Bool) {
        let second = UInt64(time) % 86_400
        append(integer: second / 3600, width: 2)
        append(":")
        append(integer: second / 60 % 60, width: 2)
        guard seconds else { return }
        append(":")
        append(integer: second % 60, width: 2)
    }

    private mutating func append(month: Int) { append("JanFebMarAprMayJunJulAugSepOctNovDec", word: month - 1) }

    private mutating func append(weekday daysSince1970: Int) {
        // Day 0 was a Thursday.
        append("ThuFriSatSunMonTueWed", word: (daysSince1970 % 7 + 7) % 7)
    }

    /// One of the words of three letters.
    @inline(never)
    private mutating func append(_ words: StaticString, word: Int) {
        words.withUTF8Buffer { words in for letter in words[word * 3..<word * 3 + 3] { append(byte: letter) } }
    }
}
