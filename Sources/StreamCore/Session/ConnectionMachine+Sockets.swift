extension ConnectionMachine {
    /// The handshake succeeded.
    package mutating func opened(_ number: SocketNumber, now: Double) {
        guard self[number]?.stage == .opening else { return }
        guard hasToken else { return becomeReady(number, now: now) }
        let stageEndsAt = now + configuration.connectTimeout
        self[number]?.stage = .authenticating
        self[number]?.stageEndsAt = stageEndsAt
        if current?.number == number { setState(.authenticating) }
        act(.authenticate(number))
    }

    /// The server accepted the token.
    package mutating func authenticated(_ number: SocketNumber, now: Double) {
        guard let socket = self[number] else { return }
        if socket.stage == .authenticating { return becomeReady(number, now: now) }
        self[number]?.isRenewing = false
        guard socket.stage == .ready, current?.number == number else { return }
        // A token that holds for a while makes up for the one refused before it.
        if wasTokenRefused { stableAt = now + configuration.stableUptime }
    }

    /// The server refused the token in a message. On an open connection another one is fetched without reconnecting.
    package mutating func unauthorized(_ number: SocketNumber, now: Double) {
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
    package mutating func refused(_ number: SocketNumber, status: Int, retryAfter: Double?, now: Double) {
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
    /// - Parameter detectedHere: the code is ours, about what we received; it does not show the server's intent.
    package mutating func closed(
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

    /// The server will close soon; clients may come back after this many seconds.
    package mutating func closing(_ number: SocketNumber, reconnectAfter: Double, now: Double) {
        guard current?.number == number, reconnectAfter > 0 else { return }
        announcedReturn = now + min(reconnectAfter, Self.maxAdvice)
    }

    /// Something arrived on the socket.
    package mutating func received(on number: SocketNumber, now: Double) {
        if current?.number == number {
            current?.heartbeat.received(now: now)
        } else if next?.number == number {
            next?.heartbeat.received(now: now)
        }
    }

    /// The answer to a ping came.
    package mutating func answered(on number: SocketNumber, now: Double) {
        let roundTrip = self[number]?.heartbeat.answered(now: now)
        if let roundTrip, current?.number == number { act(.latency(roundTrip)) }
    }

    /// The second socket does all that the first one did.
    package mutating func rotated(now: Double) {
        guard let old = current, let new = next, new.stage == .ready else { return }
        release(old, .normal, reason: "replaced by a newer connection")
        promote(new, now: now)
    }

    // MARK: Timer

    /// To be called at or after `deadline`.
    package mutating func timerFired(now: Double) {
        if case .waiting(let until) = state {
            if now >= until { openCurrent(now: now) }
            return
        }
        if let socket = next, watch(socket, now: now) != nil {
            release(socket, nil)
            rotationFailed(now: now)
        }
        guard let socket = current else {
            if isFetchingToken, state == .authenticating, now >= tokenDueAt {
                act(.problem(.timedOut))
                tokenFailed(now: now)
            }
            return
        }
        if let problem = watch(socket, now: now) {
            act(.problem(problem))
            release(socket, nil)
            current = nil
            return lose(socket, .retry, .attemptsExhausted, now: now)
        }
        guard socket.stage == .ready else { return }
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

    /// Sends the ping that is due.
    /// - Returns: what is wrong with the socket.
    private mutating func watch(_ socket: Socket, now: Double) -> SessionProblem? {
        guard socket.stage == .ready else { return now >= socket.stageEndsAt ? .timedOut : nil }
        switch self[socket.number]?.heartbeat.check(now: now) {
        case .ping: act(.ping(socket.number))
        case .dead: return .heartbeatMissed
        case .nothing, nil: break
        }
        return nil
    }

    // MARK: Changes

    private mutating func becomeReady(_ number: SocketNumber, now: Double) {
        let heartbeat = configuration.heartbeat
        self[number]?.becomeReady(now: now, heartbeat: heartbeat)
        if current?.number == number {
            openedAt = now
            connects += 1
            announcedReturn = nil
            stableAt = now + configuration.stableUptime
            rotateAt = configuration.rotation.map { now + $0 } ?? .infinity
            setState(.open)
        } else {
            handoverEndsAt = now + Self.handoverTime
        }
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
        let new = next
        if let new, new.stage == .ready { return promote(new, now: now) }
        rotateAt = .infinity
        stableAt = .infinity
        if let new {
            // Its replacement is on its way.
            current = new
            endRotation()
            return setState(new.stage == .opening ? .connecting : .authenticating)
        }
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
