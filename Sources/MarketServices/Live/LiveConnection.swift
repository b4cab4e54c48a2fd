internal import StreamCore
internal import TradingCore
internal import WebSocketTransport

/// The life of a live container: the stream, the tasks that read its channels, and the reports of health.
actor LiveConnection<Mode: TradingMode> {
    private let settings: LiveServiceSettings
    private let services: LiveServices<Mode>
    private let clock: ServiceClock
    private let client: StreamClient
    private var tasks: [Task<Void, Never>] = []
    private var isDisconnecting = false
    private var isShutDown = false
    /// The last thing about the channels that went wrong.
    private var problem: String?
    private var state: LiveState<Mode> { services.state }

    init(
        _ settings: LiveServiceSettings, services: LiveServices<Mode>, clock: ServiceClock
    ) throws(ServiceError) {
        self.settings = settings
        self.services = services
        self.clock = clock
        client = try StreamClient(settings)
    }

    /// Fetches the account, then opens the stream.
    func connect() async throws(ServiceError) {
        guard !isShutDown else { throw ServiceError.shutDown }
        _ = try await services.fetchPortfolio()
        client.connect()
        begin()
        try await waitUntilOpen()
    }

    func disconnect() async {
        guard !isShutDown, client.state != .idle, client.state != .closed else { return }
        isDisconnecting = true
        await report()
        client.disconnect()
        for await state in client.states where state == .closed { break }
        isDisconnecting = false
        await report()
    }

    func shutDown() {
        guard !isShutDown else { return }
        isShutDown = true
        services.rest.close()
        client.disconnect()
        for task in tasks { task.cancel() }
        tasks = []
        state.channels.finish()
    }

    nonisolated func networkChanged(isAvailable: Bool) { client.networkChanged(isAvailable: isAvailable) }

    // MARK: The stream

    /// Waits until the stream is open.
    private func waitUntilOpen() async throws(ServiceError) {
        let (client, clock, limit) = (client, clock, settings.connectTimeout)
        let outcome = await withTaskGroup(of: SessionState?.self) { group in
            group.addTask {
                for await state in client.states {
                    switch state {
                    case .open, .failed, .closed: return state
                    case .idle, .connecting, .authenticating, .waiting: continue
                    }
                }
                return .closed
            }
            group.addTask {
                try? await clock.sleep(clock.now() + limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        switch outcome {
        case .open: return
        case .failed(.unauthorized):
            throw ServiceError(.unauthorized, message: "The server does not accept the token for its stream.")
        case .failed, .closed: throw ServiceError(.network, message: "The server's stream cannot be opened.")
        case nil where Task.isCancelled: throw ServiceError.cancelled
        case nil, .idle, .connecting, .authenticating, .waiting:
            throw ServiceError(.timedOut, message: "The server's stream did not open in time.")
        }
    }

    // MARK: What runs while the services are connected: a task for each channel, and one that reports health

    /// Once: the stream subscribes to its channels again after every lost connection.
    private func begin() {
        guard tasks.isEmpty else { return }
        tasks = StreamChannel.allCases.map { subscribe(to: $0) }
        tasks.append(
            Task { [weak self, clock, interval = max(0.01, settings.healthInterval)] in
                var due = clock.now()
                while await self?.report() != nil {
                    due = max(due + interval, clock.now())
                    do { try await clock.sleep(due) } catch { return }
                }
            })
    }

    private func subscribe(to channel: StreamChannel) -> Task<Void, Never> {
        let subscription = client.channel(channel, account: channel == .markets ? nil : services.account.description)
        return Task { [weak self, state] in
            for await event in subscription.events {
                switch event {
                case .message(let message):
                    do { try state.apply(message.json) } catch {
                        await self?.record("A message of the channel \(channel.name) was not understood.")
                    }
                case .refused(_, let message): await self?.record(message)
                // After either of them a snapshot comes.
                case .subscribed, .skipped: break
                }
            }
        }
    }

    private func record(_ problem: String) { self.problem = problem }

    /// Publishes how the connection is doing; nil once everything is shut down.
    @discardableResult private func report() async -> ServiceHealth? {
        let diagnostics = await client.diagnostics()
        guard !isShutDown else { return nil }
        let server = state.server
        let health = ServiceHealth(
            connection: isDisconnecting ? .disconnecting : .init(diagnostics.session.state),
            latency: diagnostics.session.roundTrip, reconnectAttempts: diagnostics.reconnectAttempts,
            messages: diagnostics.messageCount, feed: server.feed, ledger: server.ledger,
            problem: diagnostics.lastError.map(Self.sentence) ?? problem, timestamp: clock.now())
        state.channels.health.send(health)
        return health
    }

    private static func sentence(_ problem: SessionProblem) -> String {
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

extension StreamClient {
    /// A client of the server's stream. Not connected yet.
    /// - Throws: `ServiceError` where the settings' URL is none.
    package convenience init(_ settings: LiveServiceSettings) throws(ServiceError) {
        guard let separator = settings.url.firstRange(of: "://"), settings.url.hasPrefix("http") else {
            throw ServiceError(.rejected, message: "The URL must begin with http:// or https://.", field: "url")
        }
        var configuration = settings.stream
        if configuration.token == nil, let authorization = settings.authorization {
            configuration.token = { _ in try await authorization() }
        }
        let scheme = settings.url[..<separator.lowerBound] == "https" ? "wss" : "ws"
        let host = String(settings.url[separator.upperBound...].reversed().drop { $0 == "/" }.reversed())
        do {
            try self.init(url: "\(scheme)://\(host)/v1/stream", configuration: configuration, seed: settings.seed)
        } catch {
            throw ServiceError(.rejected, message: "The address is not a URL.", field: "url")
        }
    }
}
