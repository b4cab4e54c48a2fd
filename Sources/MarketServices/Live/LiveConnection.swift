internal import StreamCore
internal import TradingCore
internal import WebSocketTransport

/// The life of a live container: the stream, the tasks that read its channels, and the reports of health.
actor LiveConnection<Mode: TradingMode> {
    let settings: LiveServiceSettings
    let account: AccountID<Mode>
    let state: LiveState<Mode>
    private let portfolio: LivePortfolioService<Mode>
    let clock: ServiceClock
    let client: StreamClient
    var tasks: [Task<Void, Never>] = []
    var isDisconnecting = false
    var isShutDown = false
    /// The last thing about the channels that went wrong.
    var problem: String?

    init(
        _ settings: LiveServiceSettings, account: AccountID<Mode>, state: LiveState<Mode>,
        portfolio: LivePortfolioService<Mode>, clock: ServiceClock
    ) throws(ServiceError) {
        self.settings = settings
        self.account = account
        self.state = state
        self.portfolio = portfolio
        self.clock = clock
        client = try Self.client(settings)
    }

    private static func client(_ settings: LiveServiceSettings) throws(ServiceError) -> StreamClient {
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
            return try StreamClient(
                url: "\(scheme)://\(host)/v1/stream", configuration: configuration, seed: settings.seed)
        } catch {
            throw ServiceError(.rejected, message: "The URL cannot be one.", field: "url")
        }
    }

    /// Asks for the account, then opens the stream.
    func connect() async throws(ServiceError) {
        guard !isShutDown else { throw ServiceError(.closed, message: "The services are shut down.") }
        _ = try await portfolio.fetchPortfolio()
        client.connect()
        begin()
        try await opened()
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
        portfolio.rest.close()
        client.disconnect()
        for task in tasks { task.cancel() }
        tasks = []
        state.channels.finish()
    }

    // MARK: The stream

    /// Waits until the stream is open.
    private func opened() async throws(ServiceError) {
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
        case nil where Task.isCancelled: throw ServiceError(.closed, message: "The task was cancelled.")
        case nil, .idle, .connecting, .authenticating, .waiting:
            throw ServiceError(.timedOut, message: "The server's stream did not open in time.")
        }
    }
}
