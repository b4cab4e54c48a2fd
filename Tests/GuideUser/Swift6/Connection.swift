import Dispatch

extension WebSocketProvider {
    /// Connects again after a fixed time, unless it is connected by then or not wanted any more.
    func scheduleReconnect() {
        DispatchQueue.main.asyncAfter(deadline: .now() + reconnectDelay) { [weak self] in
            guard let self, self.isWanted, !self.isConnected else { return }
            self.connect()
        }
    }
}
