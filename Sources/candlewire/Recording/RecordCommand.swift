import ArgumentParser
import Foundation
import MarketFeeds
import MarketModel
import StreamCore
import UnixSignals
import WebSocketTransport

struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record what a WebSocket server sends, to be played again with serve --feed replay:FILE.",
        discussion: """
            Writes X.jsonl (one message a line, as it came), X.times.txt (when each was received, nanoseconds since 1970)
            and X.sent.jsonl (what was sent). With .jsonl.gz the first two are packed. What was received is on the disk
            within a second. Messages with line ends are written without them if they are JSON; binary ones are counted
            and left out. The recording ends with the connection: it does not connect again, for then the file would
            have a hole. Tokens, keys and signatures in what was sent are written as "***". A server that closes the
            connection for good (codes 4100 to 4199) is an error.

            EXAMPLES
              candlewire record ws://127.0.0.1:8080/v1/stream --subscribe BTC-USD/1m --out btc.jsonl.gz
                  a candlewire server, until Ctrl-C
              candlewire record wss://ws-feed.exchange.coinbase.com --duration 60 --out coinbase.jsonl.gz \\
                  --send '{"type":"subscribe","product_ids":["BTC-USD"],"channels":["matches"]}'
                  a minute of a venue
              candlewire serve --feed replay:coinbase.jsonl.gz
            """)

    @Argument(help: ArgumentHelp("Where to connect: ws://host[:port]/path or wss://...", valueName: "url"))
    var url: String

    @Option(help: ArgumentHelp("The file: NAME.jsonl or NAME.jsonl.gz.", valueName: "file"))
    var out: String

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Sent after connecting, before --subscribe; may be repeated.", valueName: "message"))
    var send: [String] = []

    @Option(
        help: ArgumentHelp(
            "Subscribe to a candlewire server's stream, for example BTC-USD/1m; may be repeated.",
            valueName: "symbol/timeframe"))
    var subscribe: [String] = []

    @Option(parsing: .unconditional, help: ArgumentHelp("End after so long.", valueName: "seconds"))
    var duration: Double?

    @Option(parsing: .unconditional, help: ArgumentHelp("End after so many messages.", valueName: "messages"))
    var count: Int?

    @Flag(help: "Replace files of the same name.")
    var force = false

    @OptionGroup(title: "TLS")
    var tls: TLSOptions

    func run() async throws {
        try await Failure.exitCleanly {
            if let duration, !(duration > 0 && duration <= 1e9) {
                throw FeedError(.usage, "--duration must be above 0 seconds; it is \(duration).")
            }
            if let count, count < 1 { throw FeedError(.usage, "--count must be at least 1; it is \(count).") }
            // What lets the client in comes before what it wants.
            let first = try send + subscribe.map(Self.subscription)
            let paths = try RecordingPaths(out)
            let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
            let session = try await RecordingSession.open(
                url: url, tls: tls.resolved(), send: first, paths: paths, overwrites: force, limit: count)
            Console.write(
                "Recording \(WebSocketURL.redacted(url)) to \(paths.messages)"
                    + (duration.map { " for \($0) s" } ?? "") + (count.map { ", \($0) messages at most" } ?? "")
                    + ". Stop with Ctrl-C.\n")
            let end = try await Self.wait(session, signals, duration)
            Console.write(Self.summary(end, session: session))
            switch end.reason {
            case .connection(.abnormal, _): throw ExitCode(1)
            case .connection(let code, _) where code.isRefusal: throw ExitCode(1)
            case .disk: throw ExitCode(74)
            case .connection, .interrupted, .duration, .count: break
            }
        }
    }

    /// The first of: the connection's end, a signal, the time.
    private static func wait(
        _ session: RecordingSession, _ signals: UnixSignalsSequence, _ duration: Double?
    ) async throws -> RecordingSession.End {
        let watchers = [
            Task {
                for await _ in signals { return session.stop(.interrupted) }
            },
            Task {
                guard let duration, (try? await Task.sleep(for: .seconds(duration))) != nil else { return }
                session.stop(.duration)
            },
        ]
        defer { for watcher in watchers { watcher.cancel() } }
        return try await session.end()
    }

    /// `SYMBOL/TF`; the symbol may hold slashes itself.
    static func subscription(_ text: String) throws(FeedError) -> String {
        guard let slash = text.lastIndex(of: "/"), slash > text.startIndex,
            let timeframe = Timeframe(rawValue: String(text[text.index(after: slash)...]))
        else {
            throw FeedError(
                .usage,
                "--subscribe must be SYMBOL/TIMEFRAME, for example BTC-USD/1m, with a timeframe out of "
                    + "\(Timeframe.allowedNames); it is \"\(text)\".")
        }
        var bytes: [UInt8] = []
        ClientMessageWriter.write(
            .subscribe(SubscribeRequest(symbol: String(text[..<slash]), timeframe: timeframe)), into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func summary(_ end: RecordingSession.End, session: RecordingSession) -> String {
        let counts = end.counts
        var lines = [
            "\(end.sentence) \(counts.messages) messages, \(counts.bytes) bytes in "
                + "\(String(format: "%.1f", end.seconds)) s; \(counts.sent) sent."
        ]
        if counts.minified > 0 { lines.append("\(counts.minified) messages had line ends, which were removed.") }
        if counts.refused > 0 {
            lines.append("\(counts.refused) messages were left out: empty, or with line ends and no JSON.")
        }
        if counts.binary > 0 { lines.append("\(counts.binary) binary messages were left out.") }
        return lines.joined(separator: "\n") + "\n"
    }
}
