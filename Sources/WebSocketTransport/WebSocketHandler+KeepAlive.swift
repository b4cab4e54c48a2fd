import NIOCore

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
        if seconds >= 5, seconds <= KeepAliveWheel.longest, time == .seconds(Int64(seconds)) {
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
            // Whoever sends anything is there. While we do not read ourselves, silence says nothing.
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
