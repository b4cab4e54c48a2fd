import Foundation
import MarketFeeds
import NIOCore
import StreamCore
import WebSocketTransport

/// One connection that is written down. Messages are received on the connection's event loop, as they come, so that their
/// times are those of their arrival.
final class RecordingSession: Sendable {
    enum Reason: Sendable {
        case connection(WebSocketCloseCode, reason: String)
        case interrupted
        case duration
        case count
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
                "The server refused us for good (\(code.rawValue)\(reason.isEmpty ? "" : ", \(reason)")):"
            case .connection(let code, let reason):
                "The server closed the connection (\(code.rawValue)\(reason.isEmpty ? "" : ", \(reason)")):"
            case .interrupted: "Stopped:"
            case .duration: "The time is over:"
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
            do throws(FeedError) {
                try writer.flush()
            } catch {
                end(.disk(error))
            }
        }

        func end(_ reason: Reason) {
            guard !isEnded else { return }
            isEnded = true
            flushing?.cancel()
            var reason = reason
            do throws(FeedError) {
                try writer.close()
            } catch {
                reason = .disk(error)
            }
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
        let eventLoop = WebSocketClient.defaultGroup.any()
        // Before connecting, for a mistake is to be found at once; but nothing is touched before there is something to
        // write.
        try paths.check(overwrites: overwrites)
        let ended = eventLoop.makePromise(of: End.self)
        let made = NIOLoopBoundBox<Recorder?>.makeEmptyBox(valueType: Recorder.self, eventLoop: eventLoop)
        do {
            let channel = try await WebSocketClient.connect(url: url, tls: tls, on: eventLoop) { socket, _ in
                let writer: RecordingWriter
                do throws(FeedError) {
                    writer = try RecordingWriter(paths, overwrites: overwrites)
                } catch {
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
