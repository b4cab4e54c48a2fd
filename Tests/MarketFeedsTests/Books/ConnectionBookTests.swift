import HTTPTransport
import StreamCore
import Synchronization
import TestKit
import Testing

@testable import MarketFeeds

@Suite("Order books over a connection")
struct ConnectionBookTests {
    private static func change(_ first: Int, _ last: Int, bid: String) -> PeerStep {
        .send(
            #"{"stream":"btcusdt@depth@100ms","data":{"e":"depthUpdate","E":1,"s":"BTCUSDT","U":\#(first),"u":\#(last),"b":[["\#(bid)","2"]],"a":[]}}"#
        )
    }

    private static func whole(_ number: Int, bid: String) -> [UInt8] {
        Array(#"{"lastUpdateId":\#(number),"bids":[["\#(bid)","1"]],"asks":[["99","1"]]}"#.utf8)
    }

    private static let granted: [PeerStep] = [
        .expectText(containing: "btcusdt@trade"), .send(#"{"result":null,"id":1}"#),
        .expectText(containing: "btcusdt@depth@100ms"), .send(#"{"result":null,"id":2}"#),
    ]

    private struct Unreachable: Error {}

    /// A venue's answers, in their order, and the paths that were asked for.
    private final class Answers: Sendable {
        private let state: Mutex<(paths: [String], answers: [[UInt8]?])>
        var paths: [String] { state.withLock { $0.paths } }

        init(_ answers: [[UInt8]?]) { state = Mutex(([], answers)) }

        /// - Throws: `Unreachable`.
        func fetch(_ path: String) throws -> [UInt8] {
            let answer = state.withLock {
                $0.paths.append(path)
                return $0.answers.isEmpty ? nil : $0.answers.removeFirst()
            }
            guard let answer else { throw Unreachable() }
            return answer
        }

        var options: FeedConnection.Options {
            var options = FeedConnection.Options()
            options.book = { try self.fetch($0) }
            return options
        }
    }

    @Test("a whole book is fetched once the stream's changes come, and the book is shown from there on")
    func fetched() async throws {
        let answers = Answers([Self.whole(6, bid: "9")])
        let script = Self.granted + [Self.change(5, 7, bid: "10"), .wait(0.5), Self.change(8, 8, bid: "11")]
        let reported = try await FollowedFeed.follow("binance", ["BTCUSDT"], script, answers.options) {
            $0.books.last == "11" || !$0.problems.isEmpty
        }
        #expect(reported.books.first == "live BTCUSDT" && reported.books.last == "11")
        #expect(answers.paths == ["/api/v3/depth?symbol=BTCUSDT&limit=1000"])
        #expect(reported.problems.isEmpty && reported.connections == 1)
    }

    @Test("a book that cannot be fetched is withheld and fetched again, and the trades go on")
    func unreachable() async throws {
        let answers = Answers([nil, Self.whole(6, bid: "9")])
        let script = Self.granted + [Self.change(5, 7, bid: "10")]
        let reported = try await FollowedFeed.follow("binance", ["BTCUSDT"], script, answers.options) {
            $0.books.contains("live BTCUSDT") || !$0.problems.isEmpty
        }
        #expect(reported.books.first == "withheld BTCUSDT: snapshot" && reported.books.contains("live BTCUSDT"))
        #expect(answers.paths.count == 2 && reported.problems.isEmpty && reported.connections == 1)
    }

    @Test("a gap in the changes withholds the book until another whole one is fetched")
    func gap() async throws {
        let answers = Answers([Self.whole(6, bid: "9"), Self.whole(20, bid: "12")])
        let script =
            Self.granted + [
                Self.change(5, 7, bid: "10"), .wait(0.5), Self.change(15, 16, bid: "11"), .wait(0.5),
                Self.change(17, 21, bid: "13"), .wait(2), Self.change(22, 22, bid: "14"),
            ]
        let reported = try await FollowedFeed.follow("binance", ["BTCUSDT"], script, answers.options) {
            $0.books.last == "14" || !$0.problems.isEmpty
        }
        #expect(reported.books.filter { $0.contains("B") }.count == 3, "live, withheld, live: \(reported.books)")
        #expect(reported.books.contains("withheld BTCUSDT: gap") && !reported.books.contains("11"))
        #expect(answers.paths.count == 2 && reported.problems.isEmpty && reported.connections == 1)
    }

    @Test("whole books are fetched of the venue's own host, for the venues whose streams have none")
    func snapshots() async throws {
        let paths = Mutex<[String]>([])
        let transport = HTTPTransport {
            (request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportAnswer in
            paths.withLock { $0.append(request.url) }
            return HTTPTransportAnswer(status: 200, body: Self.whole(1, bid: "9"))
        }
        let books = try #require(
            try BookSnapshots(BinanceAdapter.spot, url: "ws://127.0.0.1:9/ws", transport: transport))
        #expect(try await books.fetch("/api/v3/depth?symbol=BTCUSDT&limit=1000") == Self.whole(1, bid: "9"))
        #expect(paths.withLock { $0 } == ["http://127.0.0.1:9/api/v3/depth?symbol=BTCUSDT&limit=1000"])
        #expect(try BookSnapshots(KrakenAdapter(), url: nil, transport: transport) == nil)
    }
}
