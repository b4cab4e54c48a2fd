import ArgumentParser
import Foundation
import MarketFeeds

/// `candlewire doctor`: what of this machine, the configuration and the data would trouble a server, and what to do.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check this machine, the configuration and the data, and say what to do.",
        discussion: """
            Give it the options of serve: it checks what these use. Venues are asked only where --feed names them. \
            Nothing is changed; a small file in the data folder is written and removed, to measure the disk. Ends with \
            1 where there is a problem; warnings alone end with 0.

            EXAMPLES
              candlewire doctor
              candlewire doctor --config /etc/candlewire/candlewire.conf
              candlewire doctor --feed coinbase:BTC-USD --port 9000
            """)

    @Flag(help: "Print one JSON document.") var json = false
    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Options as serve has them.", valueName: "options"))
    var options: [String] = []

    func run() async throws {
        try await Failure.exitCleanly {
            let settings = try ServeSettings(flags: options, environment: ProcessInfo.processInfo.environment)
            let problems = await settings.problems()
            // The rest can be checked with the options as far as they are right.
            let command = try (try? settings.command()) ?? ServeCommand.parse(options)
            var findings = DoctorMachine.versions()
            findings.append(optionsFinding(settings, problems))
            findings += await DoctorNetwork.port(host: command.host, port: command.port)
            findings += DoctorMachine.clock(directory: command.dataDir)
            findings += DoctorData.disk(command.dataDir)
            findings += DoctorData.permissions(command.dataDir, secrets: secrets(settings))
            findings += DoctorData.databases(command.dataDir)
            findings += DoctorMachine.limits(
                connections: command.connections.maxConnections + command.connections.maxHttpConnections)
            findings += await DoctorNetwork.feeds(command.feed, addresses: command.url)
            if json { try document(findings) } else { page(findings) }
            if findings.contains(where: { $0.status == .problem }) { throw ExitCode(1) }
        }
    }

    /// Files of keys and tokens that the options name.
    private func secrets(_ settings: ServeSettings) -> [String] {
        let names = ["key", "keys", "token-file", "credentials"]
        return settings.settings.filter { setting in names.contains { setting.option.name.hasSuffix($0) } }
            .flatMap(\.values)
    }

    private func optionsFinding(_ settings: ServeSettings, _ problems: [ServeSettings.Problem]) -> DoctorFinding {
        guard !problems.isEmpty else {
            return DoctorFinding(
                "configuration", .ok, settings.path.map { "\($0) and the options are right" } ?? "the options are right"
            )
        }
        return DoctorFinding(
            "configuration", .problem, problems.map(\.description).joined(separator: " "),
            "correct the values; candlewire config show prints where each comes from")
    }

    private func page(_ findings: [DoctorFinding]) {
        let width = findings.map(\.name.count).max() ?? 0
        for finding in findings {
            let name = finding.name.padding(toLength: width, withPad: " ", startingAt: 0)
            let status = finding.status.rawValue.padding(toLength: 7, withPad: " ", startingAt: 0)
            Console.write("\(status)  \(name)  \(TextTable.printable(finding.text))\n")
            guard let advice = finding.advice else { continue }
            Console.write("\(String(repeating: " ", count: 11 + width))→ \(TextTable.printable(advice))\n")
        }
    }

    private func document(_ findings: [DoctorFinding]) throws {
        struct Document: Encodable {
            var ok: Bool
            var findings: [DoctorFinding]
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let isOK = !findings.contains { $0.status == .problem }
        Console.write(
            String(decoding: try encoder.encode(Document(ok: isOK, findings: findings)), as: UTF8.self) + "\n")
    }
}

/// One line of what `doctor` found.
struct DoctorFinding: Encodable, Sendable {
    enum Status: String, Encodable, Sendable {
        case ok
        /// The server runs, but perhaps not as wished.
        case warning
        /// The server will not start, or will lose or show what it should not.
        case problem
    }

    var name: String
    var status: Status
    var text: String
    /// What to do.
    var advice: String?

    init(_ name: String, _ status: Status, _ text: String, _ advice: String? = nil) {
        (self.name, self.status, self.text, self.advice) = (name, status, text, advice)
    }
}
