import FinanceChartsKit
import Foundation
import MarketFeeds
import UnixSignals

/// The tracker without a terminal: lines of text.
struct TrackerLines {
    private enum Event: Sendable {
        case tracker(TrackerEvent)
        case signal
        case silence
    }

    /// Seconds without any price after which an echo server is none.
    private static let patience = 20.0

    private let client: TrackerClient
    private let stocks: [TrackedStock]
    private let server: EchoServer
    private let hasUnicode: Bool
    private let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    init(_ client: TrackerClient, _ stocks: [TrackedStock], _ server: EchoServer) {
        self.client = client
        self.stocks = stocks
        self.server = server
        hasUnicode = TerminalStyle(environment: ProcessInfo.processInfo.environment).hasUnicode
        (events, continuation) = AsyncStream.makeStream()
    }

    /// Every stock with its first price that came, in order.
    func writeOnce(order key: StockOrder.Key) async throws {
        var missing = Set(stocks.indices)
        try await watch { stock, _ in
            missing.remove(stock)
            return !missing.isEmpty
        }
        guard missing.isEmpty, let snapshot = try await client.snapshot() else { return }
        var order = StockOrder(count: stocks.count, key: key)
        _ = order.update(snapshot.board, now: 0)
        var table = TextTable([
            ("SYMBOL", .left), ("COMPANY", .left), ("LAST", .decimal), ("", .left), ("CHANGE", .decimal),
            ("CHANGE %", .decimal),
        ])
        for stock in order.stocks {
            let text = StockText(stocks[stock], snapshot.board.prices[stock], hasUnicode: hasUnicode)
            table.add([
                .init(stocks[stock].symbol, .strong), .init(stocks[stock].company), .init(text.last),
                .init(text.arrow, text.direction.ink), .init(text.change, text.trend.ink),
                .init(text.percent, text.trend.ink),
            ])
        }
        write(table.text(on: .standardOutput))
        write("\(snapshot.connected) of \(stocks.count) connected; the echo is \(server.name)\n")
    }

    /// A line for each price, until a signal comes or nobody reads any more.
    func follow() async throws {
        try await watch { stock, price in
            let text = StockText(stocks[stock], price, hasUnicode: hasUnicode)
            return write("\(stocks[stock].symbol) \(text.last) \(text.arrow) \(text.change) \(text.percent)\n")
        }
    }

    /// - Parameter onPrice: false: that was enough.
    private func watch(_ onPrice: (Int, StockPrice) -> Bool) async throws {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        let watchers = [
            Task { [continuation] in
                for await _ in signals { continuation.yield(.signal) }
            },
            Task { [continuation] in
                if (try? await Task.sleep(for: .seconds(Self.patience))) != nil { continuation.yield(.silence) }
            },
        ]
        defer { for watcher in watchers { watcher.cancel() } }
        let observation = client.observe { [continuation] in continuation.yield(.tracker($0)) }
        defer { observation.cancel() }
        client.start()
        var hasPrice = false
        for await event in events {
            switch event {
            case .tracker(.price(let stock, let price)):
                hasPrice = true
                if !onPrice(stock, price) { return }
            case .tracker(.connection(.failed(let why), _)):
                throw Failure.report("The echo \(server.name) is lost: \(why).", code: 69)
            case .tracker(.connection): break
            case .silence where !hasPrice:
                throw Failure.report(
                    "The echo \(server.name) sent nothing back within \(Int(Self.patience)) s; it must send back what it "
                        + "gets.", code: 69)
            case .silence: break
            case .signal: return
            }
        }
    }

    @discardableResult
    private func write(_ text: String) -> Bool {
        (try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))) != nil
    }
}
