import ArgumentParser
import Foundation
import MarketFeeds
import MarketModel
import NIOCore
import StreamCore
import UnixSignals
import WebSocketTransport

struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record what a WebSocket server sends, to be played again with serve --feed replay:FILE.",
        discussion: """
            Writes X.jsonl (one message a line, as it came), X.times.txt (when each was received, nanoseconds since \
            1970) and X.sent.jsonl (what was sent). With .jsonl.gz the first two are packed. What was received is on \
            the disk within a second. Messages with line ends are written without them if they are JSON; binary ones \
            are counted and left out. The recording ends with the connection: it does not connect again, because the \
            file would have a gap. Tokens, keys and signatures in what was sent are written as "***". A server that \
            closes the connection for good (codes 4100 to 4199) is an error.

            EXAMPLES
              candlewire record ws://127.0.0.1:8080/v1/stream \\
                  --subscribe BTC-USD/1m --out btc.jsonl.gz
                  a candlewire server, until Ctrl-C
              candlewire record wss://ws-feed.exchange.coinbase.com --duration 60 \\
                  --out coinbase.jsonl.gz --send '{"type":"subscribe",
                  "product_ids":["BTC-USD"],"channels":["matches"]}'
                  a minute of a venue
              candlewire serve --feed replay:coinbase.jsonl.gz
            """)

    @Argument("Where to connect: ws://host[:port]/path or wss://...", "url") var url: String
    @Option("The file: NAME.jsonl or NAME.jsonl.gz.", "file") var out: String

    @Option(
        "Sent after connecting, before --subscribe; may be repeated.", "message", parsing: .unconditionalSingleValue)
    var send: [String] = []

    @Option("Subscribe to a candlewire server's stream, for example BTC-USD/1m; may be repeated.", "symbol/timeframe")
    var subscribe: [String] = []

    @Option(signed: "End after this time.", "seconds") var duration: Double?
    @Option(signed: "End after this many messages.", "messages") var count: Int?
    @Flag(help: "Replace files of the same name.") var force = false
    @OptionGroup(title: "TLS") var tls: TLSOptions

    func run() async throws {
        try await Failure.exitCleanly {
            if let duration {
                try require(duration > 0 && duration <= 1e9, "--duration must be above 0 seconds; it is \(duration).")
            }
            if let count { try require(count > 0, "--count must be at least 1; it is \(count).") }
            // What lets the client in comes before what it requests.
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
            case .connection(let code, _) where code == .abnormal || code.isRefusal: throw ExitCode(1)
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
            Task { for await _ in signals { return session.stop(.interrupted) } },
            Task {
                guard let duration, (try? await Task.sleep(for: .seconds(duration))) != nil else { return }
                session.stop(.duration)
            },
        ]
        defer { for watcher in watchers { watcher.cancel() } }
        return try await session.end()
    }

    /// `SYMBOL/TF`; the symbol may hold slashes itself.
    static func subscription(_ text: String) throws -> String {
        guard let slash = text.lastIndex(of: "/"), slash > text.startIndex,
            let timeframe = Timeframe(rawValue: String(text[text.index(after: slash)...]))
        else {
            throw CommandFailure.usage(
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

/// One connection that is written down. Messages are received on the connection's event loop, as they come, so that their
/// times are those of their arrival.
final class RecordingSession: Sendable {
    enum Reason: Sendable {
        case connection(WebSocketCloseCode, reason: String)
        case interrupted, duration, count
        case disk(FeedError)
    }

    struct End: Sendable {
        var reason: Reason
        var counts: RecordingWriter.Counts
        var seconds: Double

        var sentence: String {
            switch reason {
            case .connection(.abnormal, _): "The connection was lost:"
            case .connection(let code, let reason) where code.isRefusal:
                "The server closed the connection permanently (\(code.rawValue)\(reason.isEmpty ? "" : ", \(reason)")):"
            case .connection(let code, let reason):
                "The server closed the connection (\(code.rawValue)\(reason.isEmpty ? "" : ", \(reason)")):"
            case .interrupted: "Stopped:"
            case .duration: "Duration reached:"
            case .count: "Complete:"
            case .disk(let error): "\(error.description) Until then:"
            }
        }
    }

    /// Lives on the event loop.
    private final class Recorder {
        let writer: RecordingWriter
        let socket: WebSocketHandler
        let limit: Int?
        let ended: EventLoopPromise<End>
        let started = NIODeadline.now()
        var flushing: RepeatedTask?
        var reason: Reason?
        var isEnded = false

        init(writer: RecordingWriter, socket: WebSocketHandler, limit: Int?, ended: EventLoopPromise<End>) {
            self.writer = writer
            self.socket = socket
            self.limit = limit
            self.ended = ended
        }

        /// Four times a second: what a crash loses is less than a second.
        func start(on eventLoop: any EventLoop) {
            let bound = NIOLoopBound(self, eventLoop: eventLoop)
            flushing = eventLoop.scheduleRepeatedTask(initialDelay: .milliseconds(250), delay: .milliseconds(250)) {
                _ in bound.value.flush()
            }
        }

        func received(_ message: UnsafeRawBufferPointer) {
            guard !isEnded else { return }
            // A `Date` keeps the microsecond.
            writer.received(message, at: Int64(Date().timeIntervalSince1970 * 1e6) * 1000)
            if let limit, writer.counts.messages >= limit {
                end(.count)
            } else if writer.pending > 8 << 20 {
                flush()
            }
        }

        func flush() {
            guard !isEnded else { return }
            do throws(FeedError) { try writer.flush() } catch { end(.disk(error)) }
        }

        func end(_ reason: Reason) {
            guard !isEnded else { return }
            isEnded = true
            flushing?.cancel()
            var reason = reason
            do throws(FeedError) { try writer.close() } catch { reason = .disk(error) }
            let seconds = Double((NIODeadline.now() - started).nanoseconds) / 1e9
            socket.close(.normal, reason: "")
            ended.succeed(End(reason: reason, counts: writer.counts, seconds: seconds))
        }
    }

    private let channel: any Channel
    private let recorder: NIOLoopBound<Recorder>
    private let ended: EventLoopFuture<End>

    private init(channel: any Channel, recorder: NIOLoopBound<Recorder>, ended: EventLoopFuture<End>) {
        self.channel = channel
        self.recorder = recorder
        self.ended = ended
    }

    /// Connects, creates the files and sends what is to be sent.
    static func open(
        url: String, tls: WebSocketTLS, send: [String], paths: RecordingPaths, overwrites: Bool, limit: Int?
    ) async throws -> RecordingSession {
        let eventLoop = WebSocketConnector.defaultGroup.any()
        // Before connecting, for a mistake is to be found at once; but nothing is touched before there is something to
        // write.
        try paths.check(overwrites: overwrites)
        let ended = eventLoop.makePromise(of: End.self)
        let made = NIOLoopBoundBox<Recorder?>.makeEmptyBox(valueType: Recorder.self, eventLoop: eventLoop)
        do {
            let channel = try await WebSocketConnector.connect(url: url, tls: tls, on: eventLoop) { socket, _ in
                let writer: RecordingWriter
                do throws(FeedError) { writer = try RecordingWriter(paths, overwrites: overwrites) } catch {
                    ended.fail(error)
                    return socket.close(.normal, reason: "")
                }
                let recorder = Recorder(writer: writer, socket: socket, limit: limit, ended: ended)
                made.value = recorder
                socket.delegate = WebSocketCallbacks(
                    onText: { bytes, _ in recorder.received(bytes) },
                    onBinary: { _, _ in recorder.writer.receivedBinary() },
                    onClose: { code, reason in recorder.end(.connection(code, reason: reason)) })
                for message in send {
                    recorder.writer.sent(message)
                    socket.send(text: message)
                }
                recorder.start(on: eventLoop)
            }.get()
            let bound = try await eventLoop.submit {
                made.value.map { NIOLoopBound($0, eventLoop: eventLoop) }
            }.get()
            guard let recorder = bound else {
                _ = try await ended.futureResult.get()
                throw CancellationError()
            }
            return RecordingSession(channel: channel, recorder: recorder, ended: ended.futureResult)
        } catch {
            ended.fail(error)
            throw error
        }
    }

    func stop(_ reason: Reason) {
        let recorder = recorder
        channel.eventLoop.execute { recorder.value.end(reason) }
    }

    /// Returns when the files are closed and the connection is gone.
    func end() async throws -> End {
        let end = try await ended.get()
        try? await channel.closeFuture.get()
        return end
    }
}

extension WebSocketCloseCode {
    /// The codes by which a candlewire server says not to come back: see Docs/protocol.md.
    var isRefusal: Bool { (4100...4199).contains(rawValue) }
}
