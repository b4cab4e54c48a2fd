import Foundation
import StreamCore
import Testing

/// Every input in every situation, compared with tables that were read by a person.
///
/// To write them anew after a change that is meant: `CANDLEWIRE_RECORD=1 swift test --filter TransitionTests`, which
/// fails, and review the difference.
@Suite struct TransitionTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Transitions")

    private static func table(_ situation: Situation) -> URL {
        folder.appending(path: "\(situation.rawValue).txt")
    }

    @Test("each input does what the situation's table lists", arguments: Situation.allCases)
    func tables(_ situation: Situation) throws {
        let text = TransitionTable.text(of: situation)
        if ProcessInfo.processInfo.environment["CANDLEWIRE_RECORD"] != nil {
            try Data(text.utf8).write(to: Self.table(situation))
            Issue.record("recorded \(situation.rawValue).txt")
            return
        }
        let known = try String(contentsOf: Self.table(situation), encoding: .utf8)
        for (mine, theirs) in zip(sections(text), sections(known)) { #expect(mine == theirs) }
        #expect(text.count == known.count)
    }

    @Test("the tables hold every pair of situation and input, once")
    func coverage() throws {
        for situation in Situation.allCases {
            let visited = try sections(String(contentsOf: Self.table(situation), encoding: .utf8)).dropFirst()
                .compactMap { $0.split(separator: "\n").first }
            let expected = TransitionInput.allCases.map { "> \($0.rawValue)" }
            #expect(visited.map(String.init) == expected, "\(situation.rawValue)")
        }
    }

    @Test("each situation is the one it is named after", arguments: Situation.allCases)
    func situations(_ situation: Situation) {
        let session = TransitionTable.stage(in: situation).session
        switch (situation, session.state) {
        case (.idle, .idle), (.connecting, .connecting), (.authenticating, .authenticating),
            (.awaitingToken, .authenticating), (.waiting, .waiting), (.waitingSlowly, .waiting),
            (.failed, .failed), (.closed, .closed):
            break
        case (.open, .open), (.renewing, .open), (.refreshing, .open), (.pinging, .open), (.closingSoon, .open),
            (.rotatingOpening, .open), (.rotatingAuthenticating, .open), (.rotatingReady, .open):
            break
        default: Issue.record("\(situation) is \(session.state)")
        }
        #expect(session.diagnostics.isSlowRetry == (situation == .waitingSlowly))
    }

    @Test("a state is reported once and only when it changes", arguments: Situation.allCases)
    func statesOnce(_ situation: Situation) {
        for input in TransitionInput.allCases {
            let states = TransitionTable.states(input, in: situation)
            for (before, after) in zip(states, states.dropFirst()) {
                #expect(before != after, "\(input.rawValue) in \(situation.rawValue)")
            }
        }
    }

    private func sections(_ text: String) -> [String] {
        text.split(separator: "\n\n").map { String($0).trimmingCharacters(in: .newlines) }
    }
}
