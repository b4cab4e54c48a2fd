import MarketModel
import StreamCore
import Testing

@testable import MarketFeeds

@Suite("Order books beside the trades")
struct FeedBookTests {
    private static func granted(_ channel: String, _ symbol: String, _ number: Int) -> String {
        #"{"method":"subscribe","result":{"channel":"\#(channel)","symbol":"\#(symbol)"},"success":true,"req_id":\#(number)}"#
    }

    private static func book(_ method: String, _ symbols: String, _ number: Int) -> String {
        #"send 1 {"method":"\#(method)","params":{"channel":"book","symbol":[\#(symbols)],"depth":1000},"req_id":\#(number)}"#
    }

    private static func message(_ type: String, bids: String) -> String {
        #"{"channel":"book","type":"\#(type)","data":[{"symbol":"BTC/USD","bids":[\#(bids)],"asks":[],"timestamp":"2022-12-25T09:30:59.123456Z"}]}"#
    }

    /// A script whose symbols trade, with their books wanted from the beginning, and what was sent when they did.
    private static func live(_ symbols: [String]) -> (FeedScript, [String]) {
        var script = FeedScript(KrakenAdapter(), symbols)
        for symbol in symbols.indices { script.session.setBookWanted(symbol, true, now: 0) }
        _ = script.connect() + script.open()
        var lines: [String] = []
        for symbol in symbols { lines += script.receive(granted("trade", symbol, 1)) }
        // The venue allows five messages at once, and then two a second.
        return (script, lines + script.wait(1))
    }

    @Test("a feed without a wanted book requests and reads none")
    func unwanted() {
        var script = FeedScript(KrakenAdapter(), ["BTC/USD"])
        _ = script.connect() + script.open()
        #expect(!script.receive(Self.granted("trade", "BTC/USD", 1)).contains { $0.contains("\"book\"") })
        #expect(script.receive(Self.message("snapshot", bids: #"{"price":5,"qty":1}"#)) == [])
        #expect(script.session.books?.isLive(0) == false && script.session.books?.counts.messages == 0)
    }

    @Test("books are requested once all trades are granted, several at once, and reported when they are there")
    func requested() {
        var (script, lines) = Self.live(["BTC/USD", "ETH/USD"])
        #expect(lines.last == Self.book("subscribe", #""BTC/USD","ETH/USD""#, 4))
        #expect(
            script.receive(Self.granted("book", "BTC/USD", 4)) == [], "an answer about a book says nothing of trades")
        #expect(script.receive(Self.message("snapshot", bids: #"{"price":5,"qty":1}"#)) == ["book BTC/USD"])
        #expect(script.session.books?.changed == [0])
        #expect(script.receive(Self.message("update", bids: #"{"price":5.5,"qty":2}"#)) == [])
        #expect(script.session.books?.withBook(0) { $0.bestBid?.price.description } == "5.5")
        #expect(script.receive(#"{"channel":"heartbeat"}"#) == [] && script.session.books?.changed == [])
    }

    @Test("a fault is reported, the book is gone, and it is ended and requested again")
    func fault() {
        var (script, _) = Self.live(["BTC/USD"])
        _ = script.receive(Self.message("snapshot", bids: #"{"price":5,"qty":1}"#))
        script.now += 5
        let crossed =
            #"{"channel":"book","type":"update","data":[{"symbol":"BTC/USD","bids":[],"asks":[{"price":4,"qty":1}],"timestamp":"2022-12-25T09:30:59.123456Z"}]}"#
        #expect(
            script.receive(crossed) == [
                "no book BTC/USD: crossed", Self.book("unsubscribe", #""BTC/USD""#, 5),
                Self.book("subscribe", #""BTC/USD""#, 6),
            ])
        #expect(script.session.books?.withBook(0) { $0.count(.bid) } == nil)
        #expect(script.receive(Self.message("snapshot", bids: #"{"price":3,"qty":1}"#)) == ["book BTC/USD"])
    }

    @Test("a lost connection takes the book with it, and the next one has it again")
    func lost() {
        var (script, _) = Self.live(["BTC/USD"])
        _ = script.receive(Self.message("snapshot", bids: #"{"price":5,"qty":1}"#))
        #expect(script.close().contains("no book BTC/USD: interrupted"))
        _ = script.wait(2) + script.open(2)
        let lines = script.receive(Self.granted("trade", "BTC/USD", 1), on: 2) + script.wait(1)
        #expect(lines.contains { $0.hasPrefix("send 2") && $0.contains("\"book\"") })
        #expect(script.receive(Self.message("snapshot", bids: #"{"price":5,"qty":1}"#), on: 2) == ["book BTC/USD"])
    }

    @Test("a book that is refused costs no trades, and one that is not wanted any more is ended")
    func refusedAndEnded() {
        var (script, _) = Self.live(["BTC/USD"])
        let refusal =
            #"{"error":"Unsupported depth","method":"subscribe","success":false,"symbol":"BTC/USD","req_id":4}"#
        #expect(script.receive(refusal) == ["problem refused"])
        _ = script.receive(Self.message("snapshot", bids: #"{"price":5,"qty":1}"#))
        script.now += 5
        script.session.setBookWanted(0, false, now: script.now)
        #expect(script.actions() == ["no book BTC/USD: interrupted", Self.book("unsubscribe", #""BTC/USD""#, 5)])
        script.session.setBookWanted(0, true, now: script.now)
        #expect(script.actions() == [Self.book("subscribe", #""BTC/USD""#, 6)])
        script.now += 5
        script.session.setWanted(0, false, now: script.now)
        #expect(script.actions().contains(Self.book("unsubscribe", #""BTC/USD""#, 10)), "it goes with the trades")
        script.session.setWanted(0, true, now: script.now)
        let again = script.actions() + script.receive(Self.granted("trade", "BTC/USD", 11)) + script.wait(3)
        #expect(again.contains { $0.contains(#""subscribe","params":{"channel":"book""#) }, "and comes back with them")
    }

    @Test("a whole book is fetched where the stream has changes only")
    func fetched() {
        var script = FeedScript(BinanceAdapter.spot, ["BTCUSDT"])
        script.session.setBookWanted(0, true, now: 0)
        _ = script.connect() + script.open()
        let lines = script.receive(#"{"result":null,"id":1}"#)
        #expect(lines == ["live BTCUSDT", #"send 1 {"method":"SUBSCRIBE","params":["btcusdt@depth@100ms"],"id":2}"#])
        let change =
            #"{"stream":"btcusdt@depth@100ms","data":{"e":"depthUpdate","E":1,"s":"BTCUSDT","U":5,"u":7,"b":[["10","2"]],"a":[]}}"#
        #expect(script.receive(change) == ["fetch 1 /api/v3/depth?symbol=BTCUSDT&limit=1000"])
        script.session.bookFetched(1, nil, now: script.now)
        #expect(script.actions() == ["no book BTCUSDT: snapshot"])
        #expect(script.wait(1).filter { $0 != "ping 1" } == ["fetch 2 /api/v3/depth?symbol=BTCUSDT&limit=1000"])
        script.session.bookFetched(2, Array(#"{"lastUpdateId":6,"bids":[["9","1"]],"asks":[]}"#.utf8), now: script.now)
        #expect(script.actions() == ["book BTCUSDT"] && script.session.books?.changed == [0])
        #expect(script.session.books?.withBook(0) { $0.bestBid?.price.description } == "10")
    }

    @Test("a book that comes with the trades needs no request of its own, unless it is wanted later")
    func withTrades() {
        let first =
            #"{"type":"l2_updates","symbol":"BTCUSD","changes":[["buy","9122.04","1"],["sell","9122.07","2"]],"trades":[]}"#
        let l2 = { (action: String) in
            #"send 1 {"type":"\#(action)","subscriptions":[{"name":"l2","symbols":["BTCUSD"]}]}"#
        }
        var script = FeedScript(GeminiAdapter(), ["BTCUSD"])
        script.session.setBookWanted(0, true, now: 0)
        #expect((script.connect() + script.open()).last == l2("subscribe"))
        #expect(script.receive(first) == ["live BTCUSD", "book BTCUSD"])

        var later = FeedScript(GeminiAdapter(), ["BTCUSD"])
        _ = later.connect() + later.open()
        #expect(later.receive(first) == ["live BTCUSD"])
        later.now += 10
        later.session.setBookWanted(0, true, now: later.now)
        #expect(later.actions() == [l2("unsubscribe"), l2("subscribe")])
        #expect(later.receive(first) == ["book BTCUSD"])
    }

    @Test(
        "each feed that has books says what it sends in JSON, and what has none is known",
        arguments: FeedCatalogue.adapters.map(\.name))
    func requests(name: String) throws {
        let adapter = try #require(FeedCatalogue.adapter(named: name))
        let without = ["candlewire", "okx-all"]
        guard let books = adapter as? any BookAdapter, let rules = books.bookRules else {
            #expect(without.contains(name))
            return
        }
        #expect(!without.contains(name))
        for action in [FeedAction.subscribe, .unsubscribe] {
            for text in books.bookRequests(action, [adapter.exampleSymbol], number: 7, channel: 5) {
                #expect(try Array(text.utf8).withUnsafeBytes { try JSONValue(parsing: $0) }["x"] == nil, "\(text)")
            }
        }
        #expect((rules.source == .request) == (books.bookSnapshotRequest(adapter.exampleSymbol) != nil))
        #expect(rules.source != .request || adapter.history != nil, "whose address the whole book has")
    }
}
