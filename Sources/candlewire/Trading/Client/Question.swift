import Foundation

/// A question that the user answers before something happens. It goes to standard error: the output may be a file.
enum Question {
    static var hasTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// - Returns: true for "y" and "yes" alone.
    static func isConfirmed(_ question: String) -> Bool {
        Console.writeError("\(question) [y/N] ")
        return ["y", "yes"].contains(readLine()?.trimmingCharacters(in: .whitespaces).lowercased())
    }

    /// Waits for the answer on a terminal. Without one, paper goes on and anything else needs `--yes`.
    /// - Throws: `CommandFailure` unless the user confirms.
    static func confirm(_ question: String, of head: AccountHead, otherwise: String) throws {
        if hasTerminal {
            guard isConfirmed(question) else { throw CommandFailure(1, otherwise) }
        } else if !head.isPaper {
            throw CommandFailure.usage("\(head.account) is not a paper account; confirm with --yes.")
        }
    }
}
