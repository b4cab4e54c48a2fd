import FinanceChartsKit
import Foundation
import MarketFeeds
import UnixSignals

/// The tracker without a terminal: lines of text.
struct TrackerLines {
    private enum Event: Sendable {
        case tracker(TrackerEvent)
        case signal, timeout
    }

    private let client: TrackerClient
    private let stocks: [TrackedStock]
    private let server: EchoServer
    /// Seconds in which the first price must come, and for `--once` one of each stock.
    private let timeout: Double
    private let hasUnicode: Bool
    private let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    init(_ client: TrackerClient, _ stocks: [TrackedStock], _ server: EchoServer, timeout: Double) {
        self.timeout = timeout
        self.client = client
        self.stocks = stocks
        self.server = server
        hasUnicode = TerminalStyle(environment: ProcessInfo.processInfo.environment).hasUnicode
        (events, continuation) = AsyncStream.makeStream()
    }

    /// Every stock with its first price that came, in order.
    func writeOnce(order key: StockOrder.Key) async throws {
        var missing = Set(stocks.indices)
        try await watch {
            if let (stock, _) = $0 { missing.remove(stock) } else { try giveUp(on: missing) }
            return !missing.isEmpty
        }
        guard missing.isEmpty, let snapshot = try await client.snapshot() else { return }
        var order = StockOrder(count: stocks.count, key: key)
        _ = order.update(snapshot.board, now: 0)
        let table = TextTable.text(order.stocks) { stock in
            let text = StockText(stocks[stock], snapshot.board.prices[stock], hasUnicode: hasUnicode)
            return [
                .left("SYMBOL", stocks[stock].symbol, .strong), .left("COMPANY", stocks[stock].company),
                .decimal("LAST", text.last), .left("", text.arrow, text.direction.ink),
                .decimal("CHANGE", text.change, text.trend.ink), .decimal("CHANGE %", text.percent, text.trend.ink),
            ]
        }
        Console.write(table)
        Console.write("\(snapshot.connected) of \(stocks.count) connected; the echo is \(server.name)\n")
    }

    /// A line for each price, until a signal comes or the reader is gone.
    func follow() async throws {
        var hasPrice = false
        try await watch {
            guard let (stock, price) = $0 else {
                if !hasPrice { try giveUp(on: Set(stocks.indices)) }
                return true
            }
            hasPrice = true
            let text = StockText(stocks[stock], price, hasUnicode: hasUnicode)
            return Console.write("\(stocks[stock].symbol) \(text.last) \(text.arrow) \(text.change) \(text.percent)\n")
        }
    }

    private func giveUp(on missing: Set<Int>) throws {
        let seconds = String(format: "%g", timeout)
        guard missing.count < stocks.count else {
            throw Failure.report(
                "The echo \(server.name) sent nothing back within \(seconds) s; it must send back what it gets.",
                code: 69)
        }
        let names = missing.sorted().prefix(5).map { stocks[$0].symbol }.joined(separator: ", ")
        throw Failure.report(
            "The echo \(server.name) sent no price back of \(missing.count) of \(stocks.count) stocks within "
                + "\(seconds) s (\(names)\(missing.count > 5 ? ", …" : "")).", code: 69)
    }

    /// - Parameter onPrice: a price that came, or `nil`, once, at the timeout. False: that was enough.
    private func watch(_ onPrice: ((stock: Int, price: StockPrice)?) throws -> Bool) async throws {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        let watchers = [
            Task { [continuation] in for await _ in signals { continuation.yield(.signal) } },
            Task { [continuation, timeout] in
                if (try? await Task.sleep(for: .seconds(timeout))) != nil { continuation.yield(.timeout) }
            },
        ]
        defer { for watcher in watchers { watcher.cancel() } }
        let observation = client.observe { [continuation] in continuation.yield(.tracker($0)) }
        defer { observation.cancel() }
        client.start()
        for await event in events {
            switch event {
            case .tracker(.price(let stock, let price)):
                if try !onPrice((stock, price)) { return }
            case .tracker(.connection(.failed(let why), _)):
                throw Failure.report("The echo \(server.name) is lost: \(why).", code: 69)
            case .tracker(.connection): break
            case .timeout: if try !onPrice(nil) { return }
            case .signal: return
            }
        }
    }
}

/// Runs `candlewire tracker` in a terminal: each event ends in a picture.
struct TrackerSession {
    /// Seconds from one picture to the next.
    private static let pause = 0.2

    let client: TrackerClient
    let server: EchoServer
    let sort: StockOrder.Key
    let style: TerminalStyle

    /// Until `q`, a signal, or the terminal's end. The terminal is given back in any case.
    func run(on terminal: Terminal) async throws {
        guard let first = try await client.snapshot() else { return }
        var view = TrackerView(first, sort: sort, style: style, echo: server.name)
        let screen = await TerminalScreen<Void>(terminal)
        defer { screen.leave() }
        screen.watch {
            repeat { $0.yield(.own(())) } while (try? await Task.sleep(for: .seconds(Self.pause))) != nil
        }
        client.start()
        for await event in screen.events {
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
            case .ended: return
            case .resized: screen.clear()
            case .own: break
            }
            if let snapshot = try await client.snapshot() { view.update(snapshot) }
            screen.show { view.lines(columns: $0, rows: $1) }
        }
    }
}
