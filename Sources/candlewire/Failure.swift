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
        do { try await body() } catch {
            guard let (sentence, code) = sentence(of: error) else { throw error }
            throw report(sentence, code: code)
        }
    }

    /// `nil`: the error has none.
    static func sentence(of error: any Error) -> (sentence: String, code: Int32)? {
        switch error {
        case let error as FeedError: (error.description, error.kind == .usage ? 64 : 66)
        case let error as ServerError: (error.description, 69)
        case let error as WebSocketConnectError:
            (capitalized(error.description), error.code == .badURL ? 64 : 69)
        case let error as WebSocketTLSError:
            (capitalized(error.description), error.code == .unreadableFile ? 66 : 65)
        case let error as WebSocketUpgradeError: (capitalized(error.description), 69)
        case let error as HistoryError:
            (error.description, error.kind == .usage || error.kind == .invalidURL ? 64 : 69)
        case let error as CommandFailure: (error.sentence(), error.code)
        // It begins with the file's name, as it is.
        case let error as CandleCSVError: (ended(error.description), 65)
        case let error as StoreError: (error.description, 73)
        default: NetworkFailure(ofNetwork: error).map { ("The network failed: \($0.words).", 69) }
        }
    }

    private static func capitalized(_ text: String) -> String { ended(text.prefix(1).uppercased() + text.dropFirst()) }

    private static func ended(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }

    /// - Parameter code: of an error that has none of its own.
    static func report(_ error: any Error, otherwise code: Int32) -> ExitCode {
        report("\(error)", code: (error as? CommandFailure)?.code ?? code)
    }

    static func report(_ sentence: String, code: Int32) -> ExitCode {
        // A peer's or a file's own words may be in it.
        Console.writeError("Error: \(TextTable.printableLines(sentence))\n")
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

    // MARK: A server's refusal

    /// Whether it may be gone in a while.
    var isPassing: Bool { code == 69 || code == 75 }

    /// Wrong usage, not there, not possible in this state, try later, or a fault of the server.
    static func code(status: Int) -> Int32 {
        switch status {
        case 400: 64
        case 401, 403: 77
        case 404: 66
        case 409, 422: 65
        case 429, 503: 75
        default: 69
        }
    }

    /// The description, with the field's name on the command line.
    /// - Parameter flags: fields that the command calls by other names than `candlewire order` does.
    func sentence(flags: [String: String] = [:]) -> String {
        let text = description.hasSuffix(".") ? description : description + "."
        guard let field, !field.isEmpty else { return text }
        return "\(flags[field] ?? Self.flags[field] ?? field): \(Self.rest(of: text, behind: field))"
    }

    /// A server's message without the name that it begins with of the field, if it does.
    private static func rest(of text: String, behind field: String) -> Substring {
        let words = field.split(separator: "_").joined(separator: " ")
        for name in [words.prefix(1).uppercased() + words.dropFirst(), "Field \"\(field)\""]
        where text.hasPrefix(name + " ") {
            return text.dropFirst(name.count + 1)
        }
        return text[...]
    }

    private static let flags = [
        "quantity": "QUANTITY", "symbol": "SYMBOL", "side": "SIDE", "limit_price": "--limit", "stop_price": "--stop",
        "trail": "--trail", "time_in_force": "--tif", "post_only": "--post-only", "reduce_only": "--reduce-only",
        "leverage": "--leverage", "take_profit": "--take-profit", "stop_loss": "--stop-loss", "account": "--account",
        "client_order_id": "--client-order-id", "oco_group": "--oco-group", "capital": "--capital",
        "currency": "--currency", "name": "NAME", "status": "--status", "limit": "--limit", "type": "--type",
        "version": "--if-version", "order": "--order", "before": "--before",
    ]
}

/// - Throws: wrong usage, where the condition does not hold.
func require(_ condition: Bool, _ sentence: @autoclosure () -> String) throws(CommandFailure) {
    guard condition else { throw .usage(sentence()) }
}

/// - Throws: wrong usage, where there is no value.
func require<Value>(_ value: Value?, _ sentence: @autoclosure () -> String) throws(CommandFailure) -> Value {
    guard let value else { throw .usage(sentence()) }
    return value
}

/// - Throws: wrong usage that is found while the command line is read, where there is no value: the usage is shown, too.
func valid<Value>(_ value: Value?, _ sentence: @autoclosure () -> String) throws -> Value {
    guard let value else { throw ValidationError(sentence()) }
    return value
}

/// The same where a condition does not hold.
func valid(_ condition: Bool, _ sentence: @autoclosure () -> String) throws {
    guard condition else { throw ValidationError(sentence()) }
}
