import Foundation
import Synchronization
import UnixSignals

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
        if isShown { Console.write(stamped(line())) }
    }

    /// Shows lines until the program is to end.
    func run(until signals: UnixSignalsSequence) async {
        let ticking = Task { await tick() }
        defer { ticking.cancel() }
        for await _ in signals { return }
    }

    /// Once a second: room for new lines, and how many were left out.
    private func tick() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            let hidden = state.withLock { state in
                defer { state = State() }
                return state.hidden
            }
            if hidden > 0 { Console.write(stamped("... and \(hidden) more in this second")) }
        }
    }

    private func stamped(_ line: String) -> String {
        // It holds peers' texts.
        String(format: "%8.2f s  ", age) + TextTable.printable(line) + "\n"
    }
}
