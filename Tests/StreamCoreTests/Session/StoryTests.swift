import Foundation
import StreamCore
import Testing

/// Whole stories of a session, as one reads them: what happens after `>`, and under it what the session does.
///
/// Each story is a file in `Stories`. `CANDLEWIRE_RECORD=1 swift test --filter StoryTests` writes what the session does now
/// under the inputs of each file and fails; review the difference.
@Suite struct StoryTests {
    enum Story: String, CaseIterable, CustomTestStringConvertible {
        case backoff, stableUptime, closing, recovery, reload, gap, refusal, subscribeLimit, pauseAndHide, hiddenSlowly
        case token, tokenRefusedTwice, rotation, rotationFails, rotationIntoNewEpoch, staleness, heartbeat, sleep,
            names, plainServer
        case outdatedAnswers, savedPosition, unanswered, network, options, tokenService, garbled, closesAgainAndAgain
        case ended
        case channels, channelSnapshot, channelRefused, channelHidden, channelPacing, channelRotation,
            channelUnanswered,
            channelAccounts

        var testDescription: String { rawValue }

        var configuration: SessionConfiguration {
            .with {
                switch self {
                case .backoff: $0.backoff.attempts = 4
                case .subscribeLimit, .channelPacing: $0.subscribesPerSecond = 2
                case .hiddenSlowly, .channelHidden: $0.hidden = .rate(0.5)
                case .token, .tokenRefusedTwice, .tokenService: $0.requiresToken = true
                case .rotation, .rotationFails, .rotationIntoNewEpoch, .channelRotation:
                    $0.rotation = 100
                    $0.heartbeat.interval = 1000
                    $0.staleAfter = 1000
                case .channelUnanswered: $0.heartbeat.interval = 1000
                case .heartbeat, .sleep: $0.heartbeat.kind = .message
                default: break
                }
                if self != .staleness { $0.staleAfter = 1000 }
            }
        }
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Stories")

    @Test("the session follows the story", arguments: Story.allCases)
    func stories(_ story: Story) throws {
        let file = Self.folder.appending(path: "\(story.rawValue).txt")
        let text = try String(contentsOf: file, encoding: .utf8)
        var stage = SessionStage(story.configuration)
        var written: [String] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# ") { written.append((written.isEmpty ? "" : "\n") + line) }
            guard line.hasPrefix("> ") else { continue }
            let known = stage.lines.count
            let input = line.dropFirst(2)
            // A recorded timer stands with its time.
            stage.perform(input.hasPrefix("timer") ? "timer" : input)
            written += stage.lines[known...]
        }
        let transcript = written.joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["CANDLEWIRE_RECORD"] != nil {
            try Data(transcript.utf8).write(to: file)
            Issue.record("recorded \(story.rawValue).txt")
            return
        }
        for (mine, theirs) in zip(transcript.split(separator: "\n"), text.split(separator: "\n")) where mine != theirs {
            Issue.record("the session did:  \(mine)\nthe story says:   \(theirs)")
            return
        }
        #expect(transcript == text)
    }
}
