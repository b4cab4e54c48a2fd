import NIOCore
import NIOPosix
public import StreamCore

extension WebSocketHandler {
    /// Starts the close handshake (RFC 6455 section 7). From here on nothing more is sent and no message is delivered;
    /// `webSocketClosed` reports the end. Does nothing where the connection is closing already.
    ///
    /// - Parameters:
    ///   - code: `isAllowedOnWire`, or `noStatus` for a close frame without a code.
    ///   - reason: for people; what is more than 123 bytes of UTF-8 is left out.
    ///   - discardsUnsent: what waits to be sent is dropped, and the close frame follows the frame that has begun. By
    ///     default everything sent before goes out first, as far as the peer reads it within `closeTimeout`.
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "", discardsUnsent: Bool = false) {
        guard state == .open, context != nil else { return }
        state = .closing
        if discardsUnsent { dropWaiting() }
        stopTimers()
        // A paused connection must read again, or it would never see the peer's answer, unless that is here already.
        let ending = dropHeldInput()
        writeClose(code.isAllowedOnWire || code == .noStatus ? code : .normal, reason: reason)
        startCloseTimer()
        ending?.withEvent(handle)
    }

    /// Ends the connection at once, without a handshake.
    public func terminate() {
        connectionEnded(.terminated, reason: "ended without a close handshake")
        context?.close(promise: nil)
    }

    func goAway() {
        guard state == .open else { return }
        delegate?.webSocketWillGoAway(on: self)
        close(.goingAway, reason: "server is shutting down")
    }

    func peerClosed(_ code: WebSocketCloseCode, reason: String) {
        switch state {
        case .open:
            state = .lingering
            stopTimers()
            // The peer announced that it reads no more: what it does not accept at once is dropped.
            pump()
            dropWaiting()
            writeClose(code, reason: "")
            startCloseTimer()
        case .closing: state = .lingering
        case .lingering, .closed: return
        }
        report(.closed, code, reason: reason)
        // The server closes the TCP connection first (section 7.1.1), so that the waiting time of a closed port stays
        // on its side; a client waits for that, and the timer of the handshake runs on in case it does not come.
        if role == .server { endOutput(.close) }
    }

    func peerFailed(_ failure: WebSocketFailure) {
        let wasOpen = state == .open
        guard wasOpen || state == .closing else { return }
        state = .lingering
        stopTimers()
        report(.violation, failure.closeCode, reason: failure.reason)
        guard wasOpen else {
            context?.close(promise: nil)
            return
        }
        pump()
        dropWaiting()
        writeClose(failure.closeCode, reason: failure.reason)
        startCloseTimer()
        // The peer may still be sending. Closing the socket with unread bytes in it would reset the connection and
        // could discard our close frame, so only our direction is closed and what comes is thrown away.
        endOutput(.closeOutput)
    }

    /// The connection is gone or about to be, without a close handshake.
    func connectionEnded(_ ending: WebSocketEnding, reason: String) {
        guard state != .closed else { return }
        state = .closed
        stopTimers()
        closeTimer?.cancel()
        closeTimer = nil
        dropHeldInput()
        dropOutbound()
        report(ending, .abnormal, reason: reason)
    }

    private func stopTimers() {
        stopKeepAlive()
        stopLimits()
    }

    private func writeClose(_ code: WebSocketCloseCode, reason: String) {
        WebSocketFrames.closePayload(code, reason: reason).withUnsafeBytes { write(.close, $0, promise: nil) }
        requestFlush()
    }

    private func startCloseTimer() {
        guard closeTimer == nil, let context else { return }
        closeTimer = context.eventLoop.assumeIsolated().scheduleTask(in: configuration.closeTimeout) { [weak self] in
            guard let self else { return }
            closeTimer = nil
            connectionEnded(.unanswered, reason: "no answer to the close frame")
            self.context?.close(promise: nil)
        }
    }

    /// Reports to the delegate how the conversation ended: the first call counts.
    private func report(_ ending: WebSocketEnding, _ code: WebSocketCloseCode, reason: String) {
        if self.ending == nil { self.ending = ending }
        guard let delegate else { return }
        self.delegate = nil
        delegate.webSocketClosed(code, reason: reason, on: self)
    }
}

extension Channel {
    /// Closes with a TCP reset instead of a farewell: what a connection that breaks looks like.
    package func reset() {
        // On the channel's event loop it is set at once. Without it the socket closes politely.
        _ = (self as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        close(promise: nil)
    }
}
