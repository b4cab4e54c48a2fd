public import MarketModel
public import NIOCore
public import WebSocketTransport

/// The tracker as a source of ticks: its stocks are markets like any other, and so have candles.
///
/// Each price that comes back from the echo server is a tick, at the time it came, without a volume: nothing was traded.
public final class TrackerFeedCore: Sendable {
    /// What it did so far, for a health page.
    public struct Status: Sendable {
        public let connection: TrackerConnection
        /// Stocks whose connection is open.
        public let connected: Int
        public let written: Int
        public let counts: StockBoard.Counts
        public let reconnects: ReconnectCounts
    }

    public let stocks: [TrackedStock]
    /// Numbered as the stocks are.
    public var markets: [Market] { stocks.map(\.market) }
    private let url: String?
    private let configuration: TrackerConfiguration
    private let seed: UInt64
    private let eventLoop: any EventLoop
    private let run: NIOLoopBoundBox<Run?>

    /// From `start` to `stop`.
    private final class Run {
        /// `nil` while its echo endpoint is being opened.
        var client: TrackerClient?
        var echo: LoopbackEcho?
    }

    /// - Parameter url: of the echo server; `nil`: an echo endpoint in this process.
    /// - Throws: `WebSocketConnectError` with code `badURL`.
    public init(
        _ stocks: [TrackedStock], url: String? = nil, configuration: TrackerConfiguration = .feed, seed: UInt64,
        on eventLoop: any EventLoop = WebSocketConnector.defaultGroup.any()
    ) throws {
        if let url { _ = try WebSocketURL(url) }
        self.stocks = stocks
        self.url = url
        self.configuration = configuration
        self.seed = seed
        self.eventLoop = eventLoop
        run = NIOLoopBoundBox.makeEmptyBox(valueType: Run.self, eventLoop: eventLoop)
    }

    /// Connects, and stays connected until `stop`. Doing so twice changes nothing.
    ///
    /// - Parameters:
    ///   - clock: seconds since 1970 UTC.
    ///   - onConnection: where the connection stands, and how many stocks are connected. Like `onTick` called on the
    ///     event loop.
    /// - Returns: fails where the echo endpoint of this process cannot listen.
    @discardableResult public func start(
        clock: @escaping @Sendable () -> Double,
        onConnection: @escaping @Sendable (TrackerConnection, _ connected: Int) -> Void = { _, _ in },
        onTick: @escaping @Sendable (_ market: Int, Tick) -> Void
    ) -> EventLoopFuture<Void> {
        let observe: @Sendable (TrackerEvent) -> Void = { event in
            switch event {
            case .connection(let state, let connected): onConnection(state, connected)
            case .price(let stock, let price): onTick(stock, Tick(timestamp: clock(), price: price.current, volume: 0))
            }
        }
        return eventLoop.flatSubmit { self.begin(observe) }
    }

    private func begin(_ observe: @escaping @Sendable (TrackerEvent) -> Void) -> EventLoopFuture<Void> {
        guard run.value == nil else { return eventLoop.makeSucceededVoidFuture() }
        let new = Run()
        run.value = new
        guard url == nil else { return eventLoop.makeCompletedFuture { try self.connect(new, url ?? "", observe) } }
        let bound = NIOLoopBound(new, eventLoop: eventLoop)
        return LoopbackEcho.listen(on: eventLoop).flatMapThrowing { echo in
            // It may have been stopped, and even started again, while the port was being opened.
            guard self.run.value === bound.value else { return echo.close() }
            bound.value.echo = echo
            try self.connect(bound.value, echo.url, observe)
        }.flatMapErrorThrowing { error in
            if self.run.value === bound.value { self.run.value = nil }
            throw error
        }
    }

    private func connect(_ run: Run, _ url: String, _ observe: @escaping @Sendable (TrackerEvent) -> Void) throws {
        let client = try TrackerClient(stocks, url: url, configuration: configuration, seed: seed, on: eventLoop)
        client.observe(observe)
        run.client = client
        client.start()
    }

    /// Delivers no more, from the event loop's next turn on.
    public func stop() {
        eventLoop.execute { [run] in
            run.value?.client?.end()
            run.value?.echo?.close()
            run.value = nil
        }
    }

    /// - Returns: `nil` while it is not running.
    public func status() async throws -> Status? {
        guard let client = try await eventLoop.submit({ [run] in run.value?.client }).get(),
            let snapshot = try await client.snapshot()
        else { return nil }
        return Status(
            connection: snapshot.state, connected: snapshot.connected, written: snapshot.written,
            counts: snapshot.board.counts, reconnects: snapshot.reconnects)
    }
}

extension TrackerConfiguration {
    /// For a feed: no user is there to start it again.
    public static var feed: TrackerConfiguration {
        var configuration = TrackerConfiguration()
        configuration.connection = connection(keepsTrying: true)
        return configuration
    }
}
