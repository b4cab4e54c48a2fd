import CandlewireServer
import Foundation

/// What a person sees while the server starts.
struct StartScreen: Sendable {
    var isSecure: Bool
    var needsToken: Bool
    /// The model that answers in consultations; `nil`: there are none.
    var assistant: String?
    /// Whether there is a login for them.
    var consultsOthers: Bool

    func show(_ progress: CandlewireServer.Progress) {
        switch progress {
        case .preparing(let symbol, let index, let count):
            Console.write(
                "Preparing market history \(index + 1)/\(count): \(symbol)\(Console.isTerminal ? "        \r" : "\n")")
        case .upgradingLedger(let done, let total): Console.show(Console.upgrade, done, of: total)
        case .readingLedger(let done, let total): Console.show("Reading the ledger", done, of: total)
        case .running(let host, let port, let feed, let data, let hasPage, let isOpenToOthers):
            let s = isSecure ? "s" : ""
            // An address of all interfaces is none that a browser opens.
            let isEverywhere = host == "0.0.0.0" || host == "::"
            let name = isEverywhere ? "localhost" : host.contains(":") ? "[\(host)]" : host
            Console.write(
                """
                \(Console.isTerminal ? "\u{1B}[K" : "")
                Candlewire is running.

                  \(hasPage ? "Open    http\(s)://\(name):\(port)/" : "REST    http\(s)://\(name):\(port)/v1/markets")
                  Stream  ws\(s)://\(name):\(port)/v1/stream
                  Feed    \(feed)
                  Data    \(data)
                  Chat    \(assistant ?? "off")
                  Stop    Ctrl-C


                """)
            if !hasPage {
                Console.write(
                    "The page was not found; name its folder with --web-dir. The interfaces work without it.\n")
            }
            guard isOpenToOthers else { return }
            let open =
                needsToken
                ? "read its candles and markets; streams and accounts need a token"
                : consultsOthers
                    ? "read its data; trading needs --stream-token-file"
                    : "read its data and trade on its paper accounts"
            let place = isEverywhere ? "this machine" : name
            Console.write("Note: everyone who can reach \(place) can \(open).\n")
            if needsToken, !isSecure {
                Console.write(
                    "Note: tokens travel unencrypted; give --tls-cert and --tls-key, or put a proxy with TLS in front.\n"
                )
            }
            if assistant != nil, !consultsOthers {
                Console.write(
                    "Note: consultations need a login where others reach the server; give one with "
                        + "--consultation-keys, --jwt-key or --stream-token-file.\n")
            }
        }
    }
}

/// Finds the folder of the terminal page.
enum WebDirectory {
    /// - Parameter given: what the user named; otherwise `Web` in the working folder or in one above the program.
    static func find(_ given: String?) throws(CommandFailure) -> String? {
        if let given {
            guard holdsPage(given) else { throw CommandFailure(66, "There is no index.html in the folder \(given).") }
            return given
        }
        if holdsPage("Web") { return "Web" }
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        for _ in 0..<6 {
            folder.deleteLastPathComponent()
            let candidate = folder.appendingPathComponent("Web").path
            if holdsPage(candidate) { return candidate }
        }
        return nil
    }

    private static func holdsPage(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: folder + "/index.html")
    }
}
