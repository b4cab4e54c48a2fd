public import StreamCore

/// How a client is doing, for a diagnostics panel.
public struct StreamClientDiagnostics: Sendable, Equatable {
    /// All the counters. `openSince` is in seconds since 1970 UTC.
    public var session: SessionDiagnostics
    /// Seconds that the present connection has been open; 0 where it is not.
    public var uptime: Double

    public var isConnected: Bool { session.state == .open }
    public var reconnectAttempts: Int { session.attempts }
    public var lastError: SessionProblem? { session.lastProblem }
    /// Messages received.
    public var messageCount: Int { Int(clamping: session.messagesIn) }
}

extension SessionDriver {
    var diagnostics: StreamClientDiagnostics {
        var diagnostics = session.diagnostics
        let uptime = diagnostics.uptime(now: now)
        diagnostics.state = dated(diagnostics.state)
        diagnostics.openSince = diagnostics.openSince.map { clock.date($0) }
        return StreamClientDiagnostics(session: diagnostics, uptime: uptime)
    }

    func status(of observer: StreamObserver) -> StreamStatus? {
        guard let stream = streams[observer.name], let number = stream.number,
            stream.observers.contains(where: { $0 === observer }), var info = session.subscription(number)
        else { return nil }
        info.lastTickAt = info.lastTickAt.map { clock.date($0) }
        return StreamStatus(
            stream: info, observers: stream.observers.count, delivered: observer.conflator.delivered,
            skipped: observer.conflator.skippedTotal)
    }

    /// A state in the application's time: the wall's.
    func dated(_ state: SessionState) -> SessionState {
        if case .waiting(let until) = state { .waiting(until: clock.date(until)) } else { state }
    }
}
