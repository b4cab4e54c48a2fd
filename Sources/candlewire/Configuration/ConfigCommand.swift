import ArgumentParser
import Foundation

/// `candlewire config`: what `serve` is configured with, and whether a file is right.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Check a configuration file, and show the options that serve would have.",
        discussion: """
            Every option of serve can stand in a file (KEY = VALUE, the key being the option without its dashes) and \
            in the environment (CANDLEWIRE_ and the option in capitals). The command line comes before the \
            environment, and that before the file. Docs/configuration.md has the table.

            EXAMPLES
              candlewire config check /etc/candlewire/candlewire.conf
              candlewire config show --config /etc/candlewire/candlewire.conf
            """,
        subcommands: [Check.self, Show.self])

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Name each line of a file that serve would refuse, and what is allowed.",
            discussion: """
                Files that the options name are read. Nothing is started. Ends with 65 where something is wrong.

                EXAMPLES
                  candlewire config check candlewire.conf
                """)

        @Argument("The configuration file.", "file") var file: String

        func run() async throws {
            try await Failure.exitCleanly {
                let settings = try ServeSettings(
                    flags: ["--config=\(file)"], environment: ProcessInfo.processInfo.environment)
                let problems = await settings.problems()
                for problem in problems { Console.writeError("\(TextTable.printableLines(problem.description))\n") }
                guard problems.isEmpty else { throw ExitCode(65) }
                let count = settings.settings.count { if case .file = $0.source { true } else { false } }
                Console.write("\(file) is right: it sets \(count) option\(count == 1 ? "" : "s").\n")
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the value of each option of serve, and where it comes from.",
            discussion: """
                Addresses are printed without users, passwords and queries, and files by their names alone.

                EXAMPLES
                  candlewire config show --config candlewire.conf --port 9000
                """)

        @Flag(help: "Print one JSON document.") var json = false
        @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Options as serve has them.", valueName: "options"))
        var options: [String] = []

        func run() async throws {
            try await Failure.exitCleanly {
                let settings = try ServeSettings(flags: options, environment: ProcessInfo.processInfo.environment)
                _ = try settings.command()
                if json { try document(settings) } else { table(settings) }
            }
        }

        private func table(_ settings: ServeSettings) {
            let width = settings.settings.map(\.option.name.count).max() ?? 0
            for setting in settings.settings {
                let values =
                    setting.values.isEmpty ? [setting.option.defaultText] : setting.values.map(setting.option.shown)
                for value in values {
                    let name = setting.option.name.padding(toLength: width, withPad: " ", startingAt: 0)
                    Console.write("\(name)  \(TextTable.printable(value))  (\(setting.source))\n")
                }
            }
        }

        private func document(_ settings: ServeSettings) throws {
            struct Line: Encodable {
                var option: String
                var values: [String]
                var source: String
            }
            let lines = settings.settings.map { setting in
                Line(
                    option: setting.option.name, values: setting.values.map(setting.option.shown),
                    source: "\(setting.source)")
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            Console.write(String(decoding: try encoder.encode(lines), as: UTF8.self) + "\n")
        }
    }
}
