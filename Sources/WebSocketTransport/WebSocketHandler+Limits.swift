import NIOCore
import StreamCore

extension WebSocketHandler {
    /// Starts what needs a clock.
    func startLimits(_ context: ChannelHandlerContext) {
        guard needsClock, state == .open, idleTimer == nil, messageBucket == nil else { return }
        let now = context.eventLoop.now
        lastReceived = now
        if let rate = configuration.messageRate {
            messageBucket = TokenBucket(
                rate: rate.messagesPerSecond, burst: Double(rate.burst), now: now.secondsSinceStart)
        }
        if let timeout = configuration.idleTimeout { scheduleIdleCheck(context, in: timeout) }
    }

    func stopLimits() {
        idleTimer?.cancel()
        idleTimer = nil
    }

    /// Consumes one event of the peer's allowance. Closing is free.
    func isWithinRate(_ event: WebSocketMachineEvent) -> Bool {
        guard messageBucket != nil, state == .open else { return true }
        switch event {
        case .close, .failed: return true
        case .pong where expectedPongs > 0:
            expectedPongs -= 1
            return true
        case .text, .binary, .compressed, .ping, .pong:
            return messageBucket?.consume(now: lastReceived.secondsSinceStart) ?? true
        }
    }

    private func scheduleIdleCheck(_ context: ChannelHandlerContext, in time: TimeAmount) {
        idleTimer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in self?.idleCheck() }
    }

    private func idleCheck() {
        idleTimer = nil
        guard state == .open, let context, let timeout = configuration.idleTimeout else { return }
        // Where the application does not want to read, the peer's silence means nothing; where it may not, because the
        // peer accepts nothing, it means enough.
        if isReadingPaused, isWritable { lastReceived = context.eventLoop.now }
        let left = lastReceived + timeout - context.eventLoop.now
        if left <= .zero {
            close(.pingTimeout, reason: "nothing received for too long")
        } else {
            scheduleIdleCheck(context, in: left)
        }
    }
}

extension NIODeadline {
    fileprivate var secondsSinceStart: Double { Double(uptimeNanoseconds) / 1e9 }
}

extension WebSocketHandler {
    func startKeepAlive() {
        guard keepAliveTimer == nil, wheelPlace == nil, state == .open, let keepAlive = configuration.keepAlive else {
            return
        }
        scheduleKeepAlive(in: keepAlive.interval)
    }

    func stopKeepAlive() {
        wheel?.remove(self)
        wheel = nil
        keepAliveTimer?.cancel()
        keepAliveTimer = nil
    }

    private func scheduleKeepAlive(in time: TimeAmount) {
        guard let context else { return }
        // Times of a few seconds and fractions are met exactly, by a timer that only this connection has.
        let seconds = Int(time.nanoseconds / 1_000_000_000)
        if seconds >= 5, seconds <= KeepAliveWheel.maxSeconds, time == .seconds(Int64(seconds)) {
            let wheel = wheel ?? KeepAliveWheel.of(context.eventLoop)
            self.wheel = wheel
            return wheel.insert(self, seconds: seconds)
        }
        keepAliveTimer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in
            self?.keepAliveFired()
        }
    }

    /// One timer for both: a ping when none is out, a verdict when one is.
    func keepAliveFired() {
        keepAliveTimer = nil
        guard state == .open, let keepAlive = configuration.keepAlive else { return }
        if isAwaitingPong {
            isAwaitingPong = false
            // A peer that sends anything is alive. While we do not read ourselves, silence means nothing.
            guard hasReceivedSincePing || isReadingPaused else {
                connectionEnded(.unanswered, reason: "no answer to a ping")
                context?.close(promise: nil)
                return
            }
            scheduleKeepAlive(in: .nanoseconds(max(0, keepAlive.interval.nanoseconds - keepAlive.timeout.nanoseconds)))
        } else {
            isAwaitingPong = true
            hasReceivedSincePing = false
            ping()
            scheduleKeepAlive(in: keepAlive.timeout)
        }
    }
}
