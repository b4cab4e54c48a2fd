import CandlewireServer
import Foundation

/// What a person sees while the server starts.
enum StartScreen {
    static func show(_ progress: CandlewireServer.Progress) {
        switch progress {
        case .preparing(let symbol, let index, let count):
            write("Preparing market history \(index + 1)/\(count): \(symbol)\(isTerminal ? "        \r" : "\n")")
        case .running(let host, let port, let feed, let data, let hasPage, let isOpenToOthers):
            let name = host.contains(":") ? "[\(host)]" : host
            write(
                """
                \(isTerminal ? "\u{1B}[K" : "")
                Candlewire is running.

                  \(hasPage ? "Open    http://\(name):\(port)/" : "REST    http://\(name):\(port)/v1/markets")
                  Stream  ws://\(name):\(port)/v1/stream
                  Feed    \(feed)
                  Data    \(data)
                  Stop    Ctrl-C


                """)
            if !hasPage {
                write("The page was not found; name its folder with --web-dir. The interfaces work without it.\n")
            }
            if isOpenToOthers {
                write("Note: there is no login yet; everyone who can reach \(name) can read this server's data.\n")
            }
        }
    }

    private static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    private static func write(_ text: String) {
        // Who reads this may be gone (`| head`); the server goes on.
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}
