import Foundation
import MarketModel
import NIOCore
import StreamCore
import TradingCore
import WebSocketTransport

@testable import CandlewireServer

/// An application with a `StreamSession`, and what the server promises it: no hole, no repetition, and nothing that another
/// reader got differently.
final class SimulatedReader: SocketDriver {
    struct Counts {
        var messages = 0, recovered = 0, reloaded = 0, newEpochs = 0, skipped = 0, outages = 0, slowCloses = 0
        var fills = 0
    }

    /// One stream as the application shows it.
    final class View {
        let symbol: String
        let timeframe: Timeframe
        var candles: [Double: Candle] = [:]
        var position: StreamPosition?
        var skipped = 0
        var needsSnapshot = true

        init(_ symbol: String, _ timeframe: Timeframe) { (self.symbol, self.timeframe) = (symbol, timeframe) }
    }

    /// What was published at each position, as the first reader got it.
    final class Record {
        private var messages: [String: StreamEvent] = [:]

        /// - Returns: what another reader got there, where that was something else.
        func conflict(_ event: StreamEvent, _ view: View, _ position: StreamPosition) -> StreamEvent? {
            if messages.count > 50_000 { messages = [:] }
            let place = "\(view.symbol) \(view.timeframe) \(position.epoch) \(position.offset)"
            let known = messages.updateValue(event, forKey: place)
            return known == event ? nil : known
        }

        /// Minutes that lack trades, as `SYMBOL TIME`.
        private var holes: Set<String> = []

        func addHole(_ symbol: String, _ minute: Double) { holes.insert("\(symbol) \(minute)") }

        func hasHole(_ symbol: String, _ minute: Double) -> Bool { holes.contains("\(symbol) \(minute)") }
    }

    let index: Int
    let loop: SimulatedLoop
    var session: StreamSession
    let shell: SocketShell<SocketNumber>
    private(set) var views: [SubscriptionNumber: View] = [:]
    private var openedLinks: [SimulatedLink] = []
    private(set) var counts = Counts()
    private(set) var problem: String?
    private let record: Record
    var skipsAtRecovery = false
    /// Connects to the server; `nil`: nobody answers.
    var dial: () -> SimulatedLink? = { nil }
    var onFill: (Fill<Paper>) -> Void = { _ in }
    var onOrder: (Order<Paper>) -> Void = { _ in }

    init(_ index: Int, loop: SimulatedLoop, seed: UInt64, record: Record) {
        (self.index, self.loop, self.record) = (index, loop, record)
        shell = SocketShell(on: loop)
        var configuration = SessionConfiguration()
        configuration.heartbeat.kind = index == 0 ? .message : .webSocketPing
        configuration.defaultMaxRate = index == 0 ? nil : 4
        session = StreamSession(configuration, seed: seed)
    }

    private func fail(_ text: String) { if problem == nil { problem = "reader \(index): \(text)" } }

    // MARK: Requests

    func connect() { update { $0.connect(now: $1) } }
    func retryNow() { update { $0.retryNow(now: $1) } }
    func stop() { shutDown { $0.disconnect(now: $1) } }

    func subscribe(_ symbol: String, _ timeframe: Timeframe, history: Int) {
        let request = SubscribeRequest(symbol: symbol, timeframe: timeframe, history: history)
        update { session, now in
            let number = session.subscribe(request, now: now)
            if views[number] == nil { views[number] = View(symbol, timeframe) }
        }
    }

    func unsubscribe(_ number: SubscriptionNumber) {
        views[number] = nil
        update { $0.unsubscribe(number, now: $1) }
    }

    func subscribeOrders() { update { $0.subscribe(ChannelKey(.orders), now: $1) } }

    // MARK: Sockets

    /// Those that are not closed.
    var links: [SimulatedLink] { openedLinks.filter(\.client.isActive) }

    func connect(_ onOpen: @escaping @Sendable (WebSocketHandler) -> Void) -> EventLoopFuture<Void> {
        loop.assumeIsolated().scheduleTask(in: .milliseconds(20)) { [unowned self] in
            guard let link = dial() else { throw ChannelError.eof }
            let handler = WebSocketHandler(role: .client, configuration: .client)
            try link.client.pipeline.syncOperations.addHandler(handler)
            openedLinks = links + [link]
            link.open()
            onOpen(handler)
        }.futureResult
    }

    func send(_ bytes: [UInt8], to handler: WebSocketHandler) { handler.send(text: ByteBuffer(bytes: bytes)) }

    func receive(_ text: UnsafeRawBufferPointer, on socket: SocketNumber, now: Double) -> Bool {
        if skipsAtRecovery, counts.recovered > 0, text.starts(with: #"{"type":"tick""#.utf8) {
            // Of a server that has this defect: the first tick after a recovery.
            skipsAtRecovery = false
        } else {
            session.received(text, on: socket, now: now)
        }
        return true
    }

    func receiveBinary(_ bytes: UnsafeRawBufferPointer, on socket: SocketNumber, now: Double) -> Bool {
        session.received(bytes, isBinary: true, on: socket, now: now)
        return true
    }

    func observe(_ event: SocketEvent, on socket: SocketNumber) {
        if case .closed(.slowReader, _, _) = event { counts.slowCloses += 1 }
    }

    func fetchToken(wasRejected: Bool) { fail("a token was requested") }

    // MARK: Events

    func report(_ event: SessionEvent) {
        switch event {
        case .state(.waiting): counts.outages += 1
        case .stream(let number, let event):
            guard let view = views[number] else { return }
            receive(event, view, session.subscription(number)?.position)
        case .channel(_, .message(let message)): receive(message)
        // The channel of an account that is being read again.
        case .problem("unavailable", _): break
        case .problem(let code, let text): fail("\(code): \(text)")
        case .state, .channel, .latency, .closing, .unknownMessage: break
        }
    }

    private func receive(_ event: StreamEvent, _ view: View, _ position: StreamPosition?) {
        switch event {
        case .subscribed(let recovered):
            if recovered, view.needsSnapshot { fail("recovered where a snapshot is due") }
            view.needsSnapshot = !recovered
            if recovered { counts.recovered += 1 } else { counts.reloaded += 1 }
        case .snapshot(let candles, _):
            if let before = view.position, before.epoch != position?.epoch { counts.newEpochs += 1 }
            view.candles = Dictionary(uniqueKeysWithValues: candles.map { ($0.timestamp, $0) })
            (view.position, view.skipped, view.needsSnapshot) = (position, 0, false)
        case .tick: deliver(event, view, position)
        case .candle(let bar):
            view.candles[bar.candle.timestamp] = bar.candle
            if view.timeframe == .m1, bar.isFinal, bar.quality == .complete,
                record.hasHole(view.symbol, bar.candle.timestamp)
            {
                fail("\(view.symbol) lacks trades in \(bar), which does not show it")
            }
            deliver(event, view, position)
        case .skipped(let count):
            view.skipped += count
            counts.skipped += count
        // The network loses whole connections and nothing inside of one.
        case .gap: fail("a gap in \(view.symbol) \(view.timeframe) at \(view.position as Any)")
        case .refused(let code, _): fail("\(view.symbol) was refused: \(code)")
        case .stale, .fresh: break
        }
    }

    /// It must be the next message, but for those that were reported to be left out.
    private func deliver(_ event: StreamEvent, _ view: View, _ position: StreamPosition?) {
        counts.messages += 1
        guard let position, let before = view.position, !view.needsSnapshot else {
            return fail("a message where a snapshot is due")
        }
        if position.epoch != before.epoch { fail("a new epoch without a snapshot") }
        if position.offset - before.offset != 1 + Int64(view.skipped) {
            fail("from \(before.offset) to \(position.offset), with \(view.skipped) reported")
        }
        if let other = record.conflict(event, view, position) { fail("\(event) at \(position), another got \(other)") }
        (view.position, view.skipped) = (position, 0)
    }

    private struct Body: Decodable {
        var fill: Fill<Paper>?
        var order: Order<Paper>?
    }

    private func receive(_ message: ChannelMessage) {
        guard message.head.type == "fill" || message.head.type == "order" else { return }
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(message.json)) else {
            return fail("a message that cannot be read: \(message.text)")
        }
        if let fill = body.fill {
            counts.fills += 1
            onFill(fill)
        }
        if let order = body.order { onOrder(order) }
    }

    // MARK: Comparison

    /// Whether every stream is delivered.
    var isLive: Bool {
        session.state == .open && views.allSatisfy { !$1.needsSnapshot && session.subscription($0)?.state == .live }
    }

    /// Whether it shows what the server has, when nothing is under way.
    func compare(with server: SimulatedServer) {
        guard session.state == .open else { return fail("not open when all is well: \(session.state)") }
        for (number, view) in views {
            guard !view.needsSnapshot, let info = session.subscription(number), info.state == .live else {
                fail("\(view.symbol) \(view.timeframe) is not live: \(session.subscription(number) as Any)")
                continue
            }
            guard let market = server.core.registry.find(view.symbol) else { continue }
            let mine = view.candles.values.sorted { $0.timestamp < $1.timestamp }.suffix(100)
            let theirs = server.pipeline.candles(market: market, timeframe: view.timeframe, limit: 100)
            let count = min(mine.count, theirs.count)
            if Array(mine.suffix(count)) != Array(theirs.suffix(count)) {
                fail("\(view.symbol) \(view.timeframe) ends \(mine.suffix(2)), and on the server \(theirs.suffix(2))")
            }
        }
    }
}
