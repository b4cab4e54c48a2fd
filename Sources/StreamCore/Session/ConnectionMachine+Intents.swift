extension ConnectionMachine {
    /// Begins, also from `failed` and `closed`. While connected, or on the way there, nothing.
    package mutating func connect(now: Double) {
        switch state {
        case .idle, .failed, .closed:
            backoff.reset()
            wasTokenRefused = false
            announcedReturn = nil
            openCurrent(now: now)
        case .connecting, .authenticating, .open, .waiting: break
        }
    }

    /// Ends for good: no attempt is left behind.
    package mutating func disconnect(now: Double) {
        switch state {
        case .idle, .closed: break
        case .connecting, .authenticating, .open, .waiting, .failed:
            releaseAll(.normal)
            isFetchingToken = false
            setState(.closed)
        }
    }

    /// Ends a wait at once. From `failed` it starts again; elsewhere nothing.
    package mutating func retryNow(now: Double) {
        switch state {
        case .waiting: openCurrent(now: now)
        case .failed: connect(now: now)
        case .idle, .connecting, .authenticating, .open, .closed: break
        }
    }

    /// The server announced the end of this connection: it is replaced now, make before break.
    ///
    /// One that is not stable yet is left to its end: a server that announces it again and again meets the backoff.
    package mutating func rotateNow(now: Double) {
        guard let socket = current, socket.stage == .ready, next == nil,
            now - socket.readySince >= configuration.stableUptime
        else { return }
        rotateAt = now
    }

    /// A hint of the system: coming back ends a wait, any change makes an open connection check whether it is alive.
    ///
    /// The loss of the network closes nothing by itself: such signals are often wrong. For the same reason a wait is
    /// ended so at most every `networkPause` seconds; further returns let it go on.
    package mutating func networkChanged(isAvailable: Bool, now: Double) {
        let cameBack = isAvailable && !isNetworkAvailable
        isNetworkAvailable = isAvailable
        // A network that comes and goes must not remove the backoff: all clients behind it would knock in step.
        if cameBack, case .waiting = state, now - networkUsedAt >= Self.networkPause {
            networkUsedAt = now
            backoff.reset()
            openCurrent(now: now)
        }
        if let socket = current, socket.stage == .ready, current?.heartbeat.probe(now: now) == .ping {
            act(.ping(socket.number))
        }
    }

    /// The owner does not know for the moment what its token is: the service that gives it does not answer. Like a
    /// server that does not answer, this is tried again.
    package mutating func tokenFailed(now: Double) {
        guard isFetchingToken else { return }
        isFetchingToken = false
        // No token was tried, so none was refused a second time.
        if current != nil { wasTokenRefused = false }
        if state == .authenticating, current == nil { scheduleRetry(now: now) }
    }

    /// The owner has a token, or learned that there is none.
    package mutating func tokenChanged(isAvailable: Bool, now: Double) {
        let wasAwaited = isFetchingToken
        isFetchingToken = false
        hasToken = isAvailable
        guard isAvailable else {
            guard wasAwaited || configuration.requiresToken else {
                usesToken = false
                return
            }
            switch state {
            case .connecting, .authenticating, .open: fail(.unauthorized)
            case .idle, .waiting, .failed, .closed: break
            }
            return
        }
        usesToken = true
        if state == .authenticating, current == nil { return openCurrent(now: now) }
        for case let socket? in [current, next] where socket.stage != .opening {
            self[socket.number]?.isRenewing = socket.stage == .ready
            act(.authenticate(socket.number))
        }
    }
}
