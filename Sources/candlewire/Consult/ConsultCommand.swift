import ArgumentParser
import Foundation

/// `candlewire consult`: a consultation in the terminal.
struct ConsultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consult",
        abstract: "Ask the assistant: answers come word by word.",
        discussion: """
            Without a question it is a conversation: /help lists what can be said beside
            messages. Ctrl-C stops an answer, once more leaves. A connection that drops
            comes back by itself and goes on where it was; --resume goes on later.

            Orders that the assistant proposes are paper orders, and placed only when you
            say so.

            EXAMPLES
              candlewire consult
              candlewire consult "How is BTC-USD?"
              candlewire consult --type nutrition "I want to lose weight"
              candlewire consult --list
              candlewire consult --resume 4f7c3f5e-8d0c-4a35-9b61-0d6d7d2f9a10
              echo "Which feeds are stale?" | candlewire consult --json

            EXIT CODES
              0 answered, 1 the answer failed or was stopped, 64 wrong usage, 66 there is no
              such consultation, 69 no server, 75 not now: try again, 77 who you are is not
              known or not enough, 130 left with Ctrl-C
            """)

    @Argument(help: ArgumentHelp("The question. Without it, a conversation.", valueName: "text"))
    var question: [String] = []

    @Option(help: ArgumentHelp("What a new consultation is about, as markets or nutrition.", valueName: "type"))
    var type = "markets"

    @Option(help: ArgumentHelp("Go on with this consultation.", valueName: "id"))
    var resume: String?

    @Flag(help: "List your consultations, the newest first.")
    var list = false

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
        guard reconnectBase > 0, reconnectBase <= 60 else {
            throw ValidationError("--reconnect-base must be above 0 and at most 60 seconds; it is \(reconnectBase).")
        }
    }

    func run() async throws {
        try await TradingRun.perform(options, flags: ["consultation_type": "--type", "id": "--resume"]) { run in
            let service = ConsultService(server: run.server)
            if list { return try await show(service, run) }
            let text = try Self.text(of: question)
            let id: String
            if let resume {
                id = try await service.find(resume)
            } else {
                id = try await service.begin(type)
            }
            let code = try await ConsultRun(
                service: service, id: id, account: account.account, tokenFile: options.tokenFile,
                writesJSON: options.json, isOneShot: text != nil, later: later(id, run.server.address),
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
        return (words + ["--resume", id]).map(Console.shellWord).joined(separator: " ")
    }

    /// The question of the command line, else what is piped in; `nil`: it is a conversation.
    private static func text(of words: [String]) throws -> String? {
        if !words.isEmpty { return words.joined(separator: " ") }
        guard isatty(STDIN_FILENO) == 0 else { return nil }
        let piped = FileHandle.standardInput.readDataToEndOfFile()
        let text = String(decoding: piped, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else {
            throw CommandFailure.usage("There is no question: give one, pipe one in, or use a terminal.")
        }
        return text
    }

    private func show(_ service: ConsultService, _ run: TradingRun) async throws {
        let answer = try await service.list()
        try run.show(answer, as: ConsultationsDocument.self) { document in
            guard !document.consultations.isEmpty else { return "no consultations\n" }
            var table = TextTable([
                ("CONSULTATION", .left), ("TYPE", .left), ("MESSAGES", .right), ("UPDATED", .left), ("TITLE", .left),
            ])
            for entry in document.consultations {
                table.add([
                    .init(entry.id), .init(entry.type), .init("\(entry.messages)"),
                    .init(TimeText.utc(entry.updatedAt)), .init(entry.title, .strong),
                ])
            }
            return table.text(on: .standardOutput)
                + (document.more ? "There are older ones; the server's /consultations?before=ID lists them.\n" : "")
        }
    }
}
