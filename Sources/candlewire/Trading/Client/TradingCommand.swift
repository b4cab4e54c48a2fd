import ArgumentParser
import Foundation
import HTTPTransport
import MarketServices
import Synchronization
import TradingCore

/// What all commands of a server do alike: connect, write, and report errors as sentences.
struct TradingRun {
    let server: ServerConnection
    let writesJSON: Bool

    /// The exit codes of the trading commands, for their help.
    static let exitCodes = """
        EXIT CODES
          0 done, 1 not confirmed, 64 wrong usage, 65 rejected or no longer possible,
          66 not found, 69 server not reachable, 75 no answer or server busy: try
          again, 76 not the answer of a candlewire server, 77 not authorised
        """

    /// Runs a command's body. An error becomes a sentence on standard error and an exit code; with `--json` the server's
    /// own document goes to standard output.
    /// - Parameter flags: fields that the command calls by other names than `candlewire order` does.
    static func perform(
        _ options: ServerOptions, flags: [String: String] = [:], login: LoginOptions? = nil,
        _ body: (TradingRun) async throws -> Void
    ) async throws {
        do {
            let run = TradingRun(server: try options.server(login?.headers() ?? [:]), writesJSON: options.json)
            do {
                try await body(run)
            } catch let error as ServiceError {
                // A document that this version cannot read is still the server's document.
                if options.json, error.kind == .badAnswer, let answer = run.server.lastAnswer, answer.isSuccess {
                    Console.write(answer.text)
                    return
                }
                throw run.server.failure(error)
            }
        } catch let failure as CommandFailure {
            if options.json, let document = failure.document { Console.write(document) }
            throw Failure.report(failure.sentence(flags: flags), code: failure.code)
        }
    }

    /// Writes the server's last answer as it came, or the text.
    func show(_ text: @autoclosure () -> String) { Console.write(writesJSON ? server.lastAnswer?.text ?? "" : text()) }

    /// Writes the answer, or what `text` makes of its document.
    func show<Document: Decodable>(
        _ answer: ServerAnswer, as type: Document.Type, _ text: (Document) -> String
    ) throws {
        Console.write(writesJSON ? answer.text : text(try answer.decoded(type)))
    }
}

/// A command that reads or trades one account of a server.
protocol AccountCommand: AsyncParsableCommand {
    var account: AccountOptions { get }
    /// Fields that the command calls by other names than `candlewire order` does.
    var fieldFlags: [String: String] { get }
    /// The orders on the command line, whose ids name their account.
    var orderIDs: [String] { get }

    func run<Mode: TradingMode>(_ session: TradingSession<Mode>) async throws
}

extension AccountCommand {
    var options: ServerOptions { account.options }
    var fieldFlags: [String: String] { [:] }
    var orderIDs: [String] { [] }

    func run() async throws {
        try await TradingRun.perform(options, flags: fieldFlags) { run in
            let account = try accountID()
            if account.hasPrefix(Live.name + "-") {
                try await self.run(try TradingSession<Live>(run, account: account))
            } else {
                try await self.run(try TradingSession<Paper>(run, account: account))
            }
        }
    }

    /// The account of the order ids, else the one given, else the main one.
    /// - Throws: `CommandFailure` where two of them differ.
    private func accountID() throws -> String {
        var found: (account: String, order: String)?
        for id in orderIDs {
            let own = (try? OrderID<Paper>(id))?.account.description ?? (try? OrderID<Live>(id))?.account.description
            // What is no id is an error of the command itself.
            guard let own else { continue }
            if let found, found.account != own {
                throw CommandFailure.usage(
                    "\(id) is an order of \(own), \(found.order) one of \(found.account). Give orders of one account at "
                        + "a time.")
            }
            found = (own, id)
        }
        if let found, let given = account.account, given != found.account {
            throw CommandFailure.usage(
                "\(found.order) is an order of \(found.account), and --account names \(given). Leave out --account, or "
                    + "give an order of \(given).")
        }
        return found?.account ?? account.id
    }
}

/// The services of one account while a command runs.
struct TradingSession<Mode: TradingMode> {
    let run: TradingRun
    let head: AccountHead
    private let services: LiveServiceContainer<Mode>

    init(_ run: TradingRun, account: String) throws {
        self.run = run
        head = AccountHead(account: account)
        var settings = run.server.settings
        do { settings.account = try AccountID<Mode>(account).name } catch {
            throw CommandFailure.usage("--account: \(error); ids look like paper-main.")
        }
        services = try LiveServiceContainer(settings)
    }

    var trading: LiveServices<Mode> { services.live }

    /// Writes the server's last answer as it came, or a title and what `table` makes below it.
    func show(_ title: String, _ table: @autoclosure () -> String = "") { run.show(head.text(title) + table()) }

    /// The same with rows; where there are none, the title says so.
    func show<Row>(_ title: String, _ rows: [Row], _ table: ([Row]) -> String) {
        show(rows.isEmpty ? "no \(title)" : title, rows.isEmpty ? "" : table(rows))
    }

    /// An order's id from the command line.
    /// - Parameter flag: nil: an argument.
    func order(_ text: String, flag: String? = nil) throws -> OrderID<Mode> {
        do { return try OrderID(text) } catch {
            let problem = "\(error); it must be like \(head.account)-o17."
            throw CommandFailure(flag == nil ? 66 : 64, flag.map { "\($0): \(problem)" } ?? problem)
        }
    }
}

/// A server's REST interface: the client of MarketServices, and the last answer as it came.
struct ServerConnection: Sendable {
    let address: ServerAddress
    /// For services of the same server.
    let settings: LiveServiceSettings
    private let rest: RESTClient
    private let answers = Answers()

    /// - Parameters:
    ///   - token: sent with each request; nil: none.
    ///   - timeout: seconds for an answer.
    ///   - headers: more of each request.
    init(_ address: ServerAddress, token: String?, timeout: Double, headers: [String: String] = [:]) {
        self.address = address
        var settings = LiveServiceSettings(url: address.base)
        settings.headers = headers
        settings.requestTimeout = timeout
        settings.retry.retriesUnreachable = false
        if let token { settings.authorization = { token } }
        settings.onAnswer = answers.add
        self.settings = settings
        rest = RESTClient(settings)
    }

    private final class Answers: Sendable {
        let content = Mutex<(newest: ServerAnswer?, refusal: ServerAnswer?)>((nil, nil))

        func add(_ answer: ServerAnswer) {
            content.withLock {
                $0.newest = answer
                if !answer.isSuccess {
                    $0.refusal = answer
                } else if $0.refusal?.correlationID == answer.correlationID {
                    $0.refusal = nil
                }
            }
        }
    }

    /// The newest answer of the server, errors included.
    var lastAnswer: ServerAnswer? { answers.content.withLock { $0.newest } }

    var accounts: LiveAccountService { LiveAccountService(rest: rest) }

    func get(_ path: [String], _ query: [(String, String?)] = []) async throws -> ServerAnswer {
        try await send("GET", path, query)
    }

    /// Sends a request, again where the answer got lost or the server is busy. So a second one must do nothing more: it
    /// reads, it sets, or it carries an id by which the server knows it.
    /// - Throws: `CommandFailure`, also for an answer that is not a success.
    func send(
        _ method: String, _ path: [String], _ query: [(String, String?)] = [], body: [String: String]? = nil
    ) async throws -> ServerAnswer {
        do throws(ServiceError) { return try await rest.send(method, path, query: query, body: body) } catch {
            throw failure(error)
        }
    }

    /// A service's error as a sentence and an exit code.
    /// - Parameter unknown: a sentence for a request that was sent and got no answer.
    func failure(_ error: ServiceError, unknown: String? = nil) -> CommandFailure {
        switch error.kind {
        case .network where error.code == ServiceError.unreachable:
            return CommandFailure(
                69, "No candlewire server answers at \(address.base). Give another address with --url.")
        case .network, .timedOut:
            let problem =
                error.kind == .timedOut ? "did not answer in time" : "closed the connection before it had answered"
            let outcome = error.mayHaveHappened ? unknown.map { " " + $0 } ?? "" : ""
            return CommandFailure(75, "The server at \(address.base) \(problem).\(outcome)")
        default: break
        }
        let refusal = answers.content.withLock { $0.refusal }
        guard let answer = refusal, answer.correlationID == error.correlationID else {
            return error.kind == .badAnswer
                ? CommandFailure(76, "\(error.message) --json shows it.")
                : CommandFailure(64, error.message)
        }
        guard !error.code.isEmpty else {
            return CommandFailure(
                76,
                "\(address.base) answered with status \(answer.status) and without a reason; is it a candlewire "
                    + "server?")
        }
        return CommandFailure(
            CommandFailure.code(status: answer.status), error.message, field: error.field, document: answer.text)
    }
}

extension ServerAnswer {
    /// The document as it came, with one line end.
    var text: String {
        let text = String(decoding: body, as: UTF8.self)
        return text.hasSuffix("\n") ? text : text + "\n"
    }

    /// - Parameter names: how the document's names become those of the type.
    func decoded<Document: Decodable>(
        _ type: Document.Type, names: JSONDecoder.KeyDecodingStrategy = .convertFromSnakeCase
    ) throws -> Document {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = names
        do { return try decoder.decode(type, from: Data(body)) } catch {
            throw CommandFailure(
                76, "The server's answer cannot be understood: \(Self.place(of: error)). --json shows it.")
        }
    }
}

/// A server as `--url` names it.
struct ServerAddress: Equatable, Sendable {
    /// `http://host:port`, without a slash at its end.
    let base: String

    /// - Parameter text: `http://host[:port]`, `https://...`, or the address of its stream (`ws://host/v1/stream`).
    init(_ text: String) throws {
        guard var components = URLComponents(string: text), let host = components.host, !host.isEmpty,
            let scheme = components.scheme?.lowercased(),
            let http = ["http": "http", "https": "https", "ws": "http", "wss": "https"][scheme]
        else { throw Self.refused(text) }
        if scheme.hasPrefix("ws") { components.path = "" }
        components.scheme = http
        components.query = nil
        components.fragment = nil
        while components.path.hasSuffix("/") { components.path.removeLast() }
        guard let base = components.string else { throw Self.refused(text) }
        self.base = base
    }

    private static func refused(_ text: String) -> CommandFailure {
        .usage("--url must be http://HOST[:PORT] or https://HOST[:PORT]; it is \"\(text)\".")
    }
}

/// Which server to use, and how to write its answer.
struct ServerOptions: ParsableArguments {
    /// Where `candlewire serve` listens by default.
    static let ownServer = "http://127.0.0.1:8080"

    @Option("The server: http://HOST[:PORT] or https://HOST[:PORT].", "url") var url = ServerOptions.ownServer
    @Option(signed: "How long to wait for an answer.", "seconds") var timeout = 30.0
    @Option("A file with the token that the server requires.", "file") var tokenFile: String?
    @Flag(help: "Write the server's document as it is, also for an error.") var json = false

    func validate() throws {
        try valid(
            timeout > 0 && timeout <= 3600, "--timeout must be above 0 and at most 3600 seconds; it is \(timeout).")
    }

    func server(_ headers: [String: String] = [:]) throws -> ServerConnection {
        ServerConnection(try ServerAddress(url), token: try Self.token(tokenFile), timeout: timeout, headers: headers)
    }

    /// The present content of a token file.
    static func token(_ tokenFile: String?, of option: String = "--token-file") throws -> String? {
        guard let tokenFile else { return nil }
        guard let text = try? String(contentsOfFile: tokenFile, encoding: .utf8) else {
            throw CommandFailure(66, "\(tokenFile) cannot be read; \(option) names a file with a token.")
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// Whose orders, positions and money.
struct AccountOptions: ParsableArguments {
    @Option(
        "The account's id, or the name of a paper account. Default: that of the order's id, else paper-main.", "id")
    var account: String?
    @OptionGroup(title: "Server") var options: ServerOptions

    mutating func validate() {
        guard let account, !account.hasPrefix(Paper.name + "-"), !account.hasPrefix(Live.name + "-") else { return }
        self.account = "\(Paper.name)-\(account)"
    }

    /// The account that was given, else the main one.
    var id: String { account ?? "\(Paper.name)-main" }
}
