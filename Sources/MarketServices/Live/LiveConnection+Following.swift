internal import StreamCore
internal import TradingCore
internal import WebSocketTransport

/// What runs while the services are connected: a task for each channel of the stream, and one that reports health.
extension LiveConnection {
    /// Once: a channel that is followed is asked for again after every lost connection.
    func begin() {
        guard tasks.isEmpty else { return }
        tasks = StreamChannel.allCases.map { follow($0) }
        tasks.append(
            Task { [weak self, clock, interval = max(0.01, settings.healthInterval)] in
                var due = clock.now()
                while await self?.report() != nil {
                    due = max(due + interval, clock.now())
                    do { try await clock.sleep(due) } catch { return }
                }
            })
    }

    private func follow(_ channel: StreamChannel) -> Task<Void, Never> {
        let subscription = client.channel(channel, account: channel == .markets ? nil : account.description)
        return Task { [weak self, state] in
            for await event in subscription.events {
                switch event {
                case .message(let message):
                    do {
                        try state.apply(message.json)
                    } catch {
                        await self?.note("A message of the channel \(channel.name) was not understood.")
                    }
                case .refused(_, let message): await self?.note(message)
                // After either of them a snapshot comes.
                case .subscribed, .skipped: break
                }
            }
        }
    }

    private func note(_ problem: String) {
        self.problem = problem
    }

    /// Publishes how the connection is doing; nil once everything is shut down.
    @discardableResult
    func report() async -> ServiceHealth? {
        let diagnostics = await client.diagnostics()
        guard !isShutDown else { return nil }
        let server = state.server
        let health = ServiceHealth(
            connection: isDisconnecting ? .disconnecting : .init(diagnostics.session.state),
            latency: diagnostics.session.roundTrip, reconnectAttempts: diagnostics.reconnectAttempts,
            messages: diagnostics.messageCount, feed: server.feed, ledger: server.ledger,
            problem: diagnostics.lastError.map(Self.words) ?? problem, timestamp: clock.now())
        state.channels.health.send(health)
        return health
    }

    private static func words(_ problem: SessionProblem) -> String {
        switch problem {
        case .closed(let code, _): "The connection was closed with code \(code.rawValue)."
        case .refused(let status): "The server refused the connection with status \(status)."
        case .timedOut: "The connection did not open in time."
        case .heartbeatMissed: "The server did not answer a ping."
        case .server(_, let message): message
        case .malformed: "A message could not be read."
        }
    }
}

extension ServiceHealth.Connection {
    init(_ state: SessionState) {
        switch state {
        case .idle, .closed, .failed: self = .disconnected
        case .connecting, .authenticating, .waiting: self = .connecting
        case .open: self = .connected
        }
    }
}
