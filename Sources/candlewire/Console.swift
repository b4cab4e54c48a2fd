import Foundation
import Synchronization
import UnixSignals

/// Standard output and standard error. That their reader is gone (`| head`) is not a failure.
enum Console {
    /// - Returns: false where the reader is gone.
    @discardableResult static func write(_ text: String) -> Bool { write(Data(text.utf8), to: .standardOutput) }

    @discardableResult static func write(_ data: Data, to handle: FileHandle = .standardOutput) -> Bool {
        (try? handle.write(contentsOf: data)) != nil
    }

    /// Beside the output, which may be a file.
    static func writeError(_ text: String) { write(Data(text.utf8), to: .standardError) }

    static let upgrade = "Converting the ledger for this version"

    /// How far some work is, in percent: in one line on a terminal, else in ten.
    static func show(_ work: String, _ done: Int, of total: Int) {
        let percent = done * 100 / max(1, total)
        guard isTerminal || percent % 10 == 0 else { return }
        write("\(work): \(percent) %\(isTerminal && percent < 100 ? "\r" : "\n")")
    }

    /// A text as a shell reads it for one word.
    static func shellWord(_ word: String) -> String {
        let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ":,-_/.".contains($0)) }
        return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }

    /// Whether a person reads the output.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
}

/// A question that the user answers before something happens. It goes to standard error: the output may be a file.
enum Question {
    static var hasTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Waits for the answer on a terminal. Without one, paper goes on and anything else needs `--yes`.
    /// - Throws: `CommandFailure` unless the user confirms, with "y" or "yes" alone.
    static func confirm(_ question: String, of head: AccountHead, otherwise: String) throws {
        guard hasTerminal else {
            return try require(head.isPaper, "\(head.account) is not a paper account; confirm with --yes.")
        }
        Console.writeError("\(question) [y/N] ")
        guard ["y", "yes"].contains(readLine()?.trimmingCharacters(in: .whitespaces).lowercased()) else {
            throw CommandFailure(1, otherwise)
        }
    }
}

/// Writes what happens as lines with the time since the start, but no more of them than a person can read.
final class EventLines: Sendable {
    private let linesPerSecond: Int
    private let started = Date()
    private let state = Mutex((shown: 0, hidden: 0))

    init(linesPerSecond: Int) { self.linesPerSecond = linesPerSecond }

    /// Seconds since the start.
    var age: Double { -started.timeIntervalSinceNow }

    func show(_ line: @autoclosure () -> String) {
        let isShown = state.withLock { state in
            guard state.shown < linesPerSecond else {
                state.hidden += 1
                return false
            }
            state.shown += 1
            return true
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
                defer { state = (0, 0) }
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
