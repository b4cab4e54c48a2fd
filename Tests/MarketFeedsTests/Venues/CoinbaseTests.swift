import MarketModel
import StreamCore
import Testing

@testable import MarketFeeds

@Suite("Coinbase Exchange")
struct CoinbaseTests {
    static func match(_ id: Int, type: String = "match", side: String = "sell", sequence: Int = 1) -> String {
        #"{"type":"\#(type)","trade_id":\#(id),"maker_order_id":"a","taker_order_id":"b","side":"\#(side)","size":"450","price":"0.7910","product_id":"SKL-USD","sequence":\#(sequence),"time":"2021-04-17T16:43:37.121358Z"}"#
    }

    static func ticker(_ id: Int, side: String = "buy") -> String {
        #"{"type":"ticker","sequence":1,"product_id":"SKL-USD","price":"0.7910","open_24h":"0.7","volume_24h":"8","low_24h":"0.7","high_24h":"0.8","volume_30d":"1","best_bid":"0.790","best_ask":"0.792","side":"\#(side)","time":"2021-04-17T16:43:37.121358Z","trade_id":\#(id),"last_size":"450"}"#
    }

    static func trade(_ id: Int, _ side: VenueTrade.Side = .buy) -> Transcript.Trade {
        .init(
            symbol: "SKL-USD", name: "\(id)", price: "0.7910", volume: "450", time: 1_618_677_817.121358, side: side)
    }

    @Test("a match's side is that of the order that waited")
    func sides() {
        let transcript = Transcript(.coinbase, [Self.match(1), Self.match(2, side: "buy")])
        #expect(transcript.trades == [Self.trade(1), Self.trade(2, .sell)])
        #expect(transcript.session.priceDecimals == [3])
    }

    @Test("keys in any order, sizes with any digits, times of any zone")
    func anyOrder() {
        let transcript = Transcript(
            .coinbase,
            [
                #"{"time":"2021-04-17T18:43:37.121358+02:00","product_id":"SKL-USD","price":"0.7910","size":"450.0","trade_id":1568268,"type":"match"}"#
            ])
        #expect(transcript.ticks == [Tick(timestamp: 1_618_677_817.121358, price: 0.791, volume: 450)])
        #expect(transcript.trades.map(\.volume) == ["450.0"])
    }

    @Test("the same trade on two channels counts once, whichever comes first, and their sides say the same")
    func twoChannels() {
        let transcript = Transcript(
            .coinbase,
            [
                Self.ticker(7), Self.match(7, type: "last_match"), Self.match(8), Self.ticker(8), Self.ticker(9),
                Self.match(9),
            ])
        #expect(transcript.trades == [Self.trade(8), Self.trade(9)])
        // The last match, the ticker of 8 and the match of 9.
        #expect(transcript.counts.duplicates == 3 && transcript.counts.missing == 0)
    }

    @Test("a ticker that is ahead of the matches makes no hole, and one that fills one counts")
    func ahead() {
        var transcript = Transcript(.coinbase, [Self.match(7, type: "last_match"), Self.ticker(10), Self.match(8)])
        #expect(transcript.trades == [Self.trade(8)] && transcript.counts.missing == 0)
        transcript.send(Self.match(9))
        transcript.send(Self.match(10))
        #expect(transcript.trades.map(\.name) == ["8", "9", "10"] && transcript.counts.missing == 0)
        transcript.send(Self.match(12))
        #expect(transcript.counts.missing == 1)
        transcript.send(Self.ticker(11))
        #expect(transcript.trades.map(\.name) == ["8", "9", "10", "12", "11"] && transcript.counts.missing == 0)
    }

    @Test("a ticker reports the best prices and the day's figures")
    func day() {
        let quotes = Transcript(.coinbase, [Self.ticker(7)]).quotes
        #expect(quotes.map(\.bid) == [0.79] && quotes.map(\.ask) == [0.792])
        #expect(quotes.map(\.day) == [VenueDay(open: 0.7, high: 0.8, low: 0.7, volume: 8)])
    }

    @Test("what a subscription begins with is an old trade, and only says where the numbers stand")
    func oldTrades() {
        for first in [Self.match(7, type: "last_match"), Self.ticker(7)] {
            let transcript = Transcript(.coinbase, [first, Self.match(9)])
            #expect(transcript.trades == [Self.trade(9)])
            #expect(transcript.counts.missing == 1)
        }
        #expect(Transcript(.coinbase, [Self.ticker(7)]).session.symbols.names.isEmpty)
    }

    @Test("a last match after an outage is a trade that was missed")
    func resubscribed() {
        let transcript = Transcript(.coinbase, [Self.match(7), Self.match(10, type: "last_match")])
        #expect(transcript.trades == [Self.trade(7), Self.trade(10)] && transcript.counts.missing == 2)
    }

    @Test("sequence jumps from match to match; a gap is one of trade_id, and fills when they come late")
    func gaps() {
        let transcript = Transcript(
            .coinbase,
            [
                Self.match(7, sequence: 100), Self.match(8, sequence: 155), Self.match(11, sequence: 156),
                Self.match(10), Self.match(10),
            ])
        #expect(transcript.trades.map(\.name) == ["7", "8", "11", "10"])
        #expect(transcript.counts.missing == 1 && transcript.counts.duplicates == 1)
    }

    @Test("a heartbeat shows that trades are missing")
    func heartbeat() {
        let heartbeat =
            #"{"type":"heartbeat","sequence":90,"last_trade_id":9,"product_id":"SKL-USD","time":"2014-11-07T08:19:28.464459Z"}"#
        var transcript = Transcript(.coinbase, [Self.match(7), heartbeat])
        #expect(transcript.kinds == [.trades, .heartbeat] && transcript.counts.missing == 2)
        transcript.send(heartbeat)
        transcript.send(Self.match(8))
        transcript.send(Self.match(9))
        #expect(transcript.counts.missing == 0 && transcript.trades.count == 3)
    }

    @Test("data frames precede the last acknowledgement, and count")
    func dataBeforeAcknowledgement() {
        let answer = #"{"type":"subscriptions","channels":[{"name":"ticker","product_ids":["BTC-USD"]}]}"#
        let transcript = Transcript(.coinbase, [answer, Self.match(1), Self.match(2), answer, answer])
        #expect(transcript.trades.count == 2 && transcript.counts.kinds[.acknowledgement] == 3)
    }

    @Test(
        "everything else has its kind",
        arguments: [
            (
                #"{"type":"l2update","product_id":"SKL-GBP","changes":[["sell","0.5762","335.0"]],"time":"2021-04-17T16:43:37.078325Z"}"#,
                .book
            ),
            (#"{"type":"error","message":"Failed to subscribe","reason":"ticker is not a valid channel"}"#, .refusal),
            (#"{"type":"ticker","product_id":"NEW-USD","best_bid":"","price":null}"#, .malformed),
            (#"{"type":"ticker","product_id":"NEW-USD"}"#, .quotes), (#"{"type":"auction"}"#, .other),
            (#"{"type":"status","products":[]}"#, .status),
        ] as [(String, VenueMessageKind)])
    func kinds(text: String, kind: VenueMessageKind) {
        #expect(Transcript(.coinbase, [text]).kinds == [kind])
    }

    @Test(
        "a trade that lacks something says what",
        arguments: [
            (#"{"type":"match","trade_id":1,"size":"1","product_id":"A","time":"2021-04-17T16:43:37Z"}"#, "price"),
            (#"{"type":"match","trade_id":1,"price":"1","size":"1","product_id":"A"}"#, "time"),
            (#"{"trade_id":1}"#, "type"),
        ] as [(String, String)])
    func missing(text: String, field: String) {
        var batch = VenueBatch()
        #expect(throws: ParseError.missingField(field)) {
            try Array(text.utf8).withUnsafeBytes { try CoinbaseParser.parse($0, into: &batch) }
        }
        #expect(Transcript(.coinbase, [text]).counts.flaws[.missingField] == 1)
    }
}
