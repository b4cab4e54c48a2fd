import Testing

@testable import CandlewireServer

@Suite("What is reported of a feed that is away")
struct FeedProblemTests {
    @Test(
        "that all attempts are used up is reported beside what went wrong",
        arguments: [
            (nil, false, nil), ("Nobody answers.", false, "Nobody answers."),
            (nil, true, "All attempts are used up; it is tried again once a minute."),
            ("Nobody answers.", true, "Nobody answers. All attempts are used up; it is tried again once a minute."),
            ("Nobody answers", true, "Nobody answers. All attempts are used up; it is tried again once a minute."),
        ] as [(String?, Bool, String?)])
    func usedUp(problem: String?, isSlow: Bool, reported: String?) {
        #expect(LiveFeed.Runner.sentence(problem, isSlow: isSlow) == reported)
    }
}
