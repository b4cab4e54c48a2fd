import Testing

@testable import MarketFeeds

@Suite("Damaged recordings", .enabled(if: SharedData.hasSessions, "no ../shared/data"))
struct RecordedMutationTests {
    @Test("nothing crashes, and each loss has a reason", arguments: SharedRecording.all.filter(\.exists))
    func recorded(session: SharedRecording) throws {
        let recording = try Recording(path: session.path, needsTrades: false)
        // The first of each length: small ones of every sort, and no megabytes.
        var lengths: Set<Int> = []
        var frames: [[UInt8]] = []
        for index in 0..<recording.messageCount where frames.count < 200 {
            recording.withMessage(index) { bytes in
                if bytes.count < 3000, lengths.insert(bytes.count / 4).inserted { frames.append(Array(bytes)) }
            }
        }
        MutationTests.check(session.venue, frames, seed: 7, rounds: 2000)
    }
}
