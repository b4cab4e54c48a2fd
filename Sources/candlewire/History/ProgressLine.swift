import Foundation
import Synchronization

/// A line on the terminal that shows how far some work is; nothing where standard error is not a terminal.
final class ProgressLine: Sendable {
    private let title: String
    private let isShown: Bool
    private let start = ContinuousClock.now
    private let drawn = Mutex<ContinuousClock.Instant?>(nil)

    /// - Parameter title: what is being done, as "reading prices.csv".
    init(_ title: String) {
        self.title = title
        isShown = isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// Draws the line, ten times a second at most.
    /// - Parameters:
    ///   - fraction: 0 to 1; `nil` where the size is not known.
    ///   - note: what is counted, as "12,000 rows".
    func show(_ fraction: Double?, _ note: String) {
        guard isShown else { return }
        let now = ContinuousClock.now
        let isDue = drawn.withLock { drawn in
            if let drawn, drawn.duration(to: now) < .milliseconds(100) { return false }
            drawn = now
            return true
        }
        guard isDue else { return }
        var text = "\(title): \(note)"
        if let fraction {
            let part = min(1, max(0, fraction))
            let filled = Int(part * 24)
            let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 24 - filled)
            text = "\(title) [\(bar)] \(Int(part * 100)) %, \(note)"
            let seconds = start.duration(to: now) / .seconds(1)
            // A guess is worth showing only after a while.
            if part > 0.02, part < 1, seconds > 1 {
                let rest = Int((seconds / part * (1 - part)).rounded(.up))
                text += ", \(rest / 60):\(rest % 60 < 10 ? "0" : "")\(rest % 60) left"
            }
        }
        Console.writeError("\r\u{1B}[2K" + text)
    }

    /// Draws the line at once, with nothing but a note: what is waited for.
    func note(_ note: String) {
        guard isShown else { return }
        drawn.withLock { $0 = .now }
        Console.writeError("\r\u{1B}[2K\(title): \(note)")
    }

    /// Clears the line.
    func clear() {
        let wasDrawn = drawn.withLock { drawn in
            defer { drawn = nil }
            return drawn != nil
        }
        guard wasDrawn else { return }
        Console.writeError("\r\u{1B}[2K")
    }
}
