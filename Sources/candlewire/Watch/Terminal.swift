import FinanceChartsKit
import Foundation
import UnixSignals

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The terminal this program runs in: its size, and the full-screen mode that `candlewire watch` draws in.
final class Terminal {
    private var saved: termios?

    /// Disables what a place of `c_cc` is for (POSIX `_POSIX_VDISABLE`, which Swift does not see).
    #if canImport(Glibc)
        private static let noCharacter: cc_t = 0
    #else
        private static let noCharacter: cc_t = 0xFF
    #endif

    /// Whether both ends are a terminal: keys come from one and the picture goes to the other.
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// Columns and rows; `nil` where the output is not a terminal or has no size.
    static var size: (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// The size to draw in: an output without one is drawn as the oldest terminals were.
    static var shownSize: (columns: Int, rows: Int) { size ?? (80, 24) }

    deinit { leave() }

    /// Opens the screen: keys come one by one and unseen, what was on the screen is kept by the terminal.
    func enter() {
        guard saved == nil else { return }
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        saved = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        settings.c_iflag &= ~tcflag_t(IXON)
        // Ctrl-C still ends the program, which restores the terminal; stopped with Ctrl-Z it could not.
        withUnsafeMutableBytes(of: &settings.c_cc) { characters in
            characters[Int(VSUSP)] = Self.noCharacter
            characters[Int(VQUIT)] = Self.noCharacter
        }
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
    }

    /// Gives the screen back as it was. Does nothing the second time.
    func leave() {
        guard var settings = saved else { return }
        saved = nil
        write("\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l")
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    /// Writes all of a text; where the terminal is gone, nothing.
    func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = rest.withUnsafeBytes { Self.write($0) }
                if written < 0 {
                    guard errno == EINTR || errno == EAGAIN else { return }
                    var wait = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                    poll(&wait, 1, 1000)
                } else {
                    rest = rest.dropFirst(written)
                }
            }
        }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
        #endif
    }

    /// The keys that are pressed from now on. Ends with the terminal.
    static func keys() -> AsyncStream<TerminalKey> {
        AsyncStream { continuation in
            // Cancelled from wherever the sequence ends, which Dispatch allows.
            nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO)
            nonisolated(unsafe) var reader = TerminalKeys()
            source.setEventHandler {
                var bytes = [UInt8](repeating: 0, count: 256)
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                guard count > 0 else {
                    if count == 0 || errno != EINTR && errno != EAGAIN { continuation.finish() }
                    return
                }
                // Only this handler, on the source's one queue, uses the reader.
                for key in reader.decode(bytes[..<count]) { continuation.yield(key) }
            }
            continuation.onTermination = { _ in source.cancel() }
            source.resume()
        }
    }
}

/// A program that fills the terminal: everything that happens to it goes through one sequence.
final class TerminalScreen<Own: Sendable> {
    enum Event: Sendable {
        case key(TerminalKey)
        case resized
        /// A signal came, or the terminal is gone.
        case ended
        case own(Own)
    }

    let events: AsyncStream<Event>
    let continuation: AsyncStream<Event>.Continuation
    private let terminal: Terminal
    private var watchers: [Task<Void, Never>] = []
    private var shown: [String] = []

    /// Opens the screen; `leave` gives the terminal back.
    init(_ terminal: Terminal) async {
        // A slow terminal misses pictures, but no event.
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        self.terminal = terminal
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup, .sigwinch)
        terminal.enter()
        watch { for await signal in signals { $0.yield(signal == .sigwinch ? .resized : .ended) } }
        watch {
            for await key in Terminal.keys() { $0.yield(.key(key)) }
            $0.yield(.ended)
        }
    }

    /// Reports events until the end.
    func watch(_ report: @escaping @Sendable (AsyncStream<Event>.Continuation) async -> Void) {
        watchers.append(Task { [continuation] in await report(continuation) })
    }

    func leave() {
        for watcher in watchers { watcher.cancel() }
        terminal.leave()
    }

    func clear() {
        shown = []
        terminal.write("\u{1B}[2J")
    }

    /// Writes the rows that changed.
    /// - Parameter lines: row by row from the top.
    func show(_ lines: (_ columns: Int, _ rows: Int) -> [String]) {
        let size = Terminal.shownSize
        let lines = lines(size.columns, size.rows)
        if lines.count != shown.count { clear() }
        var text = ""
        for (row, line) in lines.enumerated() where row >= shown.count || shown[row] != line {
            text += "\u{1B}[\(row + 1);1H\(line)\u{1B}[K"
        }
        shown = lines
        // In one piece between the marks of a synchronized update, so that no half picture is seen.
        if !text.isEmpty { terminal.write("\u{1B}[?2026h\(text)\u{1B}[?2026l") }
    }
}
