extension ConnectionMachine {
    /// The handshake succeeded.
    public mutating func opened(_ number: SocketNumber, now: Double) {
        if current?.number == number, current?.stage == .opening {
            guard hasToken else { return becomeReady(now: now) }
            current?.stage = .authenticating
            current?.stageEndsAt = now + configuration.connectTimeout
            setState(.authenticating)
            act(.authenticate(number))
        } else if next?.number == number, next?.stage == .opening {
            guard hasToken else { return nextBecomesReady(now: now) }
            next?.stage = .authenticating
            next?.stageEndsAt = now + configuration.connectTimeout
            act(.authenticate(number))
        }
    }

    /// The server accepted the token.
    public mutating func authenticated(_ number: SocketNumber, now: Double) {
        if current?.number == number {
            switch current?.stage {
            case .authenticating: becomeReady(now: now)
            case .ready:
                current?.isRenewing = false
                // A token that holds for a while makes up for the one refused before it.
                if wasTokenRefused { stableAt = now + configuration.stableUptime }
            case .opening, nil: break
            }
        } else if next?.number == number {
            if next?.stage == .authenticating { nextBecomesReady(now: now) } else { next?.isRenewing = false }
        }
    }

    /// The server refused the token in a message. On an open connection another one is fetched without reconnecting.
    public mutating func unauthorized(_ number: SocketNumber, now: Double) {
        if current?.number == number, let socket = current {
            if socket.stage == .ready {
                guard !isFetchingToken else { return }
                current?.isRenewing = false
                guard mayRefreshToken() else { return fail(.unauthorized) }
                fetchToken(wasRejected: true, now: now)
            } else if socket.stage == .authenticating {
                release(socket, .normal)
                current = nil
                refreshToken(now: now)
            }
        } else if next?.number == number, let socket = next {
            // The first socket is still good; its own token decides.
            release(socket, .normal)
            rotationFailed(now: now)
        }
    }

    /// The handshake was answered with another status than 101; 0 where it is not known.
    /// - Parameter retryAfter: seconds, from the header of that name.
    public mutating func refused(_ number: SocketNumber, status: Int, retryAfter: Double?, now: Double) {
        if next?.number == number, next?.stage == .opening { return rotationFailed(now: now) }
        guard current?.number == number, current?.stage == .opening else { return }
        act(.problem(.refused(status: status)))
        current = nil
        switch CloseCodePolicy(status: status) {
        case .retry: scheduleRetry(now: now, advice: retryAfter)
        case .giveUp: fail(.refused(status: status))
        case .refreshToken: refreshToken(now: now)
        }
    }

    /// The connection ended.
    /// - Parameter detectedHere: the code is ours, about what we received; it does not show what the server wants.
    public mutating func closed(
        _ number: SocketNumber, code: WebSocketCloseCode, reason: String, detectedHere: Bool = false, now: Double
    ) {
        if next?.number == number {
            if next?.stage == .ready { act(.lost(number)) }
            return rotationFailed(now: now)
        }
        guard let socket = current, socket.number == number else { return }
        act(.problem(.closed(code, reason: reason)))
        if socket.stage == .ready { act(.lost(number)) }
        current = nil
        let policy = detectedHere ? .retry : CloseCodePolicy(code)
        lose(socket, policy, .closeCode(code, reason: reason), now: now)
    }

    /// The server will close soon, and wants clients back not before so many seconds.
    public mutating func closing(_ number: SocketNumber, reconnectAfter: Double, now: Double) {
        guard current?.number == number, reconnectAfter > 0 else { return }
        announcedReturn = now + min(reconnectAfter, Self.longestAdvice)
    }

    /// Something arrived on the socket.
    public mutating func received(on number: SocketNumber, now: Double) {
        if current?.number == number {
            current?.heartbeat.received(now: now)
        } else if next?.number == number {
            next?.heartbeat.received(now: now)
        }
    }

    /// The answer to a ping came.
    public mutating func answered(on number: SocketNumber, now: Double) {
        if current?.number == number {
            if let roundTrip = current?.heartbeat.answered(now: now) { act(.latency(roundTrip)) }
        } else if next?.number == number {
            _ = next?.heartbeat.answered(now: now)
        }
    }

    /// The second socket does all that the first one did.
    public mutating func rotated(now: Double) {
        guard let old = current, let new = next, new.stage == .ready else { return }
        release(old, .normal, reason: "replaced by a newer connection")
        promote(new, now: now)
    }

    // MARK: Timer

    /// To be called at or after `deadline`.
    public mutating func timerFired(now: Double) {
        if case .waiting(let until) = state {
            if now >= until { openCurrent(now: now) }
            return
        }
        if let socket = next { watchNext(socket, now: now) }
        guard let socket = current else {
            if isFetchingToken, state == .authenticating, now >= tokenDueAt {
                act(.problem(.timedOut))
                tokenFailed(now: now)
            }
            return
        }
        guard socket.stage == .ready else {
            if now >= socket.stageEndsAt {
                act(.problem(.timedOut))
                release(socket, nil)
                current = nil
                lose(socket, .retry, .attemptsExhausted, now: now)
            }
            return
        }
        switch current?.heartbeat.check(now: now) {
        case .ping: act(.ping(socket.number))
        case .dead:
            act(.problem(.heartbeatMissed))
            release(socket, nil)
            current = nil
            return lose(socket, .retry, .attemptsExhausted, now: now)
        case .nothing, nil: break
        }
        if now >= stableAt {
            stableAt = .infinity
            backoff.reset()
            wasTokenRefused = false
        }
        if now >= handoverEndsAt { return rotated(now: now) }
        if now >= rotateAt {
            // While a token is fetched the second socket would have none.
            rotateAt = hasToken || !usesToken ? .infinity : now + Self.rotationRetry
            if rotateAt == .infinity { next = newSocket(now: now) }
        }
    }

    private mutating func watchNext(_ socket: Socket, now: Double) {
        if socket.stage == .ready {
            switch next?.heartbeat.check(now: now) {
            case .ping: act(.ping(socket.number))
            case .dead:
                release(socket, nil)
                rotationFailed(now: now)
            case .nothing, nil: break
            }
        } else if now >= socket.stageEndsAt {
            release(socket, nil)
            rotationFailed(now: now)
        }
    }

    // MARK: Changes

    private mutating func becomeReady(now: Double) {
        guard let number = current?.number else { return }
        current?.becomeReady(now: now, heartbeat: configuration.heartbeat)
        openedAt = now
        connects += 1
        announcedReturn = nil
        stableAt = now + configuration.stableUptime
        rotateAt = configuration.rotation.map { now + $0 } ?? .infinity
        setState(.open)
        act(.ready(number))
    }

    private mutating func nextBecomesReady(now: Double) {
        guard let number = next?.number else { return }
        next?.becomeReady(now: now, heartbeat: configuration.heartbeat)
        handoverEndsAt = now + Self.handoverTime
        act(.ready(number))
    }

    private mutating func rotationFailed(now: Double) {
        endRotation()
        rotateAt = now + Self.rotationRetry
    }

    private mutating func promote(_ new: Socket, now: Double) {
        current = new
        endRotation()
        rotations += 1
        rotateAt = configuration.rotation.map { now + $0 } ?? .infinity
    }

    /// The socket in use is gone and forgotten: what now?
    private mutating func lose(_ socket: Socket, _ policy: CloseCodePolicy, _ failure: SessionFailure, now: Double) {
        // A connection that lasted was good, whether or not the timer came in time.
        if now - socket.readySince >= configuration.stableUptime {
            backoff.reset()
            wasTokenRefused = false
        }
        if policy == .giveUp { return fail(failure) }
        if let new = next {
            // Its replacement is ready, or on its way.
            if new.stage == .ready { return promote(new, now: now) }
            current = new
            endRotation()
            rotateAt = .infinity
            stableAt = .infinity
            return setState(new.stage == .opening ? .connecting : .authenticating)
        }
        rotateAt = .infinity
        stableAt = .infinity
        if policy == .retry { return scheduleRetry(now: now) }
        // The token that is refused may be the old one, with the new one on its way.
        if socket.isRenewing { return openCurrent(now: now) }
        if isFetchingToken { return setState(.authenticating) }
        refreshToken(now: now)
    }

    /// The token was refused. Another one may make up for it, once.
    private mutating func mayRefreshToken() -> Bool {
        hasToken = false
        guard usesToken, !wasTokenRefused else { return false }
        wasTokenRefused = true
        return true
    }

    /// Requests another token; no attempt is counted. There is no socket.
    private mutating func refreshToken(now: Double) {
        guard mayRefreshToken() else { return fail(.unauthorized) }
        awaitToken(wasRejected: true, now: now)
    }
}
