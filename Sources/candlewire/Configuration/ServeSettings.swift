import ArgumentParser
import CandlewireServer
import Configuration
import Foundation
import HistoryStore
import MarketFeeds

/// The options of `serve` from everywhere: the command line, then the environment, then the configuration file.
struct ServeSettings: Sendable {
    /// Where a value comes from.
    enum Source: Sendable, Equatable, CustomStringConvertible {
        case flag
        case environment(String)
        case file(String, line: Int)
        case byDefault

        var description: String {
            switch self {
            case .flag: "command line"
            case .environment(let variable): variable
            case .file(let path, let line): "\(path), line \(line)"
            case .byDefault: "default"
            }
        }
    }

    struct Setting: Sendable, Equatable {
        var option: ServeOption
        /// One, or as many as were given of a repeatable option; none: not set.
        var values: [String]
        var source: Source
    }

    /// Something that keeps the server from starting.
    struct Problem: Sendable, Equatable, CustomStringConvertible {
        var source: Source?
        var sentence: String

        var description: String { source.map { "\($0): \(sentence)" } ?? sentence }
    }

    /// As they were given.
    let flags: [String]
    /// Of each option, in the order of the help.
    let settings: [Setting]
    /// The configuration file; `nil`: none.
    let path: String?
    /// Lines of the file that cannot be used.
    let flaws: [OptionFile.Flaw]

    private static let key = "candlewire"
    /// Between the values of a repeatable option in the environment: a comma is part of `sim:BTC-USD,ETH-USD`.
    static let separator: Character = ";"

    /// - Parameters:
    ///   - flags: the arguments of `serve`.
    ///   - environment: the process's variables.
    /// - Throws: `CommandFailure` where the configuration file cannot be read.
    init(flags: [String], environment: [String: String]) throws {
        self.flags = flags
        let given = Self.given(in: flags)
        // An empty variable is one that is not set, as files of variables have them.
        let variables = environment.filter { $0.key.hasPrefix("CANDLEWIRE_") && !$0.value.isEmpty }
        let set = EnvironmentVariablesProvider(environmentVariables: variables, arraySeparator: Self.separator)
        let path = try given[ServeOption.fileName]?.last ?? Self.values(of: ServeOption.fileName, false, in: set)?.last
        self.path = path
        let file = try path.map { try OptionFile(path: $0) }
        flaws = file?.flaws ?? []
        let entries = Dictionary(grouping: file?.entries ?? [], by: \.key)
        let filed = InMemoryProvider(
            name: path,
            values: Dictionary(
                uniqueKeysWithValues: entries.map { key, entries in
                    let values = entries.map(\.value)
                    let isRepeating = ServeOption.named(key)?.isRepeating == true
                    let content = isRepeating ? ConfigContent.stringArray(values) : .string(values.last ?? "")
                    return (AbsoluteConfigKey([Self.key, key]), ConfigValue(content, isSecret: false))
                }))
        settings = try ServeOption.all.map { option in
            if let values = given[option.name] { return Setting(option: option, values: values, source: .flag) }
            if let values = try Self.values(of: option.name, option.isRepeating, in: set) {
                return Setting(option: option, values: values, source: .environment(option.variable))
            }
            if let path, let line = entries[option.name]?.first?.line,
                let values = try Self.values(of: option.name, option.isRepeating, in: filed)
            {
                return Setting(option: option, values: values, source: .file(path, line: line))
            }
            return Setting(option: option, values: option.defaultValue.map { [$0] } ?? [], source: .byDefault)
        }
    }

    /// Those of the process, which was started as `candlewire serve …`.
    static func ofProcess() throws -> ServeSettings {
        let arguments = CommandLine.arguments
        let flags = arguments.firstIndex(of: "serve").map { Array(arguments[($0 + 1)...]) } ?? []
        return try ServeSettings(flags: flags, environment: ProcessInfo.processInfo.environment)
    }

    private static func values(
        of name: String, _ isRepeating: Bool, in provider: some ConfigProvider
    ) throws -> [String]? {
        let result = try provider.value(
            forKey: AbsoluteConfigKey([key, name]), type: isRepeating ? .stringArray : .string)
        switch result.value?.content {
        case .string(let text): return [text]
        case .stringArray(let texts): return texts
        default: return nil
        }
    }

    /// What the command line sets, by the options' names.
    static func given(in flags: [String]) -> [String: [String]] {
        var given: [String: [String]] = [:]
        var rest = flags[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else { continue }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first.map(String.init), let option = ServeOption.named(name) else { continue }
            let value = option.isFlag ? "true" : parts.count == 2 ? String(parts[1]) : rest.popFirst() ?? ""
            given[name, default: []].append(value)
        }
        return given
    }

    // MARK: The command

    /// The options that are not on the command line, as arguments.
    private func arguments(without left: Set<String> = []) throws -> [String] {
        try settings.filter { $0.source != .flag && $0.source != .byDefault && !left.contains($0.option.name) }
            .flatMap { setting throws(CommandFailure) in try setting.option.arguments(setting.values) }
    }

    /// The command with all options in place.
    /// - Throws: `CommandFailure` with the place of the first value that is wrong.
    func command() throws -> ServeCommand {
        if let problem = flawProblems.first ?? problemsOfValues.first {
            throw CommandFailure.usage(problem.description)
        }
        do { return try ServeCommand.parse(try arguments() + flags) } catch {
            throw CommandFailure.usage(ServeCommand.message(for: error))
        }
    }

    private var flawProblems: [Problem] {
        flaws.map { flaw in
            Problem(source: path.map { .file($0, line: flaw.line ?? 1) }, sentence: flaw.sentence)
        }
    }

    /// Values that the command line would refuse by themselves.
    private var problemsOfValues: [Problem] {
        settings.compactMap { setting in
            guard setting.source != .flag, setting.source != .byDefault else { return nil }
            do {
                _ = try ServeCommand.parse(try setting.option.arguments(setting.values))
                return nil
            } catch let failure as CommandFailure {
                return Problem(source: setting.source, sentence: failure.description)
            } catch {
                var sentence = ServeCommand.message(for: error)
                if !setting.option.allowed.isEmpty, !sentence.contains(setting.option.allowed[0]) {
                    sentence += " Allowed are \(setting.option.allowed.joined(separator: ", "))."
                }
                return Problem(source: setting.source, sentence: sentence)
            }
        }
    }

    /// Everything that keeps the server from starting, with its place: lines, values by themselves, then what the values mean
    /// together, with files read and nothing started.
    func problems() async -> [Problem] {
        let wrong = problemsOfValues
        var problems = flawProblems + wrong
        var left = Set(settings.filter { setting in wrong.contains { $0.source == setting.source } }.map(\.option.name))
        while let sentence = await sentence(without: left) {
            let setting = await settingBehind(sentence, without: left)
            // What asks for an option that was given, and is wrong, was said with that one.
            if !left.contains(where: { Self.names($0, in: sentence) }) {
                problems.append(Problem(source: setting?.source, sentence: sentence))
            }
            guard let setting else { break }
            left.insert(setting.option.name)
        }
        return problems
    }

    /// Why the server would not start; `nil`: it would.
    private func sentence(without left: Set<String>) async -> String? {
        do {
            _ = try await ServeCommand.parse(try arguments(without: left) + flags).checkedConfiguration()
            return nil
        } catch {
            return Failure.sentence(of: error)?.sentence ?? ServeCommand.message(for: error)
        }
    }

    /// The setting without which this would not be said: one that the sentence names, else the first.
    private func settingBehind(_ sentence: String, without left: Set<String>) async -> Setting? {
        let candidates = settings.filter {
            $0.source != .flag && $0.source != .byDefault && !left.contains($0.option.name)
        }
        let named = candidates.filter { Self.names($0.option.name, in: sentence) }
        for setting in named + candidates.filter({ !named.contains($0) }) {
            if await self.sentence(without: left.union([setting.option.name])) != sentence { return setting }
        }
        return nil
    }

    /// Whether a sentence names an option, and not one whose name begins with it.
    private static func names(_ option: String, in sentence: String) -> Bool {
        sentence.ranges(of: "--\(option)").contains { found in
            let next = sentence[found.upperBound...].first
            return next?.isLetter != true && next != "-"
        }
    }

    // MARK: Reloading

    /// Options whose values differ.
    func changes(to other: ServeSettings) -> [Setting] {
        zip(settings, other.settings).filter { $0.values != $1.values }.map(\.1)
    }
}
