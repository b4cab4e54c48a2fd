import Foundation

/// Standard output and standard error. That their reader is gone (`| head`) is no failure.
enum Console {
    /// - Returns: false where the reader is gone.
    @discardableResult
    static func write(_ text: String) -> Bool { write(Data(text.utf8), to: .standardOutput) }

    @discardableResult
    static func write(_ data: Data, to handle: FileHandle = .standardOutput) -> Bool {
        (try? handle.write(contentsOf: data)) != nil
    }

    /// Beside the output, which may be a file.
    static func writeError(_ text: String) { write(Data(text.utf8), to: .standardError) }

    /// A text as a shell reads it for one word.
    static func shellWord(_ word: String) -> String {
        let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ":,-_/.".contains($0)) }
        return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }

    /// Whether a person reads the output.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
}
