import FinanceChartsKit
import Foundation
import MarketFeeds
import UnixSignals

/// Runs `candlewire tracker` in a terminal: everything that happens goes through one sequence, and ends in a picture.
struct TrackerSession {
    private enum Event: Sendable {
        case key(TerminalKey)
        case end
        case resized
        case moment
    }

    /// Pictures a second.
    private static let rate = 5.0

    private let client: TrackerClient
    private let server: EchoServer
    private let style: TerminalStyle
    private let sort: StockOrder.Key
    private let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    init(_ client: TrackerClient, _ server: EchoServer, sort: StockOrder.Key, style: TerminalStyle) {
        self.client = client
        self.server = server
        self.sort = sort
        self.style = style
        (events, continuation) = AsyncStream.makeStream()
    }

    /// Until `q`, a signal, or the terminal's end. The terminal is given back in any case.
    func run(on terminal: Terminal) async throws {
        guard let first = try await client.snapshot() else { return }
        var view = TrackerView(first, sort: sort, style: style, echo: server.name)
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup, .sigwinch)
        terminal.enter()
        defer { terminal.leave() }
        let watchers = watch(signals)
        defer { for watcher in watchers { watcher.cancel() } }
        client.start()
        var screen = TerminalScreen(terminal)
        for await event in events {
            switch event {
            case .key(let key):
                switch view.handle(key) {
                case .quit: return
                case .startOrStop:
                    // What it says, it does: the state of the last picture decides.
                    if view.isRunning { client.stop() } else { client.start() }
                case .nothing: continue
                case .repaint: break
                }
            case .end: return
            case .resized: screen.clear()
            case .moment: break
            }
            if let snapshot = try await client.snapshot() { view.update(snapshot) }
            let size = Terminal.shownSize
            screen.show(view.lines(columns: size.columns, rows: size.rows))
        }
    }

    private func watch(_ signals: UnixSignalsSequence) -> [Task<Void, Never>] {
        [
            Task { [continuation] in
                for await signal in signals { continuation.yield(signal == .sigwinch ? .resized : .end) }
            },
            Task { [continuation] in
                for await key in Terminal.keys() { continuation.yield(.key(key)) }
                continuation.yield(.end)
            },
            Task { [continuation] in
                repeat {
                    continuation.yield(.moment)
                } while (try? await Task.sleep(for: .seconds(1 / Self.rate))) != nil
            },
        ]
    }
}
