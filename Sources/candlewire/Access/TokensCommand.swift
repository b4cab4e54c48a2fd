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
            counts after a second, and so does a revoked one, for connections that are open too. Each change is in the audit \
            log of the data folder.

            EXAMPLES
              umask 077; candlewire tokens create desk --scope trade > desk.token
              candlewire serve \\
                  --stream-token-file ~/.local/share/candlewire/tokens.json
              candlewire orders --token-file desk.token
              candlewire tokens list
              candlewire tokens revoke desk
            """,
        subcommands: [Create.self, List.self, Revoke.self])

    struct FileOptions: ParsableArguments {
        @Option(
            """
            The server's data folder, whose audit log has the changes. Default: the folder of --file where that has an audit \
            log, else CANDLEWIRE_DATA_DIR, else the user's.
            """, "folder")
        var dataDir: String?
        @Option("The file of tokens. Default: tokens.json in the data folder.", "file") var file: String?

        var path: String { file ?? directory + "/tokens.json" }

        /// The data folder.
        private var directory: String {
            dataDir ?? file.map(DataDirectory.folder).flatMap { CommandAudit.hasLog($0) ? $0 : nil }
                ?? DataDirectory.chosen()
        }

        /// Changes the file, and records the outcome in the audit log.
        /// - Parameters:
        ///   - action: the command, without secrets.
        ///   - body: false: nothing is to be changed, which is recorded as `refusal`.
        func change(
            _ action: String, account: String? = nil, refusal: (status: Int, code: String),
            _ body: (inout [AccessToken]) -> Bool
        ) throws -> Bool {
            // Before there is a log in it.
            let directory = directory
            let acting = try DataDirectory.actAsOwner(of: DataDirectory.folder(of: path))
            let outcome = Result { try TokenFile.change(path, body) }
            acting.end()
            let (status, code): (Int, String?) =
                switch outcome {
                case .success(true): (200, nil)
                case .success(false): refusal
                case .failure: (500, "token_file")
                }
            // The servers of both folders may use the same tokens.
            CommandAudit.note(action, account: account, status: status, code: code, in: directory, hasLive: true)
            if file != nil, dataDir == nil {
                Console.writeError("The change is in the audit log of \(directory); --data-dir names another one.\n")
            }
            return try outcome.get()
        }
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
        @OptionGroup var file: FileOptions

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
                let rights =
                    ["--scope \(words.joined(separator: ","))"] + account.map { "--account \($0)" }
                    + (expiresIn.map { ["--expires-in \($0)"] } ?? [])
                let isNew = try file.change(
                    "tokens create \(name) \(rights.joined(separator: " "))",
                    account: account.count == 1 ? account[0] : nil, refusal: (409, "token_exists")
                ) { TokenFile.add(made.entry, to: &$0) }
                guard isNew else {
                    throw CommandFailure(
                        69, "There is a token \"\(name)\" already; revoke it first, or choose another name.")
                }
                Console.write(made.text + "\n")
                Console.writeError(
                    "This is the token \"\(name)\" (\(scopes); accounts: \(made.entry.accounts)). It is not shown again: only its "
                        + "hash is in \(file.path).\n")
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the tokens, without what they are.")
        @OptionGroup var file: FileOptions

        func run() async throws {
            try await Failure.exitCleanly {
                let tokens = try TokenFile(reading: file.path)
                try require(!tokens.isPlain, "\(file.path) has plain tokens, one a line, which have no names.")
                guard !tokens.tokens.isEmpty else {
                    return Console.writeError("There are no tokens in \(file.path).\n")
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
        @OptionGroup var file: FileOptions

        func run() async throws {
            try await Failure.exitCleanly {
                let found = try file.change("tokens revoke \(name)", refusal: (404, "unknown_token")) { tokens in
                    let before = tokens.count
                    tokens.removeAll { $0.name == name }
                    return tokens.count < before
                }
                guard found else {
                    throw CommandFailure(
                        66, "There is no token \"\(name)\" in \(file.path); candlewire tokens list shows them.")
                }
                Console.writeError("The token \"\(name)\" is revoked.\n")
            }
        }
    }
}
