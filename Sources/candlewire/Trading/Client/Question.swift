import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A question that the user answers before something happens. It goes to standard error: the output may be a file.
enum Question {
    static var hasTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    static func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// - Returns: true for "y" and "yes" alone.
    static func isConfirmed(_ question: String) -> Bool {
        write("\(question) [y/N] ")
        return ["y", "yes"].contains(readLine()?.trimmingCharacters(in: .whitespaces).lowercased())
    }

    /// Asks on a terminal. Without one, paper goes on and anything else needs `--yes`.
    /// - Throws: `TradingFailure` unless the user confirms.
    static func confirm(_ question: String, of head: AccountHead, otherwise: String) throws {
        if hasTerminal {
            guard isConfirmed(question) else { throw TradingFailure(description: otherwise, exitCode: 1) }
        } else if !head.isPaper {
            throw TradingFailure.usage("\(head.account) is not a paper account; confirm with --yes.")
        }
    }
}
