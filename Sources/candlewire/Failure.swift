import ArgumentParser
import CandlewireServer
import FinanceChartsKit
import Foundation
import HistoryStore
import MarketFeeds
import WebSocketTransport

/// Turns errors into one sentence on standard error and the customary exit code (sysexits.h).
enum Failure {
    static func exitCleanly(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as FeedError {
            throw report(error.description, code: error.kind == .usage ? 64 : 66)
        } catch let error as ServerError {
            throw report(error.description, code: 69)
        } catch let error as WebSocketConnectError {
            throw report(sentence(error.description), code: error.code == .badURL ? 64 : 69)
        } catch let error as WebSocketTLSError {
            throw report(sentence(error.description), code: error.code == .unreadableFile ? 66 : 65)
        } catch let error as WebSocketUpgradeError {
            throw report(sentence(error.description), code: 69)
        } catch let error as HistoryError {
            throw report(error.description, code: error.kind == .usage || error.kind == .invalidURL ? 64 : 69)
        } catch let error as CommandFailure {
            throw report(error.sentence(), code: error.code)
        } catch let error as CandleCSVError {
            // It begins with the file's name, as it is.
            throw report(ended(error.description), code: 65)
        } catch let error as StoreError {
            throw report(error.description, code: 73)
        }
    }

    private static func sentence(_ text: String) -> String {
        ended(text.prefix(1).uppercased() + text.dropFirst())
    }

    private static func ended(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }

    /// - Parameter code: of an error that has none of its own.
    static func report(_ error: any Error, otherwise code: Int32) -> ExitCode {
        report("\(error)", code: (error as? CommandFailure)?.code ?? code)
    }

    static func report(_ sentence: String, code: Int32) -> ExitCode {
        // A peer's or a file's own words may be in it.
        let lines = sentence.split(separator: "\n", omittingEmptySubsequences: false).map {
            TextTable.printable("\($0)")
        }
        Console.writeError("Error: \(lines.joined(separator: "\n"))\n")
        return ExitCode(code)
    }
}

/// Why a command cannot go on: one sentence, and the code the program ends with (sysexits.h).
struct CommandFailure: Error, CustomStringConvertible {
    let code: Int32
    let description: String
    /// The field of the request that a server refused, as on the wire.
    var field: String?
    /// The server's document, where it refused.
    var document: String?

    init(_ code: Int32, _ description: String, field: String? = nil, document: String? = nil) {
        self.code = code
        self.description = description
        self.field = field
        self.document = document
    }

    static func usage(_ description: String) -> CommandFailure { CommandFailure(64, description) }
}
