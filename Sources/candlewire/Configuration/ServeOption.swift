import ArgumentParser
import Foundation
import MarketFeeds

/// An option of `serve` as its help has it, and so as a file and the environment may set it: every option of `ServeCommand`
/// is one, without another line of code.
struct ServeOption: Sendable, Equatable {
    /// Without dashes in front: `data-dir`. So a file names it.
    let name: String
    let isFlag: Bool
    let isRepeating: Bool
    /// What the values may be, where they are words of a list.
    let allowed: [String]
    /// As the help shows it; `nil`: none, or one that is no value.
    let defaultValue: String?
    /// The default for people: its value, or what the help says of it.
    let defaultText: String

    /// `CANDLEWIRE_DATA_DIR`.
    var variable: String { "CANDLEWIRE_" + name.uppercased().replacing("-", with: "_") }

    /// Names where the configuration itself is: no file can.
    static let fileName = "config"

    /// What a running server takes over at SIGHUP; the rest needs a restart.
    static let reloadable: Set<String> = ["allow-origin", "log-level", "log-level-of"]

    /// All of them, in the order of the help.
    static let all: [ServeOption] = {
        struct Document: Decodable { var command: Command }
        struct Command: Decodable { var arguments: [Argument] }
        struct Name: Decodable { var name: String }
        struct Argument: Decodable {
            var kind: String
            var isRepeating: Bool
            var preferredName: Name?
            var defaultValue: String?
            var allValues: [String]?
            var abstract: String?

            /// As in "Default: ledger.key in the data folder."
            var namedDefault: String? {
                guard let mark = abstract?.range(of: "Default: ") else { return nil }
                let rest = abstract?[mark.upperBound...] ?? ""
                let sentence = rest[..<(rest.range(of: ". ")?.lowerBound ?? rest.endIndex)]
                return String(sentence.hasSuffix(".") ? sentence.dropLast() : sentence)
            }
        }
        let text = Data(ServeCommand._dumpHelp().utf8)
        let arguments = (try? JSONDecoder().decode(Document.self, from: text))?.command.arguments ?? []
        return arguments.compactMap { argument in
            guard let name = argument.preferredName?.name, !["help", "version"].contains(name) else { return nil }
            let isFlag = argument.kind == "flag"
            let value = argument.defaultValue ?? (isFlag ? "false" : nil)
            return ServeOption(
                name: name, isFlag: isFlag, isRepeating: argument.isRepeating, allowed: argument.allValues ?? [],
                defaultValue: value, defaultText: value ?? argument.namedDefault ?? "none")
        }
    }()

    static func named(_ name: String) -> ServeOption? { all.first { $0.name == name } }

    /// The arguments that set it to these values.
    /// - Throws: `CommandFailure` where a flag's value is neither yes nor no.
    func arguments(_ values: [String]) throws(CommandFailure) -> [String] {
        guard isFlag else { return values.map { "--\(name)=\($0)" } }
        switch values.last?.lowercased() {
        case "true", "yes", "on", "1": return ["--\(name)"]
        case "false", "no", "off", "0": return []
        default: throw .usage("\(name) is \"\(values.last ?? "")\"; allowed are true and false.")
        }
    }

    /// A value for people: of addresses only what cannot be a secret.
    func shown(_ value: String) -> String {
        let isSecret = ["secret", "password", "passphrase"].contains { name.contains($0) }
        if isSecret { return "(not shown)" }
        guard let mark = value.firstRange(of: "://") else { return value }
        // Perhaps behind a feed's name: NAME=URL.
        let begin = value[..<mark.lowerBound].lastIndex(of: "=").map(value.index(after:)) ?? value.startIndex
        return String(value[..<begin]) + FeedAddress.shown(String(value[begin...]))
    }
}
