import ArgumentParser
import Foundation
import MarketServices

/// `candlewire consult`: a consultation in the terminal.
struct ConsultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consult",
        abstract: "Ask the assistant: answers come word by word.",
        discussion: """
            Without a question, starts a conversation; /help lists the commands. Ctrl-C
            stops an answer, once more leaves. The client reconnects and resumes by itself
            when the connection drops; --resume continues a conversation later.

            Orders that the assistant proposes are paper orders, and placed only when you
            say so.

            EXAMPLES
              candlewire consult
              candlewire consult "How is BTC-USD?"
              candlewire consult --type nutrition "I want to lose weight"
              candlewire consult --list
              candlewire consult --resume 4f7c3f5e-8d0c-4a35-9b61-0d6d7d2f9a10
              echo "Which feeds are stale?" | candlewire consult --json
              candlewire consult --api-key-file app.key --token-file me.jwt

            EXIT CODES
              0 answered, 1 the answer failed or was stopped, 64 wrong usage,
              66 there is no such consultation, 69 no server, 75 not now: try again,
              77 not authenticated or not authorised, 130 left with Ctrl-C
            """)

    @Argument(help: ArgumentHelp("The question. Without it, a conversation.", valueName: "text"))
    var question: [String] = []

    @Option("What a new consultation is about, as markets or nutrition.", "type") var type = "markets"
    @Option("Go on with this consultation.", "id") var resume: String?
    @Flag(help: "List your consultations, the newest first.") var list = false
    @OptionGroup var login: LoginOptions
    @OptionGroup var account: AccountOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Seconds to the first attempt to reconnect; doubled up to thirty times that.", visibility: .hidden))
    var reconnectBase = 1.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Attempts to reconnect, before it is given up.", visibility: .hidden))
    var reconnectAttempts = 10

    private var options: ServerOptions { account.options }

    func validate() throws {
        if list, resume != nil || !question.isEmpty {
            throw ValidationError("--list stands alone; --resume needs one of the ids that it shows.")
        }
        try valid(
            reconnectBase > 0 && reconnectBase <= 60,
            "--reconnect-base must be above 0 and at most 60 seconds; it is \(reconnectBase).")
    }

    func run() async throws {
        try await TradingRun.perform(options, flags: ["consultation_type": "--type", "id": "--resume"], login: login) {
            run in
            let service = ConsultService(server: run.server)
            if list { return try await show(service, run) }
            let text = try Self.text(of: question)
            let id = if let resume { try await service.find(resume) } else { try await service.begin(type) }
            let code = try await ConsultRun(
                service: service, id: id, account: account.id, tokenFile: options.tokenFile,
                headers: try login.headers(), writesJSON: options.json, isOneShot: text != nil,
                later: later(id, run.server.address),
                reconnectBase: reconnectBase, reconnectAttempts: reconnectAttempts
            ).run(question: text, isResumed: resume != nil)
            if code != 0 { throw ExitCode(code) }
        }
    }

    /// The command that goes on with this consultation.
    private func later(_ id: String, _ server: ServerAddress) -> String {
        var words = ["candlewire", "consult"]
        if server.base != ServerOptions.ownServer, var parts = URLComponents(string: server.base) {
            (parts.user, parts.password) = (nil, nil)
            words += ["--url", parts.string ?? server.base]
        }
        if let file = options.tokenFile { words += ["--token-file", file] }
        if let file = login.apiKeyFile { words += ["--api-key-file", file] }
        if let file = login.streamTokenFile { words += ["--stream-token-file", file] }
        return (words + ["--resume", id]).map(Console.shellWord).joined(separator: " ")
    }

    /// The question of the command line, else what is piped in; `nil`: it is a conversation.
    private static func text(of words: [String]) throws -> String? {
        if !words.isEmpty { return words.joined(separator: " ") }
        guard isatty(STDIN_FILENO) == 0 else { return nil }
        let piped = FileHandle.standardInput.readDataToEndOfFile()
        let text = String(decoding: piped, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        try require(!text.isEmpty, "There is no question: give one, pipe one in, or use a terminal.")
        return text
    }

    private func show(_ service: ConsultService, _ run: TradingRun) async throws {
        let answer = try await service.list()
        try run.show(answer, as: ConsultationsDocument.self) { document in
            guard !document.consultations.isEmpty else { return "no consultations\n" }
            let table = TextTable.text(document.consultations) {
                [
                    .left("CONSULTATION", $0.id), .left("TYPE", $0.type), .right("MESSAGES", $0.messages),
                    .left("UPDATED", TimeText.utc($0.updatedAt)), .left("TITLE", $0.title, .strong),
                ]
            }
            return table
                + (document.more ? "There are older ones; the server's /consultations?before=ID lists them.\n" : "")
        }
    }
}

/// What stands beside the token of `--token-file`.
struct LoginOptions: ParsableArguments {
    @Option("A file with the app's key, which some servers require beside a token.", "file") var apiKeyFile: String?
    @Option("A file with the server's stream token, which approving an order requires beside a login.", "file")
    var streamTokenFile: String?

    /// What requests and handshakes carry.
    func headers() throws -> [String: String] {
        var headers: [String: String] = [:]
        headers["X-API-Key"] = try ServerOptions.token(apiKeyFile, of: "--api-key-file")
        headers["X-Stream-Token"] = try ServerOptions.token(streamTokenFile, of: "--stream-token-file")
        return headers
    }
}

/// What a line that was typed means.
enum ConsultLine {
    case message(String)
    case empty
    case stop, retry, help, quit
    case history(Int)
    case export(format: String, file: String?)
    case decide(approve: Bool, template: String?)
    /// A sentence about what is wrong with it.
    case wrong(String)

    static let commands = """
        /stop             stop the answer (Ctrl-C, too)
        /retry            send what failed again, or ask for another answer
        /history [N]      show the last N messages, 20 without a number
        /export [markdown|json] [FILE]
                          save the whole conversation
        /approve [ID]     place the paper order that was proposed; /decline [ID] does not
        /quit             leave (Ctrl-D, too); the conversation stays
        //text            a message that begins with a slash

        """

    init(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        let rest = Array(words.dropFirst())
        switch (words.first ?? "", rest.count) {
        case _ where line.allSatisfy(\.isWhitespace): self = .empty
        case _ where line.hasPrefix("//"): self = .message(String(line.dropFirst()))
        case _ where !line.hasPrefix("/"): self = .message(line)
        case ("/stop", 0): self = .stop
        case ("/retry", 0): self = .retry
        case ("/help", 0): self = .help
        case ("/quit", 0), ("/exit", 0): self = .quit
        case ("/history", 0...1):
            let count = rest.isEmpty ? 20 : Int(rest[0]) ?? 0
            self = 1...100 ~= count ? .history(count) : .wrong("/history needs a number from 1 to 100.")
        case ("/export", 0...2):
            let format = rest.first ?? "markdown"
            self =
                ["markdown", "json"].contains(format)
                ? .export(format: format, file: rest.count == 2 ? rest[1] : nil)
                : .wrong("/export needs markdown or json, then a file.")
        case ("/approve", 0...1): self = .decide(approve: true, template: rest.first)
        case ("/decline", 0...1): self = .decide(approve: false, template: rest.first)
        default: self = .wrong("There is no \(line); /help lists what there is. //... sends a text with a slash.")
        }
    }
}

/// The consultations of a server, over REST.
struct ConsultService {
    let server: ServerConnection

    /// Begins a consultation. One whose answer gets lost is begun again and stays empty.
    /// - Returns: its id.
    func begin(_ type: String) async throws -> String {
        try await server.send("POST", ["consultations"], body: ["consultation_type": type])
            .decoded(ConsultationDocument.self).id
    }

    func delete(_ id: String) async throws { _ = try await server.send("DELETE", ["consultations", id]) }

    func find(_ id: String) async throws -> String {
        try await server.get(["consultations", id]).decoded(ConsultationDocument.self).id
    }

    func list() async throws -> ServerAnswer { try await server.get(["consultations"], [("limit", "50")]) }

    func messages(_ id: String, limit: Int) async throws -> [ConsultationMessageDocument] {
        try await server.get(["consultations", id, "messages"], [("limit", "\(limit)")])
            .decoded(ConsultationMessagesDocument.self).messages
    }

    func export(_ id: String, format: String) async throws -> Data {
        Data(try await server.get(["consultations", id, "export"], [("format", format)]).body)
    }

    /// Decides about a proposed order. Requested twice, it is the same order.
    func decide(_ id: String, template: String, approve: Bool, account: String) async throws -> ServerAnswer {
        try await server.send(
            "POST", ["consultations", id, "proposals", template], approve ? [("account", account)] : [],
            body: ["decision": approve ? "approve" : "decline"])
    }

    /// Where the conversation is streamed.
    func socket(_ id: String) -> String {
        "ws\(server.address.base.dropFirst("http".count))/ws/consultation?consultation_id=\(id)"
    }
}

struct ConsultationDocument: Decodable {
    var id: String
    var type: String
    var title: String
    var updatedAt: Double
    var messages: Int
}

struct ConsultationsDocument: Decodable {
    var consultations: [ConsultationDocument]
    var more: Bool
}

struct ConsultationMessageDocument: Decodable {
    var messageId: String
    var role: String
    var content: String
    var timestamp: Double
    var end: String?
}

struct ConsultationMessagesDocument: Decodable { var messages: [ConsultationMessageDocument] }
