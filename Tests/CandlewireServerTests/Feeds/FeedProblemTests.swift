import Testing

@testable import CandlewireServer

@Suite("What is reported of a feed that is away")
struct FeedProblemTests {
    @Test(
        "that all attempts are used up is reported beside what went wrong",
        arguments: [
            (nil, false, nil), ("No answer.", false, "No answer."),
            (nil, true, "Reconnecting failed ten times; now retrying once a minute."),
            ("No answer.", true, "No answer. Reconnecting failed ten times; now retrying once a minute."),
            ("No answer", true, "No answer. Reconnecting failed ten times; now retrying once a minute."),
        ] as [(String?, Bool, String?)])
    func usedUp(problem: String?, isSlow: Bool, reported: String?) {
        #expect(LiveFeed.Runner.sentence(problem, isSlow: isSlow) == reported)
    }
}
