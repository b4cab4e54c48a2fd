import FinanceChartsKit
import Foundation
import StreamCore
import UnixSignals
import WebSocketTransport

/// Runs `candlewire watch`: everything that happens goes through one sequence, and each event ends in a picture.
struct WatchSession {
    enum Event: Sendable {
        case key(TerminalKey)
        case keysEnded
        case signal(UnixSignal)
        case connection(SessionState)
        /// Of the stream with this number: a stream that was left may still have events.
        case stream(Int, StreamEvent)
        case second
    }

    private let client: StreamClient
    private var state: WatchState
    private let style: TerminalStyle
    private let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private var streamNumber = 0
    private var streamTask: Task<Void, Never>?

    init(client: StreamClient, state: WatchState, style: TerminalStyle) {
        self.client = client
        self.state = state
        self.style = style
        // A slow terminal misses pictures, but no candle: those come at `maxRate` at most.
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// Until `q`, a signal, or the terminal's end. The terminal is given back in any case.
    mutating func run(on terminal: Terminal) async {
        var screen = TerminalScreen(terminal)
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup, .sigwinch)
        terminal.enter()
        defer { terminal.leave() }
        let watchers = watch(signals)
        defer { for watcher in watchers { watcher.cancel() } }
        client.connect()
        subscribe()
        paint(on: &screen)
        for await event in events {
            switch event {
            case .key(let key):
                switch state.handle(key) {
                case .quit: return client.disconnect()
                case .otherStream: subscribe()
                case .nothing: continue
                case .repaint: break
                }
            case .signal(.sigwinch): screen.clear()
            case .signal, .keysEnded: return client.disconnect()
            case .connection(let connection): state.apply(connection)
            case .stream(let number, let event):
                guard number == streamNumber else { continue }
                state.apply(event)
            case .second: break
            }
            paint(on: &screen)
        }
    }

    private func watch(_ signals: UnixSignalsSequence) -> [Task<Void, Never>] {
        [
            Task { [continuation] in
                for await signal in signals { continuation.yield(.signal(signal)) }
            },
            Task { [continuation] in
                for await key in Terminal.keys() { continuation.yield(.key(key)) }
                continuation.yield(.keysEnded)
            },
            Task { [continuation, states = client.states] in
                for await state in states { continuation.yield(.connection(state)) }
            },
            Task { [continuation] in
                while (try? await Task.sleep(for: .seconds(1))) != nil { continuation.yield(.second) }
            },
        ]
    }

    private mutating func subscribe() {
        streamTask?.cancel()
        streamNumber += 1
        // Ten pictures a second are more than one reads.
        let stream = client.subscribe(state.symbol, state.timeframe, history: 1000, maxRate: 10)
        streamTask = Task { [continuation, streamNumber] in
            for await event in stream.events { continuation.yield(.stream(streamNumber, event)) }
        }
    }

    private func paint(on screen: inout TerminalScreen) {
        let size = Terminal.shownSize
        screen.show(
            state.lines(
                columns: size.columns, rows: size.rows, style: style,
                hints: style.hasUnicode
                    ? "↑↓ symbol · ←→ timeframe · +- width · q quit" : "n/p symbol, t/T timeframe, +/- width, q quit",
                now: Date().timeIntervalSince1970))
    }
}
