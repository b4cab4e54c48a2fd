public import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import WebSocketTransport

/// A venue on a loopback port: a real WebSocket server that keeps one venue's rules and plays a recording.
///
/// ```swift
/// let session = RecordedSession(lines: lines)
/// let venue = try await VenueSimulator.start(.coinbase, session: session)
/// let client = MyClient(url: venue.url)                  // subscribes, gets acks and the recording
/// try await venue.wait { $0.ended == 1 }
/// #expect(venue.log.subscriptions[0]?.contains(VenueTopic("matches", "BTC-USD")) == true)
/// await venue.stop()
/// ```
///
/// Without more said, the recording is played as fast as the client reads, with the times it has. An outage is provoked with
/// `VenueSettings.faults`, or at any moment with `cut()`. A test may move the time by hand: `VenueClock`.
///
/// What the venue decides is in `VenueMachine`, which needs no sockets; here it is carried to them, all on one event
/// loop.
public final class VenueSimulator: Sendable {
    public let venue: SimulatedVenue
    /// Markets of the recording, as the venue names them.
    public let symbols: [String]
    /// Those of them that do not trade while the recording plays; none where nothing of it trades.
    public let quietSymbols: [String]
    private let channel: any Channel
    private let shell: NIOLoopBound<VenueShell>
    private let state: VenueState

    private init(
        _ machine: VenueMachine, _ channel: any Channel, _ shell: NIOLoopBound<VenueShell>, _ state: VenueState
    ) {
        venue = machine.venue
        symbols = machine.symbols
        quietSymbols = machine.quietSymbols
        self.channel = channel
        self.shell = shell
        self.state = state
    }

    /// Listens on the loopback interface.
    /// - Parameters:
    ///   - port: 0 picks any free one.
    ///   - clock: in place of the system's.
    ///   - onEvent: called with everything, on an event loop: must not wait.
    /// - Throws: what listening throws.
    public static func start(
        _ venue: SimulatedVenue, session: RecordedSession, settings: VenueSettings = VenueSettings(), port: Int = 0,
        clock: VenueClock = VenueClock(), onEvent: (@Sendable (VenueEvent) -> Void)? = nil
    ) async throws -> VenueSimulator {
        let machine = VenueMachine(venue, session: session, settings: settings)
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let state = VenueState(onEvent: onEvent)
        let shell = try await eventLoop.submit {
            NIOLoopBound(VenueShell(machine, eventLoop, clock, state), eventLoop: eventLoop)
        }.get()
        // All on one loop: the machine has one owner.
        let channel = try await ServerBootstrap(group: eventLoop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try shell.value.accept(channel) }
            }
            .bind(host: "127.0.0.1", port: port).get()
        return VenueSimulator(machine, channel, shell, state)
    }

    public var port: Int { channel.localAddress?.port ?? 0 }
    /// `ws://127.0.0.1:PORT`
    public var baseURL: String { "ws://127.0.0.1:\(port)" }
    /// With the path at which the venue has its WebSockets.
    public var url: String { venue.path == "/" ? baseURL + "/" : baseURL + venue.path }

    /// What happened so far.
    public var log: VenueLog { state.log }

    /// Waits until the log is as wanted.
    /// - Throws: `VenueWaitError` where it did not become so in time.
    public func wait(within seconds: Double = 60, until isReached: (VenueLog) -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while !isReached(log) {
            guard ContinuousClock.now < deadline else { throw VenueWaitError(log: log) }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Cuts all connections without a farewell; new ones are welcome.
    public func cut() async {
        let shell = shell
        try? await channel.eventLoop.submit { shell.value.cutAll() }.get()
    }

    /// Stops listening and cuts what is open.
    public func stop() async {
        try? await channel.close()
        let shell = shell
        try? await channel.eventLoop.submit { shell.value.stop() }.get()
    }
}

/// A venue's log did not become what a test waited for.
public struct VenueWaitError: LocalizedError, CustomStringConvertible {
    public let log: VenueLog
    public var description: String { "what was waited for did not happen; until now: \(log)" }
    public var errorDescription: String? { description }
}

/// What the event loop shares with other threads.
final class VenueState: Sendable {
    private let value = Mutex(VenueLog())
    private let onEvent: (@Sendable (VenueEvent) -> Void)?

    init(onEvent: (@Sendable (VenueEvent) -> Void)?) { self.onEvent = onEvent }
    var log: VenueLog { value.withLock { $0 } }

    func record(_ event: VenueEvent) {
        value.withLock { $0.record(event) }
        onEvent?(event)
    }

    func sent(_ count: Int) { value.withLock { $0.sent += count } }
}

/// The time by which a simulated venue lives, in seconds since 1970.
///
/// A test gives one that it moves itself: then time stands still until it is moved, and with it heartbeats, deadlines and
/// everything that is played at a pace.
public struct VenueClock: Sendable {
    /// Calls `body` at a time.
    /// - Returns: what cancels the call.
    public typealias Schedule =
        @Sendable (_ time: Double, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void

    private let time: @Sendable () -> Double
    /// `nil`: the event loop's timers.
    let schedule: Schedule?

    public init(now: @escaping @Sendable () -> Double, schedule: @escaping Schedule) {
        time = now
        self.schedule = schedule
    }

    /// The system's; does not go back, whatever is done to the system's clock.
    public init() {
        let start = Date().timeIntervalSince1970
        let uptime = NIODeadline.now()
        time = { start + Double((NIODeadline.now() - uptime).nanoseconds) / 1e9 }
        schedule = nil
    }

    var now: Double { time() }
}
