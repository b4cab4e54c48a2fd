import MarketModel
import NIOCore
import StreamCore
import TestKit
import Testing
import WebSocketTransport

@testable import MarketFeeds

/// Follows a scripted venue with one of our adapters over a real socket, and records what it receives.
final class FollowedFeed: FeedConnection.Receiver {
    struct Reported: Sendable {
        var kinds: [VenueMessageKind] = []
        var trades: [String] = []
        var problems: [SessionProblem] = []
        /// What became of the books, and the best bid after each change.
        var books: [String] = []
        /// Connections that the venue saw.
        var connections = 0
    }

    private let connection: FeedConnection
    private var reported = Reported()

    private init(_ connection: FeedConnection, booksOf symbols: Range<Int>) {
        self.connection = connection
        connection.receiver = self
        for symbol in symbols { connection.setBookWanted(symbol, true) }
        connection.connect()
    }

    func feed(_ connection: FeedConnection, received kind: VenueMessageKind) {
        reported.kinds.append(kind)
        reported.trades += connection.session.venueSession.trades.map(Self.words)
        guard let books = connection.session.books else { return }
        reported.books += books.changed.map { market in
            books.withBook(market) { "\($0.bestBid?.price.description ?? "none")" } ?? "withheld"
        }
    }

    func feed(_ connection: FeedConnection, event: FeedEvent) {
        switch event {
        case .problem(let problem): reported.problems.append(problem)
        case .book(.live(let symbol)): reported.books.append("live \(symbol)")
        case .book(.withheld(let symbol, let fault)): reported.books.append("withheld \(symbol): \(fault)")
        default: break
        }
    }

    /// What is left of a trade when its message is gone.
    static func words(_ trade: VenueTrade) -> String {
        "\(trade.id) \(trade.tick.price) \(trade.tick.volume) \(trade.tick.timestamp) \(trade.side)"
    }

    /// Wants the books of all symbols where the options can fetch them.
    ///
    /// - Parameter script: of the only connection.
    static func follow(
        _ adapter: String, _ symbols: [String], _ script: [PeerStep],
        _ options: FeedConnection.Options = FeedConnection.Options(), until isDone: (Reported) -> Bool
    ) async throws -> Reported {
        let adapter = try #require(FeedCatalogue.adapter(named: adapter))
        let venue = try await ScriptedServer.start([script])
        let loop = WebSocketConnector.defaultGroup.any()
        let box = NIOLoopBoundBox.makeEmptyBox(valueType: FollowedFeed.self, eventLoop: loop)
        let url = venue.url
        loop.execute {
            let session = FeedSession(adapter, symbols: symbols, url: url, seed: 1)
            let books = options.book == nil ? 0..<0 : symbols.indices
            box.value = FollowedFeed(FeedConnection(session, on: loop, options: options), booksOf: books)
        }
        var reported = Reported()
        let deadline = ContinuousClock.now + .seconds(120)
        while !isDone(reported), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(5))
            reported = try await loop.submit { box.value?.reported ?? Reported() }.get()
        }
        reported.connections = venue.connections
        try await loop.submit {
            box.value?.connection.stop()
            box.value = nil
        }.get()
        await venue.stop()
        return reported
    }
}
