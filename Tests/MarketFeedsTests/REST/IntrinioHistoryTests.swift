import HTTPTransport
import MarketModel
import StreamCore
import Synchronization
import Testing

@testable import MarketFeeds

@Suite("Intrinio over REST")
struct IntrinioHistoryTests {
    private static let start = 1_672_756_200.0

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func row(_ minute: Int, _ open: String = "130.28", volume: String = "18234.0") -> String {
        let time = RFC3339.text(start + Double(minute) * 60).dropLast()
        return #"{"time":"\#(time).000Z","open":\#(open),"close":130.1,"high":130.9,"low":129.9,"volume":\#(volume),"#
            + #""close_time":null,"interval":"1m","average":130.3,"change":-0.0014,"trade_count":512.0}"#
    }

    private static func page(_ rows: [String], next: String = "null") -> String {
        #"{"intervals":[\#(rows.joined(separator: ","))],"security":{"ticker":"AAPL"},"source":"iex","next_page":\#(next)}"#
    }

    /// Answers in this order, and notes what was requested.
    private final class Script: Sendable {
        let state: Mutex<(answers: [(Int, String)], urls: [String])>
        init(_ answers: [(Int, String)]) { state = Mutex((answers, [])) }
        var urls: [String] { state.withLock { $0.urls } }
        var transport: HTTPTransport {
            HTTPTransport { (request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportAnswer in
                self.state.withLock { state in
                    state.urls.append(request.url)
                    let (status, body) = state.answers.isEmpty ? (404, "{}") : state.answers.removeFirst()
                    return HTTPTransportAnswer(status: status, body: Array(body.utf8))
                }
            }
        }
    }

    private static let fast = RequestPacer.Configuration(rate: 10_000, burst: 1000, minimumInterval: 0)

    @Test("intervals are requested by date and time, and followed from page to page")
    func pages() async throws {
        let script = Script([
            (200, Self.page([Self.row(0), Self.row(1)], next: "\"a+b\"")), (200, Self.page([Self.row(2)])),
        ])
        let history = try VenueHistory(IntrinioHistory(), transport: script.transport, pace: Self.fast)
        let rows = try await history.page(
            symbol: "BRK.B", timeframe: .m1, from: Self.start, to: Self.start + 3 * 60
        ).candles
        let times: [Double] = [Self.start, Self.start + 60, Self.start + 120]
        #expect(rows.map(\.candle.timestamp) == times)
        #expect(rows.allSatisfy { $0.candle.open == 130.28 && $0.candle.volume == 18234 && $0.trades == 512 })
        let first =
            "https://api-v2.intrinio.com/securities/BRK.B/prices/intervals?interval_size=1m"
            + "&start_date=2023-01-03&start_time=14%3A30%3A00&end_date=2023-01-03&end_time=14%3A33%3A00"
            + "&timezone=UTC&page_size=100"
        #expect(script.urls == [first, first + "&next_page=a%2Bb"])
    }

    @Test("a list of pages that leads back to itself comes to an end")
    func endless() async throws {
        let script = Script(Array(repeating: (200, Self.page([Self.row(0)], next: "\"again\"")), count: 500))
        let history = try VenueHistory(IntrinioHistory(), transport: script.transport, pace: Self.fast)
        let error = await #expect(throws: HistoryError.self) {
            try await history.page(symbol: "AAPL", timeframe: .m1, from: Self.start, to: Self.start + 60)
        }
        #expect(error?.kind == .invalidResponse && script.urls.count <= VenueHistory.maxListPages + 1)
    }

    @Test("null and zero are no candle and no fault")
    func nulls() throws {
        let rows = try IntrinioHistory().candles(
            from: Self.bytes(Self.page([Self.row(0, "null"), Self.row(1, volume: "null"), Self.row(2, "0")])))
        #expect(rows.map(\.candle.timestamp) == [60, 120].map { Self.start + $0 })
        #expect(rows.map(\.candle.volume) == [0, 18234] && rows.map(\.candle.open) == [130.28, 0])
        #expect(throws: HistoryError.self) { try IntrinioHistory().candles(from: Self.bytes("{}")) }
        #expect(throws: HistoryError.self) {
            try IntrinioHistory().candles(from: Self.bytes(#"{"intervals":[{"time":5}]}"#))
        }
    }

    @Test("no symbol, search or secret leaves its place in the address")
    func encoding() async throws {
        let script = Script([(200, #"{"data":[]}"#), (200, #"{"data":[]}"#)])
        let reference = try IntrinioReference(credentials: .apiKey("k"), transport: script.transport)
        _ = try await reference.companies(matching: "a&b=c#d/é ")
        _ = try await reference.prices(of: "A/B?x=1")
        #expect(
            script.urls == [
                "https://api.intrinio.com/companies?query=a%26b%3Dc%23d%2F%C3%A9%20",
                "https://api.intrinio.com/prices?identifier=A%2FB%3Fx%3D1",
            ])
        let request = IntrinioHistory().request(
            symbol: "../x", timeframe: .m5, from: -.infinity, to: .greatestFiniteMagnitude)
        #expect(request.hasPrefix("/securities/..%2Fx/prices/intervals?interval_size=5m&start_date=0000-01-01"))
    }

    @Test("companies are found by name; one without a ticker cannot be followed")
    func search() async throws {
        let body =
            #"{"data":[{"name":"Apple Inc","ticker":"AAPL","cik":"0000320193","lei":null},"#
            + #"{"name":"Private","ticker":null,"cik":null},{"name":null,"ticker":"APLE","cik":1418121}],"result_count":3}"#
        let script = Script([(200, body)])
        let reference = try IntrinioReference(
            credentials: .apiKey("k"), base: "http://127.0.0.1:9", transport: script.transport)
        let found = try await reference.companies(matching: "apple")
        #expect(
            found == [
                .init(name: "Apple Inc", ticker: "AAPL", cik: "0000320193"),
                .init(name: "", ticker: "APLE", cik: "1418121"),
            ])
        #expect(script.urls == ["http://127.0.0.1:9/companies?query=apple"])
        for text in ["{}", "[]", #"{"data":{}}"#, #"{"data":[5]}"#, ""] {
            #expect(throws: HistoryError.self) { try IntrinioReference.companies(from: Self.bytes(text)) }
        }
    }

    @Test("reference prices: what is missing is nil, and nothing is divided by an open of 0")
    func prices() throws {
        let prices = try IntrinioReference.prices(
            from: Self.bytes(
                #"{"data":[{"date":"2024-08-08","open":200,"high":"214.5","low":199.0,"close":210.0,"volume":5e7,"#
                    + #""ex_dividend":0.0},{"open":null,"close":7},{"open":0,"close":7}]}"#))
        #expect(
            prices == [
                ReferencePrice(date: "2024-08-08", open: 200, high: 214.5, low: 199, close: 210, volume: 5e7),
                ReferencePrice(close: 7), ReferencePrice(open: 0, close: 7),
            ])
        #expect(prices[0].change(to: 210)?.absolute == 10 && prices[0].change(to: 210)?.percent == 5)
        #expect(prices[1].change(to: 7) == nil && prices[0].change(to: nil) == nil)
        #expect(prices[2].change(to: 7)?.absolute == 7 && prices[2].change(to: 7)?.percent == nil)
        #expect(prices[0].change(to: .nan) == nil)
    }

    @Test("credentials go into headers: Basic, a bearer, a public key")
    func headers() {
        let history = IntrinioHistory()
        #expect(history.headers(.apiKey("k")) == [FeedHeader("Authorization", "Bearer k")])
        #expect(history.headers(.publicKey("k")) == [FeedHeader("X-Authorization-Public-Key", "k")])
        #expect(history.headers(.password(user: "u", password: "p")) == [FeedHeader("Authorization", "Basic dTpw")])
        #expect(KrakenHistory().headers(.apiKey("k")).isEmpty)
    }
}
