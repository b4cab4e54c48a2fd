import MarketFeeds
import VenueSimulation

extension RecordedSession {
    /// What a file holds, as values. Times that were not recorded are left to the session.
    init(_ recording: Recording) {
        let messages = (0..<recording.messageCount).map { recording.withMessage($0) { Array($0) } }
        // A double holds today's seconds to a quarter of a microsecond. No recording is from after 2100.
        let times =
            recording.hasReceiveTimes ? recording.times.map { Int64(min(max($0, 0), 4_102_444_800) * 1e6) * 1000 } : nil
        self.init(messages: messages, times: times)
    }
}
