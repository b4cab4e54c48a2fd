import ArgumentParser
import Foundation

/// What all trading commands do alike: ask, write, and say in a sentence what went wrong.
struct TradingRun {
    let server: TradingServer
    let writesJSON: Bool

    /// Runs a command's body. An error becomes a sentence on standard error and an exit code; with `--json` the server's
    /// own document goes to standard output.
    /// - Parameter flags: fields that the command calls by other names than `candlewire order` does.
    static func perform(
        _ options: ServerOptions, flags: [String: String] = [:], _ body: (TradingRun) async throws -> Void
    ) async throws {
        do {
            try await body(TradingRun(server: try options.server(), writesJSON: options.json))
        } catch let failure as TradingFailure {
            if options.json, let document = failure.refusal?.document { write(document) }
            throw Failure.report(failure.refusal?.sentence(flags: flags) ?? failure.description, code: failure.exitCode)
        }
    }

    /// Writes the answer, or what `text` makes of its document.
    func show<Document: Decodable>(
        _ answer: TradingServer.Answer, as type: Document.Type, _ text: (Document) -> String
    ) throws {
        Self.write(writesJSON ? answer.text : text(try answer.decoded(type)))
    }

    /// - Returns: false where whoever reads this is gone (`| head`).
    @discardableResult
    static func write(_ text: String) -> Bool {
        (try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))) != nil
    }
}
