import ArgumentParser
import Foundation
import MarketServices
import TradingCore

/// What all commands of a server do alike: connect, write, and report errors as sentences.
struct TradingRun {
    let server: ServerConnection
    let writesJSON: Bool

    /// The exit codes of the trading commands, for their help.
    static let exitCodes = """
        EXIT CODES
          0 done, 1 not confirmed, 64 wrong usage, 65 refused or not possible any
          more, 66 unknown to the server, 69 no server, 75 no answer or server busy:
          try again, 76 not the answer of a candlewire server, 77 not authorised
        """

    /// Runs a command's body. An error becomes a sentence on standard error and an exit code; with `--json` the server's
    /// own document goes to standard output.
    /// - Parameter flags: fields that the command calls by other names than `candlewire order` does.
    static func perform(
        _ options: ServerOptions, flags: [String: String] = [:], _ body: (TradingRun) async throws -> Void
    ) async throws {
        do {
            let run = TradingRun(server: try options.server(), writesJSON: options.json)
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
    func show(_ text: @autoclosure () -> String) {
        Console.write(writesJSON ? server.lastAnswer?.text ?? "" : text())
    }

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

    func run<Mode: TradingMode>(_ session: TradingSession<Mode>) async throws
}

extension AccountCommand {
    var options: ServerOptions { account.options }
    var fieldFlags: [String: String] { [:] }

    func run() async throws {
        try await TradingRun.perform(options, flags: fieldFlags) { run in
            if account.account.hasPrefix(Live.name + "-") {
                try await self.run(try TradingSession<Live>(run, account))
            } else {
                try await self.run(try TradingSession<Paper>(run, account))
            }
        }
    }
}

/// The services of one account while a command runs.
struct TradingSession<Mode: TradingMode> {
    let run: TradingRun
    let head: AccountHead
    private let services: LiveServiceContainer<Mode>

    init(_ run: TradingRun, _ account: AccountOptions) throws {
        self.run = run
        head = account.head
        var settings = run.server.settings
        do {
            settings.account = try AccountID<Mode>(account.account).name
        } catch {
            throw CommandFailure.usage("--account: \(error); ids look like paper-main.")
        }
        services = try LiveServiceContainer(settings)
    }

    var trading: LiveServices<Mode> { services.live }
    var portfolio: LiveServices<Mode> { services.live }
    var events: LiveServices<Mode> { services.live }

    /// Writes the server's last answer as it came, or a title and what `table` makes below it.
    func show(_ title: String, _ table: @autoclosure () -> String = "") {
        run.show(head.text(title, on: .standardOutput) + table())
    }

    /// The same with rows; where there are none, the title says so.
    func show<Row>(_ title: String, _ rows: [Row], _ table: ([Row], Ink.Surface) -> String) {
        show(rows.isEmpty ? "no \(title)" : title, rows.isEmpty ? "" : table(rows, .standardOutput))
    }

    /// An order's id from the command line.
    /// - Parameters:
    ///   - flag: nil: an argument.
    ///   - exitCode: where it is not one.
    func order(_ text: String, flag: String? = nil) throws -> OrderID<Mode> {
        do {
            return try OrderID(text)
        } catch {
            let problem = "\(error); it must be like \(head.account)-o17."
            throw CommandFailure(flag == nil ? 66 : 64, flag.map { "\($0): \(problem)" } ?? problem)
        }
    }
}
