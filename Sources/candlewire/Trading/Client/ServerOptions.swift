import ArgumentParser
import Foundation

/// Which server to use, and how to write its answer.
struct ServerOptions: ParsableArguments {
    /// Where `candlewire serve` listens by default.
    static let ownServer = "http://127.0.0.1:8080"

    @Option(help: ArgumentHelp("The server: http://HOST[:PORT] or https://HOST[:PORT].", valueName: "url"))
    var url = ServerOptions.ownServer

    @Option(parsing: .unconditional, help: ArgumentHelp("How long to wait for an answer.", valueName: "seconds"))
    var timeout = 30.0

    @Option(help: ArgumentHelp("A file with the token that the server requires.", valueName: "file"))
    var tokenFile: String?

    @Flag(help: "Write the server's document as it is, also for an error.")
    var json = false

    func validate() throws {
        guard timeout > 0, timeout <= 3600 else {
            throw ValidationError("--timeout must be above 0 and at most 3600 seconds; it is \(timeout).")
        }
    }

    func server() throws -> ServerConnection {
        ServerConnection(try ServerAddress(url), token: try Self.token(tokenFile), timeout: timeout)
    }

    /// The present content of a token file.
    static func token(_ tokenFile: String?) throws -> String? {
        guard let tokenFile else { return nil }
        guard let text = try? String(contentsOfFile: tokenFile, encoding: .utf8) else {
            throw CommandFailure(66, "\(tokenFile) cannot be read; --token-file names a file with a token.")
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// Whose orders, positions and money.
struct AccountOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The account; its id begins with its mode.", valueName: "id"))
    var account = "paper-main"

    @OptionGroup(title: "Server")
    var options: ServerOptions

    var head: AccountHead { AccountHead(account: account) }
}
