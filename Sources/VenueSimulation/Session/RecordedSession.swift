/// What a venue said on one connection, as values: the messages and when each was received.
///
/// ```swift
/// let session = RecordedSession(messages: lines, times: nil)
/// ```
public struct RecordedSession: Sendable {
    /// As received.
    public let messages: [[UInt8]]
    /// Nanoseconds since 1970, ascending, as many as messages.
    public let times: [Int64]
    /// How its messages are built, where no venue says so.
    var provider: SimulatedProvider?
    /// Whether it was made as a round that the next one follows without a pause.
    var isMade = false

    /// - Parameters:
    ///   - messages: text messages, JSON.
    ///   - times: receive times in nanoseconds since 1970; one beyond 2100 counts as that. A time before the one it follows counts as the same; missing
    ///     ones at the end repeat the last. `nil` where they are not known: the messages are spaced a tenth of a second
    ///     apart, so that the last one is received when the newest time in any of them was.
    public init(messages: [[UInt8]], times: [Int64]?) {
        self.messages = messages
        let step: Int64 = 100_000_000
        guard let times, !times.isEmpty else {
            let newest = Self.newestTime(messages) ?? 1_600_000_000_000_000_000
            let start = newest - Int64(messages.count) * step
            self.times = messages.indices.map { start + Int64($0 + 1) * step }
            return
        }
        var latest: Int64 = 0
        self.times = messages.indices.map { index in
            if index < times.count { latest = max(latest, min(times[index], Self.latest)) }
            return latest
        }
    }

    /// 2100-01-01: all that is done with times has room behind it.
    static let latest: Int64 = 4_102_444_800_000_000_000

    /// One message a line, as files of recordings have them.
    public init(lines: [String], times: [Int64]? = nil) {
        self.init(messages: lines.map { Array($0.utf8) }, times: times)
    }

    /// The newest RFC 3339 time of day in the messages, else the newest plain one.
    private static func newestTime(_ messages: [[UInt8]]) -> Int64? {
        var newest: Int64?
        for message in messages {
            TimeTokens.forEach(in: message) { token in
                // Between 2010 and 2100: other numbers with as many digits are not times.
                guard 1_262_304_000_000_000_000..<latest ~= token.nanoseconds else { return }
                newest = max(newest ?? 0, token.nanoseconds)
            }
        }
        return newest
    }

    /// From the beginning of a round to that of the next where times are moved, seconds: whole minutes. Between two rounds
    /// of a recording there is at least a second, as its trades are older than their messages.
    var period: Int { Int(((duration + (isMade ? 0 : 1)) / 60).rounded(.up)) * 60 }

    /// First to last message.
    public var duration: Double {
        guard let first = times.first, let last = times.last else { return 0 }
        return Double(last - first) / 1e9
    }
}
