import Foundation
import Synchronization

/// Writes what happens as lines with the time since the start, but no more of them than a person can read.
final class EventLines: Sendable {
    private struct State {
        var shown = 0
        var hidden = 0
    }

    private let linesPerSecond: Int
    private let started = Date()
    private let state = Mutex(State())

    init(linesPerSecond: Int) { self.linesPerSecond = linesPerSecond }

    /// Seconds since the start.
    var age: Double { -started.timeIntervalSinceNow }

    func show(_ line: @autoclosure () -> String) {
        let isShown = state.withLock { state in
            if state.shown < linesPerSecond {
                state.shown += 1
                return true
            }
            state.hidden += 1
            return false
        }
        if isShown { write(stamped(line())) }
    }

    /// Once a second: room for new lines, and how many were left out.
    func tick() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            let hidden = state.withLock { state in
                defer { state = State() }
                return state.hidden
            }
            if hidden > 0 { write(stamped("... and \(hidden) more in this second")) }
        }
    }

    /// As it is, whatever was written before.
    func write(_ text: String) {
        // The reader may be gone (`| head`); the program goes on.
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }

    private func stamped(_ line: String) -> String {
        // It holds peers' texts.
        String(format: "%8.2f s  ", age) + TextTable.printable(line) + "\n"
    }
}
