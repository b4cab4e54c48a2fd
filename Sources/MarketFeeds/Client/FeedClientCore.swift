import NIOCore
import StreamCore
import Synchronization

/// The half of a `FeedClient` that lives on its event loop: as many connections as the venue's limits make of the symbols.
final class FeedClientCore: FeedConnection.Receiver {
    private let adapter: any FeedAdapter
    private let url: String?
    private let options: FeedConnection.Options
    private let mailbox: FeedMailbox
    private let ready: ReadyFlag
    private let eventLoop: any EventLoop
    /// Each once, in the order they were wanted.
    private var wanted: [String] = []
    private var connections: [FeedConnection] = []
    private var open: Set<ObjectIdentifier> = []
    private var isRunning = false
    private var isReady = false
    private var problem: String?

    init(
        _ adapter: any FeedAdapter, symbols: [String], url: String?, connection: FeedConnection.Options,
        _ mailbox: FeedMailbox, _ ready: ReadyFlag, on eventLoop: any EventLoop
    ) {
        self.adapter = adapter
        self.url = url
        options = connection
        self.mailbox = mailbox
        self.ready = ready
        self.eventLoop = eventLoop
        for symbol in symbols where !wanted.contains(symbol) { wanted.append(symbol) }
    }

    func connect() {
        guard !isRunning else { return }
        isRunning = true
        let size = adapter.limits.symbolsPerConnection
        // One without symbols, too: the app waits for it to be ready before it requests any.
        for start in stride(from: 0, to: max(1, wanted.count), by: size) {
            add(Array(wanted[start..<min(start + size, wanted.count)]))
        }
        for connection in connections { connection.connect() }
    }

    func disconnect() {
        guard isRunning else { return }
        isRunning = false
        let ended = connections
        connections = []
        for connection in ended { connection.stop() }
        open = []
        lose("The application has disconnected.", isAlwaysReported: true)
    }

    func subscribe(_ symbol: String) {
        if !wanted.contains(symbol) { wanted.append(symbol) }
        guard isRunning else { return }
        for connection in connections {
            guard let index = connection.session.symbols.firstIndex(of: symbol) else { continue }
            return connection.setWanted(index, true)
        }
        if let roomy = connections.first(where: { $0.session.symbolCount < adapter.limits.symbolsPerConnection }) {
            return roomy.add(symbol)
        }
        add([symbol])
        connections.last?.connect()
    }

    func unsubscribe(_ symbol: String) {
        wanted.removeAll { $0 == symbol }
        for connection in connections {
            guard let index = connection.session.symbols.firstIndex(of: symbol) else { continue }
            connection.setWanted(index, false)
        }
    }

    private func add(_ symbols: [String]) {
        let session = FeedSession(adapter, symbols: symbols, url: url, seed: UInt64.random(in: .min ... .max))
        let connection = FeedConnection(session, on: eventLoop, options: options)
        connection.receiver = self
        connections.append(connection)
    }

    func feed(_ connection: FeedConnection, received kind: VenueMessageKind) {
        let hasCandles =
            !connection.session.venueSession.candles.isEmpty || !connection.session.venueSession.openCandles.isEmpty
        guard
            hasCandles || !connection.session.venueSession.trades.isEmpty
                || !connection.session.venueSession.quotes.isEmpty
        else { return }
        mailbox.write { box in
            let names = connection.session.venueSession.symbols.names
            for quote in connection.session.venueSession.quotes where connection.session.isWanted(quote.market) {
                box.append(
                    .quote(
                        FeedQuote(
                            symbol: names[quote.market], bid: quote.bid, ask: quote.ask, timestamp: quote.timestamp)))
            }
            for trade in connection.session.venueSession.trades where connection.session.isWanted(trade.market) {
                box.append(.trade(FeedTrade(symbol: names[trade.market], tick: trade.tick, side: trade.side)))
            }
            guard hasCandles else { return }
            let session = connection.session.venueSession
            for candles in FeedCandles.grouped(closed: session.candles, open: session.openCandles) {
                guard let market = session.symbols.find(candles.symbol), connection.session.isWanted(market) else {
                    continue
                }
                box.append(.candles(candles))
            }
        }
    }

    func feed(_ connection: FeedConnection, event: FeedEvent) {
        switch event {
        // It was stopped from here, which is reported once for all of them.
        case .state where !isRunning: break
        case .state(.open):
            open.insert(ObjectIdentifier(connection))
            guard !isReady, open.count == connections.count else { return }
            isReady = true
            problem = nil
            ready.value.store(true, ordering: .releasing)
            mailbox.put(.ready)
        case .state(let state):
            let wasOpen = open.remove(ObjectIdentifier(connection)) != nil
            if case .failed(let failure) = state {
                lose("\(adapter.title) refuses the connection: \(failure.words).", isAlwaysReported: true)
            } else if wasOpen {
                // One that is only being made, for symbols that were added, changes nothing for the others.
                lose(problem ?? "The connection is lost.", isAlwaysReported: false)
            }
        case .live(let symbol): mailbox.put(.live(symbol: symbol))
        case .interrupted(let symbol): mailbox.put(.interrupted(symbol: symbol))
        case .refused(let symbol, let reason): mailbox.put(.refused(symbol: symbol, reason: reason))
        case .unanswered(let symbol):
            mailbox.put(.problem("\(adapter.title) does not answer about \(symbol); the request is repeated."))
        case .missed(let symbol, let count): mailbox.put(.missed(symbol: symbol, count: count))
        case .unavailable(let reason?): mailbox.put(.problem(reason))
        case .unavailable(nil), .book: break
        case .problem(let what):
            problem = what.words
            mailbox.put(.problem(what.words))
        }
    }

    /// - Parameter isAlwaysReported: also where it was not ready before.
    private func lose(_ reason: String, isAlwaysReported: Bool) {
        guard isReady || isAlwaysReported else { return }
        isReady = false
        ready.value.store(false, ordering: .releasing)
        mailbox.put(.disconnected(reason: reason))
    }
}
