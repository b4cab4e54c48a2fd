import MarketModel
import NIOCore
import StreamCore
import TestKit
import Testing
import WebSocketTransport

@testable import MarketFeeds

/// Follows a scripted venue with one of our adapters over a real socket, and writes down what it is told.
final class FollowedFeed: FeedConnection.Receiver {
    struct Told: Sendable {
        var kinds: [VenueMessageKind] = []
        var trades: [String] = []
        var problems: [SessionProblem] = []
        /// Connections that the venue saw.
        var connections = 0
    }

    private let connection: FeedConnection
    private var told = Told()

    private init(_ connection: FeedConnection) {
        self.connection = connection
        connection.receiver = self
        connection.connect()
    }

    func feed(_ connection: FeedConnection, received kind: VenueMessageKind) {
        told.kinds.append(kind)
        told.trades += connection.session.venueSession.trades.map(Self.words)
    }

    func feed(_ connection: FeedConnection, event: FeedEvent) {
        if case .problem(let problem) = event { told.problems.append(problem) }
    }

    /// What is left of a trade when its message is gone.
    static func words(_ trade: VenueTrade) -> String {
        "\(trade.id) \(trade.tick.price) \(trade.tick.volume) \(trade.tick.timestamp) \(trade.side)"
    }

    /// - Parameter script: of the only connection.
    static func follow(
        _ adapter: String, _ symbols: [String], _ script: [PeerStep],
        _ options: FeedConnection.Options = FeedConnection.Options(), until isDone: (Told) -> Bool
    ) async throws -> Told {
        let adapter = try #require(FeedCatalogue.adapter(named: adapter))
        let venue = try await ScriptedServer.start([script])
        let loop = WebSocketClient.defaultGroup.any()
        let box = NIOLoopBoundBox.makeEmptyBox(valueType: FollowedFeed.self, eventLoop: loop)
        let url = venue.url
        loop.execute {
            let session = FeedSession(adapter, symbols: symbols, url: url, seed: 1)
            box.value = FollowedFeed(FeedConnection(session, on: loop, options: options))
        }
        var told = Told()
        let deadline = ContinuousClock.now + .seconds(120)
        while !isDone(told), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(5))
            told = try await loop.submit { box.value?.told ?? Told() }.get()
        }
        told.connections = venue.connections
        try await loop.submit {
            box.value?.connection.stop()
            box.value = nil
        }.get()
        await venue.stop()
        return told
    }
}
