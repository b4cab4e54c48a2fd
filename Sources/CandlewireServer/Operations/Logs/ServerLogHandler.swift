import Foundation
public import Logging
import MarketModel
import StreamCore
import WebSocketTransport

/// How lines of the log are written.
public enum LogFormat: String, Sendable, CaseIterable {
    /// For people.
    case text
    /// One JSON object a line, for programs.
    case json
}

/// The log of a server: its format, its levels by subsystem, and the name of the request in each line that a request causes.
///
/// A line has at most `maxMetadata` values, each shortened to `maxValue` characters, and has no line breaks inside, whatever
/// the values are.
public struct ServerLogHandler: LogHandler {
    static let maxMetadata = 64
    static let maxValue = 2048
    static let maxMessage = 8192

    public var metadata: Logger.Metadata = [:] {
        didSet { subsystem = metadata[Logger.subsystemKey].flatMap { .init(rawValue: "\($0)") } ?? .server }
    }
    public var metadataProvider: Logger.MetadataProvider?
    private var subsystem = LogLevels.Subsystem.server
    private var ownLevel: Logger.Level?
    private let label: String
    private let levels: LogLevels
    private let format: LogFormat
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameter write: gets each line with its break; from any thread.
    public init(
        label: String, levels: LogLevels, format: LogFormat,
        write: @escaping @Sendable ([UInt8]) -> Void = ServerLogHandler.writeToStandardError
    ) {
        self.label = label
        self.levels = levels
        self.format = format
        self.write = write
    }

    /// One call for each line, so that lines do not mix.
    public static func writeToStandardError(_ line: [UInt8]) {
        // A log that nobody reads any more stops nothing.
        try? FileHandle.standardError.write(contentsOf: line)
    }

    /// The subsystem's, unless this logger has one of its own.
    public var logLevel: Logger.Level {
        get { ownLevel ?? levels[subsystem] }
        set { ownLevel = newValue }
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var all = metadata
        if let id = RequestScope.correlationID, all[RequestScope.key] == nil { all[RequestScope.key] = "\(id)" }
        if let more = metadataProvider?.get() { all.merge(more) { $1 } }
        if let more = event.metadata { all.merge(more) { $1 } }
        if let error = event.error, all["error"] == nil { all["error"] = "\(error)" }
        let sorted = all.sorted { $0.key < $1.key }.prefix(Self.maxMetadata)
            .map { (Self.shortened($0.key, Self.maxValue), Self.shortened("\($0.value)", Self.maxValue)) }
        let message = Self.shortened("\(event.message)", Self.maxMessage)
        write(
            format == .json ? json(event, message, sorted) : text(event, message, sorted))
    }

    private func json(_ event: LogEvent, _ message: String, _ metadata: [(String, String)]) -> [UInt8] {
        var line: [UInt8] = []
        line.object { sink in
            sink.fields("time", RFC3339.text(wallClock(), fractionDigits: 3), "level", event.level.rawValue)
            sink.fields("subsystem", subsystem.rawValue, "message", message, "source", event.source)
            // In an object of their own, so that none can take the place of a member above.
            sink.object("metadata") { sink in
                for (name, value) in metadata where name != Logger.subsystemKey {
                    if sink.last != UInt8(ascii: "{") { sink.json(",") }
                    sink.string(name)
                    sink.json(":")
                    sink.string(value)
                }
            }
        }
        line.append(0x0A)
        return line
    }

    private func text(_ event: LogEvent, _ message: String, _ metadata: [(String, String)]) -> [UInt8] {
        let time = RFC3339.text(wallClock().rounded(.down)).replacing("Z", with: "+0000")
        let values = metadata.map { "\(Self.oneLine($0.0))=\(Self.oneLine($0.1))" }.joined(separator: " ")
        let line =
            "\(time) \(event.level.rawValue) \(label):\(values.isEmpty ? "" : " " + values) [\(event.source)] "
            + Self.oneLine(message)
        return Array(line.utf8) + [0x0A]
    }

    private static func shortened(_ text: String, _ limit: Int) -> String {
        // By its bytes first: counting the characters of a long text takes long.
        text.utf8.count <= limit ? text : String(decoding: text.utf8.prefix(limit), as: UTF8.self) + "…"
    }

    private static func oneLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return text }
        return text.unicodeScalars.map { scalar in
            switch scalar.value {
            case 0x0A: "\\n"
            case 0x0D: "\\r"
            case 0x09: "\\t"
            case 0..<0x20, 0x7F: "?"
            default: String(scalar)
            }
        }.joined()
    }
}
