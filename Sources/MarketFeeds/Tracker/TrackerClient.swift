public import NIOCore
public import StreamCore
public import WebSocketTransport

/// What the tracker reports to its observers.
public enum TrackerEvent: Sendable, Equatable {
    /// A message had the stock's price.
    case price(stock: Int, StockPrice)
    /// The state, or how many stocks are connected. Each observer's first event.
    case connection(TrackerConnection, connected: Int)
}

/// The price tracker over the network: writes random deltas to an echo server, and shows what comes back.
///
/// ```swift
/// let tracker = try TrackerClient(TrackedStock.bundled, url: "ws://127.0.0.1:8080/raw")
/// let list = tracker.observe { event in print(event) }
/// tracker.start()
/// ```
///
/// Any number of observers may look at the same time: a list and a detail view each have their own, and see the same
/// prices in the same order. May be used from anywhere; observers are called on `eventLoop`.
public final class TrackerClient: Sendable {
    public struct Snapshot: Sendable {
        public let state: TrackerConnection
        /// Stocks whose connection is open.
        public let connected: Int
        public let board: StockBoard
        /// Deltas written.
        public let written: Int
        /// How often its connections were tried again, and came back.
        public let reconnects: ReconnectCounts
        /// Now, on the clock of `StockPrice.changedAt`.
        public let now: Double
    }

    public let eventLoop: any EventLoop
    private let link: DriverLink<TrackerDriver>

    /// - Parameters:
    ///   - url: an echo server's, `ws://` or `wss://`.
    ///   - seed: the same seed writes the same prices.
    /// - Throws: `WebSocketConnectError` with code `badURL`, for trying again would not help.
    public init(
        _ stocks: [TrackedStock], url: String, configuration: TrackerConfiguration = TrackerConfiguration(),
        tls: WebSocketTLS = .default, seed: UInt64 = .random(in: 0...UInt64.max),
        on eventLoop: any EventLoop = WebSocketConnector.defaultGroup.any()
    ) throws {
        _ = try WebSocketURL(url)
        self.eventLoop = eventLoop
        link = DriverLink(eventLoop: eventLoop) {
            TrackerDriver(PriceTracker(stocks, configuration, seed: seed), url: url, tls: tls, on: eventLoop)
        }
    }

    /// Connects, and goes on after `stop` or a failure.
    public func start() { link.run { $0.update { $0.start(now: $1) } } }

    /// Disconnects; the prices stay.
    public func stop() { link.run { $0.update { $0.stop(now: $1) } } }

    /// For applications that learn it from the system.
    public func networkChanged(isAvailable: Bool) {
        link.run { $0.update { $0.networkChanged(isAvailable: isAvailable, now: $1) } }
    }

    /// Ends for good: observers get nothing more.
    public func shutDown() async { _ = try? await link.get { $0.shutDown() } }

    /// The same, without waiting for it.
    func end() { link.run { $0.shutDown() } }

    /// - Throws: where the event loop is no more.
    public func snapshot() async throws -> Snapshot? {
        try await link.get { driver in
            Snapshot(
                state: driver.session.state, connected: driver.session.connectedCount, board: driver.session.board,
                written: driver.session.written, reconnects: driver.session.reconnects, now: driver.now)
        }
    }

    /// Looks on from now, until the observation is cancelled or the tracker shut down.
    @discardableResult public func observe(_ body: @escaping @Sendable (TrackerEvent) -> Void) -> Observation {
        let number = NIOLoopBoundBox.makeEmptyBox(valueType: Int.self, eventLoop: eventLoop)
        link.run { number.value = $0.add(body) }
        return Observation { [weak self] in
            self?.link.run { driver in if let number = number.value { driver.removeObserver(number) } }
        }
    }

    public struct Observation: Sendable {
        private let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) { self.end = end }
        public func cancel() { end() }
    }
}

/// How the tracker behaves.
public struct TrackerConfiguration: Sendable, Equatable {
    /// Seconds from one delta of a stock to its next; those of different stocks are spread out over it.
    public var interval = 2.0
    /// The largest step of a price within two seconds, as a fraction of it.
    public var volatility = 0.02
    /// The prices that are written. For a stock that begins below, the range reaches down to a tenth of its initial
    /// price, and for one that begins above, up to ten times of it.
    public var prices = 1.0...10_000.0
    /// Seconds that a changed price stands out.
    public var flash = 1.0
    /// Each stock on a connection of its own, and not all on one.
    public var connectsPerStock = false
    public var connection = TrackerConfiguration.connection(keepsTrying: false)

    public init() {}

    /// Most connections that `connectsPerStock` opens.
    public static let maxConnections = 100

    /// Ten seconds to connect; after a loss three retries, at most 1, 2 and 4 seconds apart, and then it has failed
    /// (start again), or, for those that run unattended, a retry every five seconds.
    ///
    /// Each pause is drawn between nothing and those seconds: what lost one server together should not come back in step.
    public static func connection(keepsTrying: Bool) -> ConnectionConfiguration {
        var configuration = ConnectionConfiguration()
        configuration.connectTimeout = 10
        configuration.backoff = Backoff.Configuration(base: 0.5, cap: 5, attempts: 3, slowRetry: keepsTrying ? 5 : nil)
        return configuration
    }
}
