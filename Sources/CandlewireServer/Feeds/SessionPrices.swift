import Logging
import MarketFeeds

/// Fetches the open, high and low of the session from a venue's reference prices: those of each market in turn, and all
/// again every five minutes.
struct SessionPrices: Sendable {
    let core: MarketCore
    let reference: IntrinioReference
    let symbols: [String]
    let base: Int
    let title: String
    let logger: Logger

    private static let pause = Duration.seconds(300)

    func start() -> Task<Void, Never> {
        Task {
            var failing: Set<String> = []
            repeat {
                for (index, symbol) in symbols.enumerated() {
                    do {
                        let asOf = WallClock.now()
                        let newest = try await reference.prices(of: symbol).max { $0.date < $1.date }
                        let session = newest.flatMap { SessionDay($0, asOf: asOf) }
                        try await core.read { $0.setSession(session, ofMarket: base + index) }
                        failing.remove(symbol)
                    } catch {
                        // Once an outage, and not once a request.
                        guard !Task.isCancelled, failing.insert(symbol).inserted else { continue }
                        logger.warning(
                            "the session's prices are missing",
                            metadata: ["feed": "\(title)", "symbol": "\(symbol)", "problem": "\(error)"])
                    }
                }
            } while (try? await Task.sleep(for: Self.pause)) != nil
        }
    }
}
