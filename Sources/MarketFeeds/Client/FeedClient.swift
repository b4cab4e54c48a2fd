public import NIOCore
import Synchronization
public import WebSocketTransport

/// A venue's live trades, quotes and candles for an app: connects, subscribes, comes back after each outage and subscribes again.
///
/// ```swift
/// var options = FeedClient.Options()
/// options.credentials = .apiKey(key)
/// let client = try FeedClient(adapter, symbols: ["AAPL"], options: options)
/// client.connect()
/// for await event in client.events {
///     if case .trade(let trade) = event { print(trade.symbol, trade.tick.price) }
/// }
/// ```
///
/// or with callbacks, on the main actor:
///
/// ```swift
/// client.observe(onReady: { label.text = "ready" }, onTrade: { table.update($0) },
///     onDisconnect: { reason in label.text = reason })
/// client.connect()
/// ```
///
/// There is one reader: `events` or `observe`, and only once. It never runs on the socket's thread. Between the two stands
/// a queue of `Options.capacity` events; while it is full, new trades, quotes and candles are discarded, counted, and
/// reported as `dropped` in the place where they are missing. Everything may be called from any thread, in any state, any number of
/// times; requests are done in the order they are made. The client closes when it is released.
///
/// - Note: a symbol that is subscribed to already is not requested twice, and one that is not, is not left.
public final class FeedClient: Sendable {
    public struct Options: Sendable {
        /// In place of the venue's own address: `ws://` or `wss://`.
        public var url: String?
        /// For venues that need a key.
        public var credentials: FeedCredentials?
        /// Fetches tokens in place of the venue, from a server of your own for example, so that the app holds no key.
        public var token: (@Sendable (_ wasRejected: Bool) async throws -> String)?
        public var tls = WebSocketTLS.default
        /// Events that wait for the reader at most, each some hundred bytes.
        public var capacity = 4096

        public init() {}
    }

    public let adapter: any FeedAdapter
    let mailbox: FeedMailbox
    private let ready: ReadyFlag
    private let eventLoop: any EventLoop
    private let core: NIOLoopBoundBox<FeedClientCore?>

    /// Does not connect yet.
    /// - Parameters:
    ///   - symbols: subscribed to from the beginning, as the venue writes them.
    ///   - group: where the sockets live.
    /// - Throws: `FeedError` where a symbol cannot be one of the venue's, or the venue needs credentials and there are none.
    public init(
        _ adapter: any FeedAdapter, symbols: [String] = [], options: Options = Options(),
        on group: any EventLoopGroup = WebSocketConnector.defaultGroup
    ) throws(FeedError) {
        for symbol in symbols { if let flaw = adapter.flaw(of: symbol) { throw FeedError(.usage, flaw) } }
        var connection = FeedConnection.Options()
        connection.tls = options.tls
        if let token = options.token {
            connection.token = token
        } else {
            connection.token = try FeedTokenSource.fetcher(adapter, options.credentials, url: options.url)
        }
        self.adapter = adapter
        let (mailbox, ready) = (FeedMailbox(capacity: options.capacity), ReadyFlag())
        let eventLoop = group.next()
        let core = NIOLoopBoundBox.makeEmptyBox(valueType: FeedClientCore.self, eventLoop: eventLoop)
        (self.mailbox, self.ready, self.eventLoop, self.core) = (mailbox, ready, eventLoop, core)
        let finalOptions = connection
        eventLoop.execute {
            core.value = FeedClientCore(
                adapter, symbols: symbols, url: options.url, connection: finalOptions, mailbox, ready, on: eventLoop)
        }
    }

    deinit {
        mailbox.finish()
        eventLoop.execute { [core] in
            core.value?.disconnect()
            core.value = nil
        }
    }

    /// Whether the sockets can be used now. False from the moment a connection is lost, before the reader receives the event.
    public var isReady: Bool { ready.value.load(ordering: .acquiring) }

    /// Connects, and stays connected. While it is, nothing.
    public func connect() { run { $0.connect() } }

    /// Closes for good, timers and all. The symbols stay for the next `connect`.
    public func disconnect() { run { $0.disconnect() } }

    /// Subscribes to a symbol's trades; one that the venue refused is requested again.
    /// - Throws: `FeedError` where it cannot be a symbol of the venue.
    public func subscribe(_ symbol: String) throws(FeedError) {
        if let flaw = adapter.flaw(of: symbol) { throw FeedError(.usage, flaw) }
        run { $0.subscribe(symbol) }
    }

    /// Unsubscribes from a symbol's trades. Some that were on their way may still come.
    public func unsubscribe(_ symbol: String) { run { $0.unsubscribe(symbol) } }

    /// What happens, from the making of the client on, for one reader. Ends when the client is released.
    public var events: Events { Events(mailbox: mailbox) }

    public struct Events: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let mailbox: FeedMailbox

        public func makeAsyncIterator() -> Events { self }
        public func next() async -> FeedClientEvent? { await mailbox.next() }
    }

    private func run(_ body: @escaping @Sendable (FeedClientCore) -> Void) {
        eventLoop.execute { [core] in if let core = core.value { body(core) } }
    }
}

/// Read from any thread, written on the event loop.
final class ReadyFlag: Sendable { let value = Atomic(false) }
