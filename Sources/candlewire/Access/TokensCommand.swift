import ArgumentParser
import CandlewireServer
import Foundation
import HistoryStore
import MarketModel
import TradingCore

/// `candlewire tokens`: creates, lists and revokes the tokens of a server.
struct TokensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "Create, list and revoke the tokens that open a server.",
        discussion: """
            A token has scopes (\(AccessScopes.allowedNames)) and accounts. The file has hashes and not the tokens, which are \
            shown once. A server that was started with --stream-token-file reads the file again when it changes: a new token \
            counts after a second, and so does a revoked one, for connections that are open too.

            EXAMPLES
              (umask 077; candlewire tokens create desk --scope read,trade --account paper-main > desk.token)
              candlewire serve --host 0.0.0.0 --stream-token-file ~/.local/share/candlewire/tokens.json
              candlewire orders --token-file desk.token
              candlewire tokens list
              candlewire tokens revoke desk
            """,
        subcommands: [Create.self, List.self, Revoke.self])

    struct FileOption: ParsableArguments {
        @Option("The file of tokens.", "file") var file = DataDirectory.chosen() + "/tokens.json"
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a token and print it, this once.",
            discussion: """
                The scope read opens streams, accounts and orders; trade places and cancels orders; admin opens and resets \
                accounts and, with all accounts, changes markets and feeds. trade and admin include read.
                """)

        @Argument("Its name, in lists and in the audit log.", "NAME") var name: String
        @Option("What it opens, separated by commas: \(AccessScopes.allowedNames).", "scopes") var scope = "read"
        @Option("An account it opens; repeatable. Default: all accounts.", "id", parsing: .singleValue)
        var account: [String] = []
        @Option(signed: "Days until it expires. Default: never.", "days") var expiresIn: Double?
        @OptionGroup var file: FileOption

        func run() async throws {
            try await Failure.exitCleanly {
                try require(AccessToken.isName(name), "The name \"\(name)\" must be \(AccessToken.nameRule).")
                let words = scope.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
                let scopes = try require(
                    words.isEmpty ? nil : AccessScopes(words: words),
                    "--scope must be one or more of \(AccessScopes.allowedNames); it is \"\(scope)\".")
                for id in account {
                    try require(
                        (try? AccountID<Paper>(id)) != nil,
                        "--account must be an account's id, such as paper-main; it is \"\(id)\".")
                }
                if let expiresIn {
                    try require(
                        (0.00001...36_500).contains(expiresIn),
                        "--expires-in must be up to 36500 days; it is \(expiresIn).")
                }
                let now = Date().timeIntervalSince1970
                let made = AccessToken.make(
                    name, scopes: scopes, accounts: account.isEmpty ? .all : .only(Set(account)), now: now,
                    expiresAt: expiresIn.map { now + $0 * 86_400 })
                try TokenFile.change(file.file) { tokens throws(ServerError) in
                    try TokenFile.add(made.entry, to: &tokens)
                }
                Console.write(made.text + "\n")
                Console.writeError(
                    "This is the token \"\(name)\" (\(scopes); accounts: \(made.entry.accounts)). It is not shown again: only its "
                        + "hash is in \(file.file).\n")
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the tokens, without what they are.")
        @OptionGroup var file: FileOption

        func run() async throws {
            try await Failure.exitCleanly {
                let tokens = try TokenFile(reading: file.file)
                try require(!tokens.isPlain, "\(file.file) has plain tokens, one a line, which have no names.")
                guard !tokens.tokens.isEmpty else {
                    return Console.writeError("There are no tokens in \(file.file).\n")
                }
                let now = Date().timeIntervalSince1970
                Console.write(
                    TextTable.text(tokens.tokens) { token in
                        let isOver = token.expiresAt.map { $0 <= now } ?? false
                        return [
                            .left("NAME", token.name), .left("SCOPES", token.scopes.description),
                            .left("ACCOUNTS", token.accounts.description),
                            .left("CREATED (UTC)", TimeText.utc(token.createdAt)),
                            .left("EXPIRES (UTC)", token.expiresAt.map(TimeText.utc) ?? "never"),
                            .left("STATE", isOver ? "expired" : "valid"),
                        ]
                    })
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a token: it opens nothing any more, and connections that it opened are closed.")
        @Argument("Its name.", "NAME") var name: String
        @OptionGroup var file: FileOption

        func run() async throws {
            try await Failure.exitCleanly {
                let found = try TokenFile.change(file.file) { tokens throws(ServerError) in
                    let before = tokens.count
                    tokens.removeAll { $0.name == name }
                    return tokens.count < before
                }
                guard found else {
                    throw CommandFailure(
                        66, "There is no token \"\(name)\" in \(file.file); candlewire tokens list shows them.")
                }
                Console.writeError("The token \"\(name)\" is revoked.\n")
            }
        }
    }
}
