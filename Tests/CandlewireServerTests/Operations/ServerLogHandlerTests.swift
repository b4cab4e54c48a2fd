import Foundation
import Logging
import Synchronization
import Testing

@testable import CandlewireServer

@Suite("Lines of the server's log")
struct ServerLogHandlerTests {
    private final class Lines: Sendable {
        private let kept = Mutex<[[UInt8]]>([])
        var all: [String] { kept.withLock { $0.map { String(decoding: $0, as: UTF8.self) } } }
        func add(_ line: [UInt8]) { kept.withLock { $0.append(line) } }
    }

    private static func logger(
        _ format: LogFormat, _ lines: Lines, levels: LogLevels = LogLevels(.trace)
    ) -> Logger {
        Logger(label: "test") { ServerLogHandler(label: $0, levels: levels, format: format) { lines.add($0) } }
    }

    private static let hostile = [
        "plain", "", "a \"quote\"", "back\\slash", "line\nbreak\r\n", "tab\tbell\u{7}nul\u{0}", "\u{2028}\u{1F980}é",
        "{\"level\":\"error\"}", "2026-01-01T00:00:00+0000 error x: forged", String(repeating: "\"", count: 3000),
        "\u{1B}[31mred",
    ]

    @Test(
        "Whatever the values are, a JSON line is one line, reads back, and cannot change its other members",
        arguments: hostile)
    func json(value: String) throws {
        let lines = Lines()
        Self.logger(.json, lines).of(.feeds).warning(
            "\(value)",
            metadata: ["\(value)": "\(value)", "level": "\(value)", "list": ["\(value)", ["k": "\(value)"]]])
        let line = try #require(lines.all.first)
        #expect(line.filter { $0.isNewline } == "\n" || line.unicodeScalars.filter { $0 == "\n" }.count == 1)
        #expect(line.hasSuffix("}\n"))
        let document = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(Set(document.keys) == ["time", "level", "subsystem", "message", "source", "metadata"])
        #expect(document["level"] as? String == "warning" && document["subsystem"] as? String == "feeds")
        let shown = value.utf8.count > 2048 ? value.prefix(2048) + "…" : value[...]
        #expect((document["metadata"] as? [String: String])?["level"] == String(shown))
        #expect(document["message"] as? String == value)
    }

    @Test("Whatever the values are, a line of text is one line without control characters", arguments: hostile)
    func text(value: String) throws {
        let lines = Lines()
        Self.logger(.text, lines).error("\(value)", metadata: ["\(value)": "\(value)"])
        let line = try #require(lines.all.first)
        #expect(line.unicodeScalars.filter { $0.value < 0x20 || $0.value == 0x7F }.count == 1)
        #expect(line.contains(" error test: "))
    }

    @Test("A line has a bound, however long its message and its values are")
    func bounded() {
        let lines = Lines()
        let long = String(repeating: "x", count: 1 << 20)
        let metadata = Dictionary(uniqueKeysWithValues: (0..<500).map { ("\($0)", Logger.MetadataValue("\(long)")) })
        for format in LogFormat.allCases { Self.logger(format, lines).notice("\(long)", metadata: metadata) }
        let most =
            ServerLogHandler.maxMessage + ServerLogHandler.maxMetadata * (ServerLogHandler.maxValue + 64) + 1024
        #expect(lines.all.count == 2 && lines.all.allSatisfy { $0.utf8.count < most })
    }

    @Test("Each subsystem logs as much as its own level says, which may change for loggers that are there")
    func levels() {
        let (lines, levels) = (Lines(), LogLevels(.notice))
        let logger = Self.logger(.text, lines, levels: levels)
        let (feeds, http) = (logger.of(.feeds), logger.of(.http))
        feeds.debug("one")
        levels.set([.feeds: .debug, .server: .critical])
        feeds.debug("two")
        http.debug("three")
        http.notice("four")
        logger.error("five")
        var own = http
        own.logLevel = .trace
        own.trace("six")
        http.trace("seven")
        #expect(lines.all.map { $0.split(separator: " ").last } == ["two\n", "four\n", "six\n"])
        #expect(levels[.feeds] == .debug && levels[.http] == .notice && levels[.server] == .critical)
    }

    @Test("Levels that change while many threads read them are always levels")
    func concurrency() async {
        let levels = LogLevels(.info)
        await withTaskGroup(of: Void.self) { group in
            for subsystem in LogLevels.Subsystem.allCases {
                group.addTask {
                    for number in 0..<2000 { levels.set([subsystem: Logger.Level.allCases[number % 7]]) }
                    levels.set([subsystem: .error])
                }
            }
            group.addTask { for _ in 0..<2000 { for each in LogLevels.Subsystem.allCases { _ = levels[each] } } }
        }
        #expect(LogLevels.Subsystem.allCases.allSatisfy { levels[$0] == .error })
    }

    @Test("A line that a request causes names it, in the request's task and in loggers that leave it")
    func request() async throws {
        let lines = Lines()
        let logger = Self.logger(.json, lines)
        RequestScope.$correlationID.withValue("id-1") {
            logger.notice("inside")
            let leaving = logger.ofRequest
            RequestScope.$correlationID.withValue(nil) { leaving.notice("on another thread") }
        }
        logger.notice("outside")
        #expect(lines.all.map { $0.contains("\"correlation_id\":\"id-1\"") } == [true, true, false])
    }
}
