import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A question that a person answers before something happens. It is asked on standard error: the output may be a file.
enum Question {
    static var canBeAsked: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    static func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// - Returns: true for "y" and "yes" alone.
    static func ask(_ question: String) -> Bool {
        write("\(question) [y/N] ")
        return ["y", "yes"].contains(readLine()?.trimmingCharacters(in: .whitespaces).lowercased())
    }

    /// Asks where it can. Where nobody is there, paper goes on and anything else needs `--yes`.
    /// - Throws: `TradingFailure` where it is not wanted.
    static func confirm(_ question: String, of head: AccountHead, what: String) throws {
        if canBeAsked {
            guard ask(question) else { throw TradingFailure(description: "\(what) on your word.", exitCode: 1) }
        } else if !head.isPaper {
            throw TradingFailure.usage("\(head.account) is no paper account; say with --yes that you mean it.")
        }
    }
}
