import StreamCore
import TestKit
import Testing
import WebSocketTransport

@testable import MarketFeeds

/// Finding: frames of 5,079,379 and 2,531,647, of 79,307 and of 40,683 bytes. The usual limits of WebSockets fail on them.
@Suite(
    "Findings: large frames", .enabled(if: SharedData.isPresent, "no ../shared/data"),
    .timeLimit(.minutes(5)))
struct LargeFrameTests {
    struct Story: Sendable, CustomTestStringConvertible {
        var adapter: String
        var file: String
        var symbol: String
        /// The adapter's requests, one message each.
        var requests: [String]
        var sizes: [Int]
        var trade: String
        var testDescription: String { adapter }
    }

    static let stories = [
        Story(
            adapter: "coinbase-advanced", file: "coinbase_advanced-trade_btcusd-ethusd_2026-08-09", symbol: "BTC-USD",
            requests: ["heartbeats", "market_trades"], sizes: [5_079_379, 2_531_647],
            trade: CoinbaseAdvancedTests.message([CoinbaseAdvancedTests.row(7)])),
        Story(
            adapter: "kraken-v1", file: "kraken_v1_book1000_10pairs_2021-04-17", symbol: "XMR/USD", requests: ["trade"],
            sizes: [79_307], trade: KrakenArrayTests.trades),
        Story(
            adapter: "coinbase", file: "coinbase_exchange_ws-feed_6products_2021-04-17", symbol: "SKL-USD",
            requests: ["matches"], sizes: [40_683], trade: CoinbaseTests.match(7)),
    ]

    private static func script(_ story: Story) throws -> [PeerStep] {
        let frames = try SharedRecording.recording(story.file).lines.filter { story.sizes.contains($0.utf8.count) }
        #expect(frames.map(\.utf8.count) == story.sizes)
        return story.requests.map { .expectText(containing: $0) } + (frames + [story.trade]).map { .send($0) }
    }

    @Test("each is one message through an adapter's socket, and the trade behind it arrives", arguments: stories)
    func arrives(story: Story) async throws {
        let reported = try await FollowedFeed.follow(story.adapter, [story.symbol], try Self.script(story)) {
            !$0.trades.isEmpty || !$0.problems.isEmpty
        }
        #expect(reported.kinds == story.sizes.map { _ in .book } + [.trades])
        #expect(!reported.trades.isEmpty && reported.problems.isEmpty && reported.connections == 1)
    }

    @Test("with a limit of 32 KiB each ends its connection as too big, and says so", arguments: stories)
    func tooLarge(story: Story) async throws {
        var options = FeedConnection.Options()
        options.maximumMessage = 32 << 10
        let reported = try await FollowedFeed.follow(story.adapter, [story.symbol], try Self.script(story), options) {
            !$0.problems.isEmpty
        }
        #expect(reported.kinds.isEmpty)
        guard case .closed(.messageTooBig, _)? = reported.problems.first else {
            Issue.record("the first problem is \(String(describing: reported.problems.first))")
            return
        }
    }
}
