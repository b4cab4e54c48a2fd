public import Foundation
public import MarketModel

/// How people write a study: `rsi`, `ema:50`, `bollinger:20:2.5`, `ema:20:hl2`.
///
/// The kind's identifier, then its parameters in order and, where its formula leaves the choice, the price it is
/// computed from, with colons between. What is left out keeps its usual value.
public enum StudyNotation {
    /// Reads one study.
    /// - Throws: `ExportError` that says what is allowed; also for a parameter outside of its range.
    public static func parse(_ text: String) throws(ExportError) -> StudySettings {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let name = parts.first, let kind = StudyKind(identifier: name) else {
            throw ExportError("study", "“\(text.prefix(40))” is not a valid study; use one of \(kinds).")
        }
        var settings = StudySettings(kind)
        var index = 0
        for part in parts.dropFirst() {
            if let source = PriceSource(identifier: part), kind.defaultSource != nil {
                settings.source = source
                continue
            }
            guard index < kind.parameters.count else {
                throw ExportError("study", "\(text.prefix(40)): \(notation(of: kind)) has no more parts.")
            }
            let parameter = kind.parameters[index]
            guard let value = Double(part), value.isFinite, parameter.clamped(value) == value else {
                throw ExportError(
                    "study",
                    "\(text.prefix(40)): \(parameter.name) is “\(part.prefix(20))”; use a \(parameter.isWhole ? "whole " : "")"
                        + "number from \(plain(parameter.range.lowerBound)) to \(plain(parameter.range.upperBound)).")
            }
            settings[index] = value
            index += 1
        }
        return settings
    }

    /// `bollinger:20:2`, with the source where it is not the usual one. `parse` reads it back.
    public static func text(_ settings: StudySettings) -> String { parts(settings).joined(separator: ":") }

    /// Every study, with its parameters' names: `rsi:period`.
    public static var help: String { StudyKind.allCases.map(notation(of:)).joined(separator: ", ") }
    private static var kinds: String { StudyKind.allCases.map { "\($0.identifier)" }.joined(separator: ", ") }

    private static func notation(of kind: StudyKind) -> String {
        (["\(kind.identifier)"] + kind.parameters.map { "\($0.name)".replacing(" ", with: "-") }).joined(separator: ":")
    }

    static func parts(_ settings: StudySettings) -> [String] {
        var parts = ["\(settings.kind.identifier)"]
        for index in 0..<settings.parameterCount { parts.append(plain(settings[index])) }
        if let usual = settings.kind.defaultSource, settings.source != usual {
            parts.append("\(settings.source.identifier)")
        }
        return parts
    }

    /// A number without a needless `.0`.
    static func plain(_ value: Double) -> String {
        value == value.rounded() && value.magnitude <= 1e15 ? String(Int(value)) : String(value)
    }
}

/// What is wrong with a request for a picture or a table: which field, and what it may be.
public struct ExportError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// The field's name, with underscores between its words.
    public let field: String
    /// One sentence.
    public let description: String
    public var errorDescription: String? { description }

    public init(_ field: String, _ description: String) {
        self.field = field
        self.description = description
    }
}
