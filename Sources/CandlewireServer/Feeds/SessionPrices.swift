import Logging
import MarketFeeds
import NIOCore
import Synchronization

/// Fetches the open, high and low of the session from a venue's reference prices, and the companies' names: those of each
/// market in turn, and the prices again every five minutes; of a market that was added, at once.
final class SessionPrices: Sendable {
    private let core: MarketCore
    private let reference: any MarketReference
    private let markets: Range<Int>
    private let title: String
    private let logger: Logger
    private let tasks = Mutex<[Task<Void, Never>]>([])
    private let failing = Mutex<Set<Int>>([])

    private static let pause = Duration.seconds(300)

    init(core: MarketCore, reference: any MarketReference, markets: Range<Int>, title: String, logger: Logger) {
        self.core = core
        self.reference = reference
        self.markets = markets
        self.title = title
        self.logger = logger
    }

    func start() {
        run {
            repeat {
                for market in $0.core.registry.listed where $0.markets.contains(market) { await $0.fetch(market) }
            } while (try? await Task.sleep(for: Self.pause)) != nil
        }
    }

    func added(_ market: Int) { run { await $0.fetch(market) } }

    /// - Returns: done when nothing is requested any more.
    func stop() -> Task<Void, Never> {
        let tasks = tasks.withLock { $0 }
        for task in tasks { task.cancel() }
        return Task { for task in tasks { await task.value } }
    }

    private func run(_ body: @escaping @Sendable (SessionPrices) async -> Void) {
        let task = Task { await body(self) }
        tasks.withLock { $0.append(task) }
    }

    private func fetch(_ market: Int) async {
        let name = core.registry.names[market]
        do {
            let asOf = WallClock.now()
            let newest = try await reference.prices(of: name.bare).max { $0.date < $1.date }
            let session = newest.flatMap { SessionDay($0, asOf: asOf) }
            try await core.read { $0.setSession(session, ofMarket: market) }
            if name.title == nil {
                let company = try await reference.companies(matching: name.bare).first { $0.ticker == name.bare }
                if let company, !company.name.isEmpty { core.registry.setTitle(company.name, of: market) }
            }
            _ = failing.withLock { $0.remove(market) }
        } catch {
            // Once an outage, and not once a request.
            guard !Task.isCancelled, failing.withLock({ $0.insert(market).inserted }) else { return }
            logger.warning(
                "the session's prices are missing",
                metadata: ["feed": "\(title)", "symbol": "\(name.bare)", "problem": "\(error)"])
        }
    }
}
