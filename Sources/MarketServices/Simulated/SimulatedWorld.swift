internal import MarketModel
internal import TradingCore

/// Everything that the simulated services share: markets, the account, the log of events, and what happens when.
///
/// An actor, so that a cycle is one step: a reader sees the markets, the positions and the portfolio of the same moment. It
/// goes by the times of its timetable; every request first does what is due by now.
actor SimulatedWorld {
    nonisolated let account: AccountID<Paper>
    private let settings: SimulationSettings
    private let channels: ServiceChannels<Paper>
    private let clock: ServiceClock
    private(set) var books: [SimulatedMarketBook]
    var desk: SimulatedDesk
    private(set) var log: ServiceList<ServiceEvent>
    private var random: SeededGenerator
    private var timetable: Timetable
    private var driver: Task<Void, Never>?
    private var isShutDown = false
    /// Events of chance, for their ids.
    private var eventCount = 0
    private var publications = 0
    /// The time up to which everything has happened.
    private(set) var time: Double

    init(
        _ settings: SimulationSettings, channels: ServiceChannels<Paper>, clock: ServiceClock
    ) throws(ServiceError) {
        let now = clock.now()
        self.settings = settings
        self.channels = channels
        self.clock = clock
        let books = settings.markets.map { SimulatedMarketBook($0, settings, now: now) }
        var desk = try SimulatedDesk(settings, books: books, now: now)
        var log = ServiceList<ServiceEvent>(limit: settings.kept)
        for (_, _, events) in desk.drain() {
            for event in events { log.place(event) }
        }
        self.books = books
        self.desk = desk
        self.log = log
        account = desk.exchange.account.id
        random = SeededGenerator(seed: settings.seed ^ 0x6576_656e_7473)
        timetable = Timetable(settings, start: now)
        time = now
        channels.markets.send(books.map(\.info))
        channels.orders.send(all: desk.orders.items)
        channels.fills.send(all: desk.fills.items)
        channels.events.send(all: log.items)
        channels.positions.send(desk.exchange.positions())
        channels.portfolio.send(desk.exchange.portfolios())
    }

    deinit { driver?.cancel() }

    // MARK: Its life

    func connect() throws(ServiceError) {
        guard !isShutDown else { throw ServiceError.shutDown }
        guard driver == nil else { return }
        time = max(time, clock.now())
        timetable = Timetable(settings, start: time)
        // Weak, so that a container that is let go ends its task and not the other way round.
        driver = Task { [weak self, clock] in
            while let due = await self?.nextDue {
                do { try await clock.sleep(due) } catch { return }
                await self?.catchUp()
            }
        }
        report(.connected)
    }

    func disconnect() {
        guard driver != nil else { return }
        stop()
        report(.disconnected)
    }

    func shutDown() {
        guard !isShutDown else { return }
        isShutDown = true
        stop()
        channels.finish()
    }

    private func stop() {
        driver?.cancel()
        driver = nil
    }

    private var nextDue: Double? { driver == nil ? nil : timetable.next }

    // MARK: Requests: everything due is done first

    func read<R: Sendable>(
        _ body: @Sendable (isolated SimulatedWorld) throws(ServiceError) -> R
    ) throws(ServiceError) -> R {
        catchUp()
        return try body(self)
    }

    func book(_ symbol: String) throws(ServiceError) -> SimulatedMarketBook {
        guard let book = books.first(where: { $0.market.market.symbol == symbol }) else {
            throw ServiceError(
                .notFound, code: "unknown_symbol", message: "There is no market \"\(symbol.prefix(40))\".",
                field: "symbol")
        }
        return book
    }

    /// Changes the account now and publishes what came of it, also where it was refused.
    func act<R: Sendable>(
        _ body: @Sendable (inout PaperExchange, _ now: Double) throws(TradingRejection) -> R
    ) throws(ServiceError) -> R {
        guard !isShutDown else { throw ServiceError.shutDown }
        catchUp()
        time = max(time, clock.now())
        defer { publishAccount() }
        do throws(TradingRejection) { return try body(&desk.exchange, time) } catch { throw ServiceError(error) }
    }

    // MARK: What happens

    /// Does everything that is due by now.
    private func catchUp() {
        guard driver != nil else { return }
        let now = clock.now()
        timetable.skip(to: now)
        while let (job, time) = timetable.popDue(by: now) {
            self.time = max(self.time, time)
            switch job {
            case .markets: turn()
            case .event: happen()
            case .health: report(.connected)
            }
        }
        time = max(time, now)
    }

    /// One cycle: markets, then positions, then the portfolio.
    private func turn() {
        for index in books.indices { books[index].trade(after: settings.marketInterval, time: time) }
        channels.markets.send(books.map(\.info))
        for book in books { desk.exchange.ingest(book.market.market.symbol, book.last, now: time) }
        desk.exchange.advance(to: time)
        publishAccount()
    }

    private func happen() {
        eventCount += 1
        let event = EventTemplate.draw(
            from: settings.eventTemplates, markets: channels.markets.current ?? [], id: "c\(eventCount)", time: time,
            random: &random)
        if let event { publish(event) }
    }

    private func publish(_ event: ServiceEvent) {
        log.place(event)
        channels.events.send(event, all: log.items)
    }

    /// Publishes what happened to the account since the last time.
    private func publishAccount() {
        for (order, fill, events) in desk.drain() {
            if let order { channels.orders.send(order, all: desk.orders.items) }
            if let fill { channels.fills.send(fill, all: desk.fills.items) }
            for event in events { publish(event) }
        }
        channels.positions.send(desk.exchange.positions())
        channels.portfolio.send(desk.exchange.portfolios())
    }

    private func report(_ connection: ServiceHealth.Connection) {
        publications += 1
        channels.health.send(
            ServiceHealth(
                connection: connection, latency: settings.latency, messages: publications, feed: "simulated",
                ledger: "ok", timestamp: time))
    }
}

/// What the simulation does when. Its own times, not the clock's, are what things are dated with: a task that is woken
/// late changes nothing about what happens.
struct Timetable: Sendable {
    /// Those due at the same time come in this order.
    enum Job: Int, CaseIterable, Sendable { case markets, event, health }

    private var due: [Double]
    private let settings: SimulationSettings
    private var random: SeededGenerator

    init(_ settings: SimulationSettings, start: Double) {
        self.settings = settings
        random = SeededGenerator(seed: settings.seed ^ 0x7469_6d65)
        due = []
        due = Job.allCases.map { start + pause(before: $0) }
    }

    /// When something is due next.
    var next: Double { due.min() ?? .infinity }

    /// Removes the next job that is due by `now`, and schedules its next time.
    mutating func popDue(by now: Double) -> (job: Job, time: Double)? {
        let time = next
        guard time <= now, let index = due.firstIndex(of: time), let job = Job(rawValue: index) else { return nil }
        due[index] = time + pause(before: job)
        return (job, time)
    }

    /// Leaves out what was due long before `now`.
    mutating func skip(to now: Double) {
        guard now - next > settings.maximumCatchUp else { return }
        for index in due.indices { due[index] = max(due[index], now) }
    }

    /// An interval that is not above zero would never let the time go on.
    private mutating func pause(before job: Job) -> Double {
        switch job {
        case .markets: return max(0.001, settings.marketInterval)
        case .event:
            let range = settings.eventInterval
            return max(0.001, range.lowerBound + (range.upperBound - range.lowerBound) * random.unit())
        case .health: return max(0.001, settings.healthInterval)
        }
    }
}
