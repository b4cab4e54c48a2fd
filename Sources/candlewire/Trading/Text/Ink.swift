import FinanceChartsKit
import Foundation

/// The colour of a piece of text. Without colours it stays what it is: no information is in the colour alone.
enum Ink {
    case plain, dim, strong, up, down, mode

    private var parameters: String {
        switch self {
        case .plain: ""
        case .dim: "38;5;245"
        case .strong: "1"
        case .up: "38;5;35"
        case .down: "38;5;167"
        case .mode: "1;38;5;16;48;5;221"
        }
    }

    func paint(_ text: String, on surface: Surface) -> String {
        guard surface.hasColours, self != .plain, !text.isEmpty else { return text }
        return "\u{1B}[\(parameters)m\(text)\u{1B}[0m"
    }

    /// What is written on: a terminal has colours, unless it is dumb or NO_COLOR is set.
    struct Surface {
        var hasColours: Bool

        static let standardOutput = Surface(ofDescriptor: STDOUT_FILENO)
        static let standardError = Surface(ofDescriptor: STDERR_FILENO)

        init(hasColours: Bool) { self.hasColours = hasColours }

        private init(ofDescriptor descriptor: Int32) {
            hasColours =
                isatty(descriptor) == 1 && TerminalStyle(environment: ProcessInfo.processInfo.environment).hasColours
        }
    }
}
