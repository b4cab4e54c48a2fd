public import MarketModel
public import NIOCore
public import StreamCore

/// A connection to a candlewire server that stays: it reconnects, resubscribes and recovers what was missed, and
/// reports which it was.
///
/// ```swift
/// let client = try StreamClient(url: "ws://127.0.0.1:8080/v1/stream")
/// client.connect()
/// for await series in client.subscribe("BTC-USD", .m1).candles() {
///     print(series.count, series.last?.close ?? 0)
/// }
/// ```
///
/// What it decides, it decides in `StreamSession`, which is the same in the browser; this is its shell on SwiftNIO. All
/// methods may be called from anywhere, take effect in the order they are called, and return at once.
///
/// Keep the client for as long as you want the connection: when it is let go it closes, and all of its sequences end.
public final class StreamClient: Sendable {
    private let link: DriverLink<SessionDriver>
    private let broadcast: StateBroadcast

    /// - Parameters:
    ///   - url: `ws://` or `wss://`, of the server's stream.
    ///   - configuration: how it comes back, whom it trusts, where its token comes from.
    ///   - group: one of its event loops does all the work of this client.
    ///   - seed: for the jitter of reconnection; random where none is given.
    /// - Throws: `WebSocketConnectError` with code `badURL`. Nothing is connected yet.
    public convenience init(
        url: String, configuration: StreamClientConfiguration = StreamClientConfiguration(),
        on group: any EventLoopGroup = WebSocketConnector.defaultGroup, seed: UInt64? = nil
    ) throws {
        _ = try WebSocketURL(url)
        self.init(
            connector: .network(url: url, configuration: configuration), configuration: configuration, on: group.any(),
            seed: seed)
    }

    /// A client whose sockets are opened in another way, for example in a test without a network. The event loop is
    /// also the client's clock.
    public init(
        connector: StreamConnector, configuration: StreamClientConfiguration = StreamClientConfiguration(),
        on eventLoop: any EventLoop, seed: UInt64? = nil
    ) {
        let broadcast = StateBroadcast()
        self.broadcast = broadcast
        let seed = seed ?? UInt64.random(in: .min ... .max)
        link = DriverLink(eventLoop: eventLoop) {
            SessionDriver(
                on: eventLoop, connector: connector, configuration: configuration, states: broadcast, seed: seed)
        }
    }

    deinit { link.run { $0.shutDown() } }

    // MARK: The connection

    /// Begins, or begins again after `failed` and `closed`. While connected, or on the way there, it does nothing.
    public func connect() { link.run { $0.update { $0.connect(now: $1) } } }

    /// Ends the connection for good: nothing comes back before the next `connect`. The subscriptions stay wanted.
    public func disconnect() { link.run { $0.update { $0.disconnect(now: $1) } } }

    /// Ends a wait for the next attempt at once: for a button, or for an app that comes to the foreground.
    public func retryNow() { link.run { $0.update { $0.retryNow(now: $1) } } }

    /// A hint of the system. Coming back ends a wait; any change makes an open connection check whether it is alive.
    public func networkChanged(isAvailable: Bool) {
        link.run { $0.update { $0.networkChanged(isAvailable: isAvailable, now: $1) } }
    }

    /// Hands over a newer token: an open connection is renewed with it and goes on.
    public func setToken(_ token: String) { link.run { $0.update { $0.setToken(token, now: $1) } } }

    /// The user looks away from all streams, or back; see `SessionConfiguration.hidden`.
    public func setHidden(_ isHidden: Bool) { link.run { $0.update { $0.setHidden(isHidden, now: $1) } } }

    /// The present state.
    public var state: SessionState { broadcast.current }

    /// The present state, then each change once. Any number of tasks may listen, each to its own sequence; all end when
    /// the client is let go. Of a listener that does not listen the newest 256 states wait. `waiting(until:)` is in
    /// seconds since 1970 UTC.
    public var states: AsyncStream<SessionState> { broadcast.listen() }

    // MARK: Streams

    /// Requests a stream, connected or not. See `StreamSubscription`.
    ///
    /// A symbol that the server does not know is reported as an event, `refused`.
    /// - Parameters:
    ///   - symbol: as the server names it, for example `BTC-USD`.
    ///   - timeframe: of the candles; ticks come with each.
    ///   - history: candles of the past in the first snapshot, 0 to 1000.
    ///   - maxRate: deliveries a second, each with the latest of what changed; nil: every message, for as long as the
    ///     task keeps up (it may be 1,024 events late).
    public func subscribe(
        _ symbol: String, _ timeframe: Timeframe, history: Int = SubscribeRequest.defaultHistory, maxRate: Double? = 30
    ) -> StreamSubscription {
        StreamSubscription(
            StreamName(symbol: symbol, timeframe: timeframe),
            history: min(max(0, history), SubscribeRequest.maximumHistory), maxRate: maxRate, link: link)
    }

    // MARK: Channels

    /// Requests a channel, connected or not: orders, positions, balances, events, summaries of all markets, the server's
    /// health. See `ChannelSubscription`.
    ///
    /// A channel or an account that the server does not know is reported as an event, `refused`.
    /// - Parameter account: of `positions`, `orders` and `portfolio` (`paper-main` where none is named); narrows
    ///   `events`.
    public func channel(_ channel: StreamChannel, account: String? = nil) -> ChannelSubscription {
        ChannelSubscription(ChannelKey(channel, account: account), link: link)
    }

    /// What the session has seen and done so far.
    public func diagnostics() async -> StreamClientDiagnostics {
        (try? await link.get { $0.diagnostics }) ?? StreamClientDiagnostics(session: SessionDiagnostics(), uptime: 0)
    }
}
