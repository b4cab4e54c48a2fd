import Foundation
import HTTPTypes
import HistoryStore
import Hummingbird
import HummingbirdCore
public import Logging
import MarketFeeds
import MarketModel
import NIOCore
import NIOPosix
import ServiceLifecycle
import TradingCore
import UnixSignals
import WebSocketTransport

/// The whole server: feed, pipeline, store, streams, REST and the page, on one port.
public struct CandlewireServer: Sendable {
    /// What happens while it starts.
    public enum Progress: Sendable {
        /// The history of a market that had none was made.
        case preparing(symbol: String, index: Int, count: Int)
        /// A ledger of version 0.1 is being converted: so many of its entries are done.
        case upgradingLedger(done: Int, total: Int)
        /// Many entries of an account have no snapshot, and so many of them are read.
        case readingLedger(done: Int, total: Int)
        /// Requests are answered.
        case running(host: String, port: Int, feed: String, dataDirectory: String, hasPage: Bool, isOpenToOthers: Bool)
    }

    public let configuration: ServerConfiguration
    let logger: Logger
    /// For tests that drive the time.
    var clock = WallClock.machine
    var background: (@Sendable (@escaping @Sendable () -> Void) -> Void)?

    public init(_ configuration: ServerConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
    }

    /// Runs until the process is stopped (SIGINT, SIGTERM) or the task is cancelled; then sends a closing message to every
    /// reader, writes what is pending and returns.
    /// - Throws: `ServerError`, `FeedError`, `StoreError`: each one sentence.
    public func run(progress: @escaping @Sendable (Progress) -> Void = { _ in }) async throws {
        FileDescriptors.raiseLimit()
        let connections = MultiThreadedEventLoopGroup(numberOfThreads: Self.processors)
        let marketGroup = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let conversationGroup = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let outcome = await Result.of {
            try await run(
                on: connections, marketLoop: marketGroup.next(), conversationLoop: conversationGroup.next(),
                progress: progress)
        }
        try await connections.shutdownGracefully()
        try await conversationGroup.shutdownGracefully()
        try await marketGroup.shutdownGracefully()
        try outcome.get()
    }

    /// Processors that this process may use: no more than the machine or its control group has, and no more than it is held on
    /// (`taskset`). Event loops that share a processor only interrupt each other.
    private static var processors: Int {
        // Empty where there is no such file: not on Linux.
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let mask = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") } ?? ""
        let allowed = mask.dropFirst("Cpus_allowed:".count).reduce(0) { $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount }
        return allowed > 0 ? min(allowed, System.coreCount) : System.coreCount
    }

    private func run(
        on connections: MultiThreadedEventLoopGroup, marketLoop: any EventLoop, conversationLoop: any EventLoop,
        progress: @escaping @Sendable (Progress) -> Void
    ) async throws {
        try configuration.checkLogins()
        try await checkAddress(connections, configuration.host, configuration.port, option: "--port")
        if let port = configuration.metricsPort {
            try await checkAddress(connections, "127.0.0.1", port, option: "--metrics-port")
        }
        let added = try AddedMarketsFile(directory: configuration.storeDirectory)
        let feeds = try makeFeeds(marketLoop, added)
        let directory = configuration.storeDirectory
        try DataDirectory.create(directory)
        // Two processes would mix two pasts in one store.
        let lock = try DirectoryLock(directory)
        defer { lock.release() }
        let store = try makeStore(in: directory)
        if !configuration.isReplay { await quarantineFutureCandles(store) }
        var ledger: LedgerStore?
        let access = AccessControl(configuration, logger: logger)
        let limiter = ClientLimiter(configuration.limits.clients)
        let audit = try AuditLog(directory: directory, logger: logger)
        defer { audit.flush() }
        var trading: TradingGateway?
        var consultations: ConsultationDesk?
        let outcome = await Result.of {
            let shards = connections.makeIterator().enumerated().map { ShardReference(index: $0, loop: $1) }
            let operations = Operations(configuration)
            let opened = try makeLedger(in: directory, audit, progress)
            ledger = opened
            let (core, imports, gateway) = try await openMarket(
                feeds, store, opened, marketLoop, shards, directory, audit, progress: progress)
            trading = gateway
            consultations = try await openConsultations(
                core, store, imports, gateway, feeds, shards, conversationLoop, directory, access, limiter)
            try await trace(core, consultations)
            start(core, shards, feeds, store)
            operations.readiness.started()
            let pruning = Task { await CandlePruning(store, configuration, logger).run() }
            defer { pruning.cancel() }
            let served = await Result.of {
                try await serve(
                    core, store, imports, gateway, consultations, opened, feeds, added, shards, connections, directory,
                    access, limiter, audit, operations, progress)
            }
            let stopped = await Result.of { try await feeds.stop(core) }
            try served.get()
            try stopped.get()
        }
        // What cannot be written of conversations must not keep the ledger and the candles from the disk. In tasks of their
        // own: that this one was cancelled must not lose anything.
        let talk = consultations
        let talked = await Task { try await talk?.stop() }.result
        await trading?.stop()
        let written = Result { try ledger?.close() }
        let stored = await Task { try await store.close() }.result
        try outcome.get()
        _ = try written.get()
        try stored.get()
        _ = try talked.get()
        guard let time = configuration.readiness.drainingTime else { return }
        logger.of(.server).notice(
            "everything is written, the server ends", metadata: ["seconds": "\((time.inSeconds * 100).rounded() / 100)"]
        )
    }

    /// Connects what lives on the market loop: feeds, candles, store and streams, and the accounts with their ledger. It needs
    /// no sockets.
    func openMarket(
        _ feeds: FeedSet, _ store: CandleStore, _ ledger: LedgerStore, _ loop: any EventLoop,
        _ shards: [ShardReference], _ directory: String, _ audit: AuditLog,
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws -> (core: MarketCore, imports: HistoryImports, trading: TradingGateway) {
        let registry = feeds.registry
        let imports = HistoryImports(store, logger: logger.of(.store))
        let core = try await MarketCore(registry: registry, loop: loop, shards: shards) { market, bars in
            let symbol = registry.storeName(market)
            imports.enqueue(bars.map { StoredCandle(symbol: symbol, bar: $0) }, symbol: symbol)
        }
        try await limitDeviations(core, feeds)
        // Before the history: it ends at the very moment at which trading goes on, and a slow disk needs time.
        let loaded = try TradingLoader(ledger, names: LedgerNames(registry)) {
            progress(.readingLedger(done: $0, total: $1))
        }
        for part in feeds.parts {
            guard let simulated = part.feed as? SimulatedFeed else { continue }
            try await simulated.prepare(core, base: part.base, store: store, imports: imports) { index, symbol in
                progress(.preparing(symbol: symbol, index: index, count: simulated.markets.count))
            }
        }
        let trading = try await openDesk(
            core, ledger, loaded, feeds, shards, try CancelTimersFile(directory: directory), audit)
        return (core, imports, trading)
    }

    /// Starts the timers and the feeds.
    func start(_ core: MarketCore, _ shards: [ShardReference], _ feeds: FeedSet, _ store: CandleStore) {
        core.start()
        for shard in shards { shard.startHousekeeping() }
        feeds.start(core, store: store)
    }

    private func openConsultations(
        _ core: MarketCore, _ candles: CandleStore, _ imports: HistoryImports, _ trading: TradingGateway,
        _ feeds: FeedSet, _ shards: [ShardReference], _ loop: any EventLoop, _ directory: String,
        _ control: AccessControl, _ limiter: ClientLimiter
    ) async throws -> ConsultationDesk? {
        let options = configuration.consultation
        guard options.isEnabled else { return nil }
        let store = try ConversationStore(directory: directory, options: configuration.consultation.storeOptions)
        do {
            let access = ConsultationAccess(configuration, control: control)
            let snapshots = ConsultationSnapshots(
                core: core, candles: CandlesReader(core: core, store: candles, imports: imports), trading: trading,
                feeds: feeds, access: access)
            return try await ConsultationDesk(
                options: options, access: access, limiter: limiter, store: store,
                model: ModelsByType(options, snapshots),
                trading: trading, loop: loop, loops: shards.map(\.loop), logger: logger.of(.consultations))
        } catch {
            try? store.close()
            throw error
        }
    }

    private func limitDeviations(_ core: MarketCore, _ feeds: FeedSet) async throws {
        for part in feeds.parts {
            guard let percent = configuration.maxDeviation[part.feed.name] else { continue }
            try await core.read { pipeline in
                for market in part.markets { pipeline.markets[market].deviation = DeviationFilter(maxPercent: percent) }
            }
        }
    }

    /// A recording is traded with new accounts each time, so that what is done in it can be done again.
    private func makeLedger(
        in directory: String, _ audit: AuditLog, _ progress: @escaping @Sendable (Progress) -> Void
    ) throws -> LedgerStore {
        var options = LedgerStore.Options()
        options.startsEmpty = configuration.isReplay
        options.keyFile = configuration.ledgerKeyFile
        options.acceptsLoss = configuration.acceptsLedgerLoss
        options.onUpgrade = { progress(.upgradingLedger(done: $0, total: $1)) }
        let ledger = try LedgerStore(directory: directory, options: options)
        if let loss = ledger.acceptedLoss {
            logger.warning(
                "a ledger that lacks entries was accepted (--accept-ledger-loss)", metadata: ["loss": "\(loss)"])
            audit.append(
                AuditRecord(
                    time: clock.now(), principal: "server", address: "local",
                    action: "start with --accept-ledger-loss", status: 200, code: "ledger_loss", correlationID: ""))
        }
        if let problem = ledger.keyProblem { logger.warning("\(problem)") }
        if ledger.entriesBeyondHead > 0 {
            logger.notice(
                "the ledger has entries that its head does not name, as after a crash",
                metadata: ["entries": "\(ledger.entriesBeyondHead)"])
        }
        try ledger.sweepDeleted()
        return ledger
    }

    /// Makes the accounts again from the ledger and puts the desk between the market and those who trade.
    private func openDesk(
        _ core: MarketCore, _ ledger: LedgerStore, _ loaded: TradingLoader, _ feeds: FeedSet,
        _ shards: [ShardReference], _ timers: CancelTimersFile, _ audit: AuditLog
    ) async throws -> TradingGateway {
        var options = TradingDesk.Options()
        options.seed = configuration.seed
        options.feedStart = feeds.clockStart
        options.loadsDemo = configuration.loadsDemo
        options.priceStaleAfter = configuration.priceStaleAfter
        options.clock = clock
        if let background { options.background = background }
        configuration.fillModel.apply(to: &options.settings)
        let (logger, made, tracer) = (logger.of(.trading), options, configuration.tracing?.tracer)
        return try await core.loop.submit {
            let desk = try TradingDesk(
                registry: core.registry, ledger: ledger, hub: core.onLoop.channels, loop: core.loop, options: made,
                loaded: loaded, logger: logger)
            let states = ServerStates(core: core, feeds: feeds, shards: shards, desk: desk)
            desk.states = states
            core.onLoop.channelSource = desk
            core.onLoop.pipeline.observer = desk
            desk.isOff = { [weak pipeline = core.onLoop.pipeline] in pipeline?.markets[$0].feed == .off }
            desk.onDemand = { [weak pipeline = core.onLoop.pipeline] in pipeline?.demand($0) }
            desk.pastCandles = { [weak pipeline = core.onLoop.pipeline] market, timeframe in
                pipeline?.candles(market: market, timeframe: timeframe, limit: 60) ?? []
            }
            desk.audit = audit
            desk.cancelTimersFile = timers
            desk.cancelTimers = CancelTimers(
                kept: timers.kept, of: Set(desk.accounts.map(\.id)), now: desk.pulseTime)
            desk.start(core.onLoop.pipeline)
            states.start()
            return TradingGateway(
                core: core, desk: NIOLoopBoundBox(desk, eventLoop: core.loop), tracer: tracer)
        }.get()
    }

    private func makeStore(in directory: String) throws -> CandleStore {
        // A recording is played into an empty store each time, and so are random prices.
        if configuration.isReplay || configuration.isTracker { try CandleStore.remove(directory: directory) }
        var options = CandleStore.Options()
        options.onEvent = { [logger = logger.of(.store)] event in logger.record(event) }
        return try CandleStore(directory: directory, options: options)
    }

    /// Candles that a wrong clock dated in the future would keep all later ones out.
    func quarantineFutureCandles(_ store: CandleStore) async {
        let logger = logger.of(.store)
        do {
            let moved = try await store.quarantine(after: clock.now() + Timeframe.m1.seconds)
            guard moved > 0 else { return }
            logger.warning(
                "candles dated in the future were moved to the table quarantined_candles: the clock was wrong, or is now",
                metadata: ["candles": "\(moved)", "store": "\(store.path)"])
        } catch {
            // The server runs without the store's past, and reads it again later.
            logger.error("candles of the future could not be looked for", metadata: ["error": "\(error)"])
        }
    }

    private func serve(
        _ core: MarketCore, _ store: CandleStore, _ imports: HistoryImports, _ gateway: TradingGateway,
        _ consultations: ConsultationDesk?, _ ledger: LedgerStore, _ feeds: FeedSet, _ added: AddedMarketsFile,
        _ shards: [ShardReference], _ connections: MultiThreadedEventLoopGroup, _ directory: String,
        _ access: AccessControl, _ limiter: ClientLimiter, _ audit: AuditLog, _ operations: Operations,
        _ progress: @escaping @Sendable (Progress) -> Void
    ) async throws {
        let counts = AdmissionCounts()
        let gate = ConnectionGate(limits: configuration.limits, proxies: configuration.proxies)
        let upgrade = StreamUpgrade.make(
            configuration, core: core, shards: shards, consultations: consultations, counts: counts, gate: gate,
            access: access, limiter: limiter)
        let limit = upgrade.connectionLimit
        let trading = TradingRoutes(gateway: gateway, ledger: ledger)
        let changes = MarketChanges(core: core, feeds: feeds, trading: gateway, added: added, logger: logger.of(.feeds))
        let routes = Routes(
            core: core, store: store, imports: imports, trading: trading, changes: changes,
            consultations: consultations.map { ConsultationRoutes(desk: $0) }, feeds: feeds, shards: shards,
            webDirectory: configuration.webDirectory, pageArchive: configuration.pageArchive, startedAt: core.clock(),
            admissions: { counts.totals(limit) }, origins: configuration.originPolicy,
            gate: gate, access: access, limiter: limiter, audit: audit, operations: operations, logger: logger.of(.http)
        )
        let configuration = configuration
        var application = Application(
            responder: routes.router().buildResponder(),
            server: HTTPServerBuilder { responder in
                WebSocketCapableHTTPChannel(
                    responder: responder, upgrade: upgrade, tls: configuration.tls, gate: gate,
                    limits: configuration.limits.exchange)
            },
            configuration: .init(
                address: .hostname(configuration.host, port: configuration.port), serverName: "candlewire"),
            onServerRunning: { [logger] channel in
                try? await channel.eventLoop.submit {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(AcceptGuard(gate: gate, logger: logger), position: .first)
                }.get()
                progress(
                    .running(
                        host: configuration.host, port: channel.localAddress?.port ?? configuration.port,
                        feed: feeds.summary, dataDirectory: directory,
                        hasPage: configuration.hasPage, isOpenToOthers: !configuration.isLoopback))
            },
            eventLoopGroupProvider: .shared(connections), logger: logger.of(.http))
        if let port = configuration.metricsPort {
            application.addServices(routes.operationsServer(port: port, connections))
        }
        try await runUntilStopped(application, operations, gate)
    }

    /// Runs the application until a signal. Then its readiness ends first, the listener second, and connections have
    /// `shutdownTimeout` to end what they began; what is left then is cut off, whatever clients do.
    private func runUntilStopped(
        _ application: some Service, _ operations: Operations, _ gate: ConnectionGate
    ) async throws {
        let (readiness, logger, configuration) = (operations.readiness, logger.of(.server), configuration)
        let delay = Duration.seconds(configuration.drainDelay)
        let limit = delay + .seconds(configuration.shutdownTimeout)
        // The last is stopped first.
        let drain = Readiness.Drain(readiness: readiness, delay: delay) {
            logger.notice(
                "shutting down: waiting for requests to end, and closing the WebSockets",
                metadata: [
                    "requests": "\(operations.requests.totals.inFlight)", "websockets": "\(gate.counts.openWebSockets)",
                    "drain_delay": "\(configuration.drainDelay)", "deadline_seconds": "\(limit.inSeconds)",
                ])
        }
        let services: [any Service] = [application, drain]
        var group = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) }, gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger)
        group.maximumGracefulShutdownDuration = limit
        try await ServiceGroup(configuration: group).run()
        if let time = readiness.drainingTime, time >= limit {
            logger.warning(
                "clients did not end in time what they began, and were cut off",
                metadata: ["shutdown_timeout": "\(configuration.shutdownTimeout)"])
        }
    }

    /// Traces what the configuration says.
    private func trace(_ core: MarketCore, _ consultations: ConsultationDesk?) async throws {
        guard let tracing = configuration.tracing else { return }
        try await core.loop.submit { core.onLoop.publisher.tracing = BatchTracing(tracing) }.get()
        try await consultations?.run { registry, promise in
            registry.tracer = tracing.tracer
            promise.succeed()
        }
    }

    /// Fails early, before the history is made, where the address cannot be had.
    ///
    /// No connection is accepted: one that is made meanwhile, as by clients that wait for a server to come back, would get
    /// no answer. Not accepted, they are reset when this socket goes, and try again.
    private func checkAddress(
        _ group: MultiThreadedEventLoopGroup, _ host: String, _ port: Int, option: String
    ) async throws {
        guard port != 0 else { return }
        do {
            let channel = try await ServerBootstrap(group: group)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelOption(.autoRead, value: false)
                .bind(host: host, port: port).get()
            try await channel.close()
        } catch {
            let sentence =
                switch error {
                case let error as IOError where error.errnoCode == EADDRINUSE:
                    "Port \(port) on \(host) is already in use; choose another one with \(option), or stop the program that "
                        + "uses it."
                case let error as IOError where error.errnoCode == EACCES:
                    "Port \(port) may not be used by this account; choose one above 1023 with \(option)."
                case is SocketAddressError:
                    "The host \"\(host)\" is not known; use an address of this machine, as 127.0.0.1."
                default: "The address \(host):\(port) cannot be used: \(NetworkFailure(error).words)."
                }
            throw ServerError(.address, sentence)
        }
    }
}

extension Logger {
    fileprivate func record(_ event: StoreEvent) {
        switch event {
        case .flushed(let rows): trace("candles written", metadata: ["rows": "\(rows)"])
        case .writeFailed(let error, let failures, let pending):
            self.error(
                "candles cannot be written; they are kept and tried again",
                metadata: ["error": "\(error)", "failures": "\(failures)", "pending": "\(pending)"])
        case .recovered(let failures):
            notice("candles are written again", metadata: ["failures": "\(failures)"])
        case .dropped(let rows):
            critical("candles were lost because they could not be written for too long", metadata: ["rows": "\(rows)"])
        }
    }
}
