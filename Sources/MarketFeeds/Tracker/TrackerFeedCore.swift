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
    }

    public let stocks: [TrackedStock]
    /// Numbered as the stocks are.
    public var markets: [Market] { stocks.map(\.market) }
    private let url: String?
    private let configuration: TrackerConfiguration
    private let seed: UInt64
    private let eventLoop: any EventLoop
    private let running: NIOLoopBoundBox<Running?>

    private struct Running: Sendable {
        var client: TrackerClient
        var echo: LoopbackEcho?
    }

    /// - Parameter url: of the echo server; `nil`: an echo endpoint in this process.
    /// - Throws: `WebSocketConnectError` with code `badURL`.
    public init(
        _ stocks: [TrackedStock], url: String? = nil, configuration: TrackerConfiguration = .feed, seed: UInt64,
        on eventLoop: any EventLoop = WebSocketClient.defaultGroup.any()
    ) throws {
        if let url { _ = try WebSocketURL(url) }
        self.stocks = stocks
        self.url = url
        self.configuration = configuration
        self.seed = seed
        self.eventLoop = eventLoop
        running = NIOLoopBoundBox.makeEmptyBox(valueType: Running.self, eventLoop: eventLoop)
    }

    /// Connects, and stays connected until `stop`. Doing so twice changes nothing.
    ///
    /// - Parameters:
    ///   - clock: seconds since 1970 UTC.
    ///   - onConnection: where the connection stands, and how many stocks are connected. Like `onTick` called on the
    ///     event loop.
    /// - Returns: fails where the echo endpoint of this process cannot listen.
    @discardableResult
    public func start(
        clock: @escaping @Sendable () -> Double,
        onConnection: @escaping @Sendable (TrackerConnection, _ connected: Int) -> Void = { _, _ in },
        onTick: @escaping @Sendable (_ market: Int, Tick) -> Void
    ) -> EventLoopFuture<Void> {
        let observe: @Sendable (TrackerEvent) -> Void = { event in
            switch event {
            case .connection(let state, let connected): onConnection(state, connected)
            case .price(let stock, let price):
                onTick(stock, Tick(timestamp: clock(), price: price.current, volume: 0))
            }
        }
        if let url { return eventLoop.submit { try self.run(url, nil, observe) } }
        return LoopbackEcho.listen(on: eventLoop).flatMapThrowing { try self.run($0.url, $0, observe) }
    }

    private func run(_ url: String, _ echo: LoopbackEcho?, _ observe: @escaping @Sendable (TrackerEvent) -> Void) throws
    {
        guard running.value == nil else {
            echo?.close()
            return
        }
        let client = try TrackerClient(stocks, url: url, configuration: configuration, seed: seed, on: eventLoop)
        client.observe(observe)
        running.value = Running(client: client, echo: echo)
        client.start()
    }

    /// Delivers no more, from the event loop's next turn on.
    public func stop() {
        eventLoop.execute { [running] in
            running.value?.client.end()
            running.value?.echo?.close()
            running.value = nil
        }
    }

    /// - Returns: `nil` while it is not running.
    public func status() async throws -> Status? {
        guard let client = try await eventLoop.submit({ [running] in running.value?.client }).get(),
            let snapshot = try await client.snapshot()
        else { return nil }
        return Status(
            connection: snapshot.state, connected: snapshot.connected, written: snapshot.written,
            counts: snapshot.board.counts)
    }
}

extension TrackerConfiguration {
    /// For a feed: nobody is there to start it again.
    public static var feed: TrackerConfiguration {
        var configuration = TrackerConfiguration()
        configuration.connection = connection(keepsTrying: true)
        return configuration
    }
}
