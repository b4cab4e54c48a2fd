import MarketFeeds
import MarketModel
import Testing

@Suite("Feed specifications")
struct FeedSpecificationTests {
    @Test("what --feed may say")
    func parses() throws {
        #expect(try FeedSpecification("sim:ETH-USD,BTC-USD,ETH-USD") == .simulated(symbols: ["ETH-USD", "BTC-USD"]))
        #expect(try FeedSpecification("replay:/a:b/c.jsonl") == .replay(path: "/a:b/c.jsonl"))
        #expect(try FeedSpecification("tracker") == .tracker(path: nil))
        #expect(try FeedSpecification("tracker:/a:b/c") == .tracker(path: "/a:b/c"))
        #expect(try FeedSpecification("../stocks.json") == .tracker(path: "../stocks.json"))
        guard case .simulated(let all) = try FeedSpecification("sim") else {
            Issue.record("not simulated")
            return
        }
        #expect(all.count == 12)
        guard case .simulated(let many) = try FeedSpecification("sim:10000") else {
            Issue.record("not simulated")
            return
        }
        #expect(many.count == 10_000 && Array(many[..<12]) == all && many[12] == "SIM13-USD")
        #expect(try FeedSpecification("sim:2") == .simulated(symbols: ["BTC-USD", "ETH-USD"]))
        #expect(try FeedSpecification("sim:SIM99-USD,ETH-USD") == .simulated(symbols: ["SIM99-USD", "ETH-USD"]))
    }

    @Test(
        "what it may not, in one sentence that says what is allowed",
        arguments: [
            ("", "sim"), ("live", "replay:FILE"), ("sim:", "at least one symbol"), ("sim:XYZ", "BTC-USD"),
            ("sim:0", "from 1 to 10000"), ("sim:10001", "from 1 to 10000"), ("sim:SIM12-USD", "BTC-USD"),
            ("sim:SIM013-USD", "BTC-USD"),
            ("replay:", "needs a file"),
            ("replay", "needs a file"), ("tracker:", "needs a file"), ("stocks.jsn", "tracker:FILE"),
        ])
    func refuses(text: String, part: String) {
        #expect {
            try FeedSpecification(text)
        } throws: {
            ($0 as? FeedError)?.kind == .usage && ($0 as? FeedError)?.description.contains(part) == true
        }
    }

    @Test("speeds", arguments: [("max", ReplaySpeed.max), ("1", .times(1)), ("0.5", .times(0.5))])
    func speeds(text: String, speed: ReplaySpeed) throws {
        #expect(try ReplaySpeed(text) == speed)
    }

    @Test("no speeds", arguments: ["0", "-1", "fast", "inf", "nan", ""])
    func noSpeeds(text: String) {
        #expect(throws: FeedError.self) { try ReplaySpeed(text) }
    }

    @Test(
        "symbols split into currencies",
        arguments: [
            ("BTC-USD", "BTC", "USD"), ("XBT/EUR", "XBT", "EUR"), ("BTCUSDT", "BTC", "USDT"), ("ETHBTC", "ETH", "BTC"),
            ("ODD", "ODD", ""), ("ethusd", "ETH", "USD"), ("tBTCUSD", "BTC", "USD"),
            ("tTESTBTC:TESTUSD", "TESTBTC", "TESTUSD"),
        ])
    func currencies(symbol: String, base: String, quote: String) {
        let market = Market(symbol: symbol, precision: 2)
        #expect(market.baseCurrency == base)
        #expect(market.quoteCurrency == quote)
    }
}
