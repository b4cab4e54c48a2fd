public import NIOCore
import NIOPosix
import Synchronization
import WebSocketTransport

/// A TCP proxy that treats its connections badly, on purpose and by a seed: to see what a client makes of a network
/// that drops, delays, throttles, corrupts and falls silent.
///
/// ```swift
/// let proxy = try await ChaosProxy.start(target: .init(host: "127.0.0.1", port: 8080), seed: 7)
/// let client = MyClient(url: "ws://127.0.0.1:\(proxy.port)/v1/stream")
/// proxy.settings = ChaosSettings(delay: 0.05, jitter: 0.1)    // also for connections that are open
/// proxy.cutAll()                                              // both sides get a TCP reset
/// #expect(await client.reconnects == 1)
/// await proxy.stop()
/// ```
///
/// It knows nothing of what it forwards: WebSockets, HTTP, TLS and databases all go through. For each direction at most
/// about `bufferLimit` bytes are held; beyond, the proxy stops reading and the sender meets TCP's backpressure (so with
/// a `delay` of d seconds at most `bufferLimit / d` bytes a second get through).
///
/// The same seed draws the same numbers for the same connection; where TCP cuts the chunks is up to the kernel, so a
/// run is alike, but not equal byte for byte.
public final class ChaosProxy: Sendable {
    /// Where connections go.
    public struct Target: Sendable, Equatable {
        public var host: String
        public var port: Int

        public init(host: String = "127.0.0.1", port: Int) {
            self.host = host
            self.port = port
        }
    }

    /// The most bytes held back for one direction of one connection before its sender has to wait. One read, at most
    /// 64 KiB, may go beyond it.
    public static let bufferLimit = 256 << 10

    struct State {
        var settings: ChaosSettings
        var target: Target
        var counts = ChaosCounts()
        var generator: SeededGenerator
        /// Open connections by number.
        var links: [Int: NIOLoopBound<ChaosLink>] = [:]
    }

    private let state: Mutex<State>
    private let onEvent: (@Sendable (ChaosEvent) -> Void)?
    private let listener = Mutex<(any Channel)?>(nil)

    private init(target: Target, settings: ChaosSettings, seed: UInt64, onEvent: (@Sendable (ChaosEvent) -> Void)?) {
        state = Mutex(State(settings: settings, target: target, generator: SeededGenerator(seed: seed)))
        self.onEvent = onEvent
    }

    /// Listens, and forwards to `target`.
    /// - Parameters:
    ///   - host: where to listen.
    ///   - port: 0 means any free one, see `port`.
    ///   - onEvent: called on the connection's event loop for everything the proxy does; must return at once.
    /// - Throws: where the address cannot be had. That the target does not answer shows with the first connection.
    public static func start(
        host: String = "127.0.0.1", port: Int = 0, target: Target, settings: ChaosSettings = .calm, seed: UInt64 = 1,
        on group: any EventLoopGroup = defaultGroup, onEvent: (@Sendable (ChaosEvent) -> Void)? = nil
    ) async throws -> ChaosProxy {
        let proxy = ChaosProxy(target: target, settings: settings, seed: seed, onEvent: onEvent)
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try proxy.accept(channel) }
            }
            .bind(host: host, port: port).get()
        proxy.listener.withLock { $0 = channel }
        return proxy
    }

    /// The event loops that proxies share unless configured otherwise.
    public static var defaultGroup: any EventLoopGroup { MultiThreadedEventLoopGroup.singleton }

    /// Where it listens; 0 after `stop()`.
    public var port: Int { listener.withLock { $0?.localAddress?.port } ?? 0 }

    /// How connections are treated from now on, those that are open too.
    public var settings: ChaosSettings {
        get { state.withLock { $0.settings } }
        set { state.withLock { $0.settings = newValue } }
    }

    /// Where new connections go: a server that was started again may have another port.
    public var target: Target {
        get { state.withLock { $0.target } }
        set { state.withLock { $0.target = newValue } }
    }

    public var counts: ChaosCounts { state.withLock { $0.counts } }

    /// Cuts every open connection: both sides get a TCP reset, what is held is lost.
    /// - Returns: how many there were. They are cut when their event loops get to it.
    @discardableResult public func cutAll() -> Int {
        let links = state.withLock { $0.links.values.map { $0 } }
        for link in links { link.execute { $0.cut(.request) } }
        return links.count
    }

    /// Cuts one open connection, chosen at random.
    /// - Returns: false where none is open.
    @discardableResult public func cutOne() -> Bool {
        let link = state.withLock { state in
            // In the order of their numbers: a dictionary's order would make the draw mean nothing.
            state.links.keys.sorted().randomElement(using: &state.generator).flatMap { state.links[$0] }
        }
        link?.execute { $0.cut(.request) }
        return link != nil
    }

    /// Falls silent on every open connection without closing anything, as a peer that vanished.
    /// - Returns: how many there were.
    @discardableResult public func halfOpenAll() -> Int {
        let links = state.withLock { $0.links.values.map { $0 } }
        for link in links { link.execute { $0.halfOpen() } }
        return links.count
    }

    /// Stops listening, cuts what is open and returns when nothing listens any more. May be called again.
    public func stop() async {
        let channel = listener.withLock { listener in
            defer { listener = nil }
            return listener
        }
        try? await channel?.close()
        cutAll()
    }

    // MARK: For its connections, on their event loops

    private func accept(_ channel: any Channel) throws {
        let (number, isRefused, seed, target) = state.withLock { state in
            state.counts.accepted += 1
            let isRefused =
                state.settings.refuse > 0 && Double.random(in: 0..<1, using: &state.generator) < state.settings.refuse
            if isRefused { state.counts.refused += 1 }
            return (state.counts.accepted, isRefused, state.generator.next(), state.target)
        }
        guard !isRefused else {
            onEvent?(.refused(connection: number))
            return channel.reset()
        }
        let link = ChaosLink(number: number, client: channel, address: target, proxy: self, seed: seed)
        let bound = NIOLoopBound(link, eventLoop: channel.eventLoop)
        state.withLock { state in
            state.counts.open += 1
            state.links[number] = bound
        }
        onEvent?(.opened(connection: number))
        try link.begin()
    }

    func note(_ event: ChaosEvent, _ change: (inout ChaosCounts) -> Void) {
        state.withLock { change(&$0.counts) }
        onEvent?(event)
    }

    func count(_ change: (inout ChaosCounts) -> Void) { state.withLock { change(&$0.counts) } }

    func remove(_ number: Int) {
        state.withLock { state in
            if state.links.removeValue(forKey: number) != nil { state.counts.open -= 1 }
        }
    }
}

extension NIOLoopBound {
    fileprivate func execute(_ body: @escaping @Sendable (Value) -> Void) { eventLoop.execute { body(self.value) } }
}
