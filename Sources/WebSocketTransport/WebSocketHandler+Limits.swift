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

    /// Takes one event from the peer's allowance. Closing is free.
    func isWithinRate(_ event: WebSocketEvent) -> Bool {
        guard messageBucket != nil, state == .open else { return true }
        switch event {
        case .close, .failed: return true
        case .text, .binary, .compressed, .ping, .pong:
            return messageBucket?.take(now: lastReceived.secondsSinceStart) ?? true
        }
    }

    private func scheduleIdleCheck(_ context: ChannelHandlerContext, in time: TimeAmount) {
        idleTimer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in self?.idleCheck() }
    }

    private func idleCheck() {
        idleTimer = nil
        guard state == .open, let context, let timeout = configuration.idleTimeout else { return }
        // Where the application does not want to read, the peer's silence says nothing; where it may not, because the
        // peer takes nothing, it says enough.
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
