import NIOCore

extension WebSocketHandler {
    func startKeepAlive() {
        guard keepAliveTimer == nil, state == .open, let keepAlive = configuration.keepAlive else { return }
        scheduleKeepAlive(in: keepAlive.interval)
    }

    func stopKeepAlive() {
        keepAliveTimer?.cancel()
        keepAliveTimer = nil
    }

    private func scheduleKeepAlive(in time: TimeAmount) {
        guard let context else { return }
        keepAliveTimer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in
            self?.keepAliveFired()
        }
    }

    /// One timer for both: a ping when none is out, a verdict when one is.
    private func keepAliveFired() {
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
