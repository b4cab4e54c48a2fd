public import NIOCore
import StreamCore
public import WebSocketTransport

/// What observers of the tracker are told.
public enum TrackerEvent: Sendable, Equatable {
    /// A message told the stock's price.
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
    private let box: NIOLoopBoundBox<TrackerDriver?>

    /// - Parameters:
    ///   - url: an echo server's, `ws://` or `wss://`.
    ///   - seed: the same seed writes the same prices.
    /// - Throws: `WebSocketConnectError` with code `badURL`, for trying again would not help.
    public init(
        _ stocks: [TrackedStock], url: String, configuration: TrackerConfiguration = TrackerConfiguration(),
        tls: WebSocketTLS = .default, seed: UInt64 = .random(in: 0...UInt64.max),
        on eventLoop: any EventLoop = WebSocketClient.defaultGroup.any()
    ) throws {
        _ = try WebSocketURL(url)
        self.eventLoop = eventLoop
        let box = NIOLoopBoundBox.makeEmptyBox(valueType: TrackerDriver.self, eventLoop: eventLoop)
        self.box = box
        eventLoop.execute {
            let tracker = PriceTracker(stocks, configuration, seed: seed)
            box.value = TrackerDriver(tracker, url: url, tls: tls, on: eventLoop)
        }
    }

    /// Connects, and goes on after `stop` or a failure.
    public func start() { run { $0.tell { $0.start(now: $1) } } }

    /// Disconnects; the prices stay.
    public func stop() { run { $0.tell { $0.stop(now: $1) } } }

    /// For applications whose system tells them.
    public func networkChanged(isAvailable: Bool) {
        run { $0.tell { $0.networkChanged(isAvailable: isAvailable, now: $1) } }
    }

    /// Ends for good: observers hear nothing more.
    public func shutDown() async {
        try? await eventLoop.submit { [box] in box.value?.shutDown() }.get()
    }

    /// The same, without waiting for it.
    func end() { run { $0.shutDown() } }

    /// - Throws: where the event loop is no more.
    public func snapshot() async throws -> Snapshot? {
        try await eventLoop.submit { [box] in
            box.value.map { driver in
                Snapshot(
                    state: driver.tracker.state, connected: driver.tracker.connectedCount, board: driver.tracker.board,
                    written: driver.tracker.written, reconnects: driver.tracker.reconnects, now: driver.now)
            }
        }.get()
    }

    /// Looks on from now, until the observation is cancelled or the tracker shut down.
    @discardableResult
    public func observe(_ body: @escaping @Sendable (TrackerEvent) -> Void) -> Observation {
        let number = NIOLoopBoundBox.makeEmptyBox(valueType: Int.self, eventLoop: eventLoop)
        run { number.value = $0.add(body) }
        return Observation { [weak self] in
            self?.run { driver in
                if let number = number.value { driver.removeObserver(number) }
            }
        }
    }

    public struct Observation: Sendable {
        private let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) { self.end = end }

        public func cancel() { end() }
    }

    /// In order, and never at once.
    private func run(_ body: @escaping @Sendable (TrackerDriver) -> Void) {
        eventLoop.execute { [box] in
            if let driver = box.value { body(driver) }
        }
    }
}
