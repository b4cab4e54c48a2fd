/// A client's whole conversation with a candlewire server: connection, subscriptions, recovery, staleness, counters.
///
/// A value without IO, clock or concurrency, so that the same one runs on an event loop, in a browser and in a test
/// without a network. Whatever happens goes in together with the time (seconds on any clock that does not go back);
/// after each call its owner performs `nextAction` until that is `nil`, and sets its one timer to `deadline`:
///
/// ```swift
/// var session = StreamSession(SessionConfiguration(), seed: seed)
/// let stream = session.subscribe(SubscribeRequest(symbol: "BTC-USD", timeframe: .m1), now: clock())
/// session.connect(now: clock())
/// while let action = session.nextAction() {
///     switch action {
///     case .open(let socket): transport.open(socket)
///     case .emit(.stream(stream, .candle(let bar))): chart.place(bar)
///     ...
///     }
/// }
/// setTimer(at: session.deadline)
/// ```
///
/// Promises, each tested against a faulty network: after any number of lost connections the application has every final
/// candle once and in order, or inside a snapshot; what was left out was reported; a channel's messages come whole and
/// in order, each connection's after a snapshot; a refused subscription is reported once; a change of state is reported
/// once; after `disconnect` nothing comes back.
public struct StreamSession {
    public let configuration: SessionConfiguration
    var connection: ConnectionMachine
    var streams: SubscriptionSet
    var channels: ChannelSet
    var out = SessionOutput()
    var token: SessionToken?
    /// The last ping message on each socket.
    var pings: [(socket: SocketNumber, id: Int)] = []

    /// - Parameter seed: for the jitter of backoff; a different one for each session.
    public init(_ configuration: SessionConfiguration = SessionConfiguration(), seed: UInt64) {
        self.configuration = configuration
        connection = ConnectionMachine(configuration.connection, seed: seed)
        streams = SubscriptionSet(configuration)
        channels = ChannelSet(configuration)
    }

    // MARK: For the owner

    /// What is to be done next; `nil`: nothing for now. To be called after every change until `nil`.
    public mutating func nextAction() -> SessionAction? { out.actions.popFirst() }

    /// When `timerFired` is to be called; `nil`: no timer. A timer set for an earlier time may stay: firing early does
    /// no harm.
    public var deadline: Double? {
        let connectionDeadline = connection.deadline
        guard connection.writable != nil else { return connectionDeadline }
        let earliest = min(
            connectionDeadline ?? .infinity, streams.requestDeadline, streams.staleDeadline,
            channels.requestDeadline(streams.bucket))
        return earliest == .infinity ? nil : earliest
    }

    public var state: SessionState { connection.state }

    public var diagnostics: SessionDiagnostics {
        var diagnostics = out.counts
        diagnostics.state = connection.state
        diagnostics.attempts = connection.backoff.attempts
        diagnostics.isSlowRetry = connection.backoff.isSlow
        diagnostics.roundTrip = connection.roundTrip
        diagnostics.openSince = connection.openSince
        diagnostics.connects = connection.connects
        diagnostics.rotations = connection.rotations
        for case let entry? in streams.entries {
            diagnostics.subscriptions += 1
            if entry.isLive { diagnostics.live += 1 }
        }
        for entry in channels.entries {
            diagnostics.channels += 1
            if entry.owner != nil { diagnostics.liveChannels += 1 }
        }
        return diagnostics
    }

    /// How a channel stands; `nil` for one that is not wanted.
    public func channel(_ key: ChannelKey) -> SubscriptionInfo.State? { channels.state(key) }

    /// How a subscription stands; `nil` for one that was ended.
    public func subscription(_ number: SubscriptionNumber) -> SubscriptionInfo? { streams.info(number) }

    /// Makes a change, and turns what results from it into actions.
    mutating func update<Result>(_ now: Double, _ change: (inout StreamSession) -> Result) -> Result {
        let result = change(&self)
        processPending(now)
        return result
    }

    // MARK: The application's requests

    /// Begins, also from `failed` and `closed`. While connected, or on the way there, it does nothing.
    public mutating func connect(now: Double) { update(now) { $0.connection.connect(now: now) } }

    /// Ends the connection for good; the subscriptions stay desired for the next `connect`.
    public mutating func disconnect(now: Double) { update(now) { $0.connection.disconnect(now: now) } }

    /// Hands over the token that `fetchToken` requested, or a newer one at any time: an open connection is renewed with
    /// it and goes on. An empty one means that there is none.
    public mutating func setToken(_ text: String, now: Double) {
        token = text.isEmpty ? nil : SessionToken(text: text)
        connection.tokenChanged(isAvailable: token != nil, now: now)
        processPending(now)
    }

    /// The token that `fetchToken` requested cannot be had for the moment; the session tries again after a while.
    public mutating func tokenFailed(now: Double) { update(now) { $0.connection.tokenFailed(now: now) } }

    /// Ends a wait for the next attempt at once.
    public mutating func retryNow(now: Double) { update(now) { $0.connection.retryNow(now: now) } }

    /// A hint of the system. Coming back ends a wait; any change makes an open connection check whether it is alive.
    public mutating func networkChanged(isAvailable: Bool, now: Double) {
        update(now) { $0.connection.networkChanged(isAvailable: isAvailable, now: now) }
    }

    /// Requests a stream. The same symbol and timeframe again: the same number, other options replace the old ones, and a
    /// refused stream is requested again.
    /// - Parameter request: its `id` is chosen by the session; its `recover` is where an earlier session left off.
    public mutating func subscribe(_ request: SubscribeRequest, now: Double) -> SubscriptionNumber {
        update(now) { $0.streams.subscribe(request) }
    }

    public mutating func unsubscribe(_ number: SubscriptionNumber, now: Double) {
        update(now) { $0.streams.unsubscribe(number) }
    }

    /// Stops a stream until `resume`, which begins with one snapshot.
    public mutating func pause(_ number: SubscriptionNumber, now: Double) {
        update(now) { $0.streams.setPaused(true, number) }
    }

    public mutating func resume(_ number: SubscriptionNumber, now: Double) {
        update(now) { $0.streams.setPaused(false, number) }
    }

    /// Requests a channel: its messages come as `channel` events, with their text as it came. Each connection begins with
    /// `subscribed` and the server's snapshot; after that nothing is left out inside the connection.
    ///
    /// Again for a channel that is live: a new snapshot, for a part of the application that begins later; what comes
    /// meanwhile is delivered. A refused channel is requested again.
    public mutating func subscribe(_ channel: ChannelKey, now: Double) {
        update(now) { $0.channels.subscribe(channel) }
    }

    public mutating func unsubscribe(_ channel: ChannelKey, now: Double) {
        update(now) { $0.channels.unsubscribe(channel) }
    }

    /// The user looks away from all streams, or back: see `SessionConfiguration.hidden`.
    ///
    /// Of the channels `orders` and `events` stay, because their news has to be known in the background too; the
    /// others are unsubscribed whatever the policy, and return with a snapshot.
    public mutating func setHidden(_ isHidden: Bool, now: Double) {
        connection.isWatched = !isHidden
        streams.setHidden(isHidden)
        channels.setHidden(isHidden)
        processPending(now)
    }
}

/// A token that does not show itself where a session is printed.
struct SessionToken: CustomStringConvertible {
    var text: String
    var description: String { "(hidden)" }
}
