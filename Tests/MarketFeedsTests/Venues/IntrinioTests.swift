import MarketModel
import Testing

@testable import MarketFeeds

@Suite("Intrinio's legacy messages")
struct IntrinioTests {
    static func quote(
        _ type: String, _ ticker: String, _ price: String, size: String = "13750",
        time: String = "1493409509.3932788"
    ) -> String {
        #"{"topic":"iex:securities:\#(ticker)","event":"quote","payload":{"type":"\#(type)","timestamp":\#(time),"#
            + #""ticker":"\#(ticker)","size":\#(size),"price":\#(price)},"ref":null}"#
    }

    /// - Parameter ref: as JSON.
    static func reply(_ topic: String, ref: String, _ payload: String) -> String {
        #"{"topic":"\#(topic)","event":"phx_reply","payload":\#(payload),"ref":\#(ref)}"#
    }

    @Test("a quote of the last price is a trade of its symbol, a bid or an ask one side of the best prices")
    func quotes() {
        let transcript = Transcript(
            .intrinio,
            [
                Self.quote("last", "GE", "28.970", size: "100"), Self.quote("bid", "GE", "28.96"),
                Self.quote("ask", "GE", "28.98"),
            ])
        #expect(transcript.kinds == [.trades, .quotes, .quotes])
        #expect(
            transcript.trades == [
                .init(
                    symbol: "GE", name: "", price: "28.970", volume: "100", time: 1_493_409_509.3932788, side: .unknown)
            ])
        #expect(transcript.quotes.map(\.bid) == [28.96, nil] && transcript.quotes.map(\.ask) == [nil, 28.98])
        #expect(transcript.quotes.allSatisfy { $0.timestamp == 1_493_409_509.3932788 })
    }

    @Test("the same trade twice is two trades: nothing distinguishes them")
    func unnumbered() {
        let quote = Self.quote("last", "GE", "28.97")
        #expect(Transcript(.intrinio, [quote, quote]).counts.trades == 2)
    }

    @Test("the envelope may lack anything, in any order; what is needed and missing is counted with its name")
    func envelope() {
        let transcript = Transcript(
            .intrinio,
            [
                #"{"payload":{"price":5,"ticker":"A","size":"2","timestamp":"7.5","type":"last"},"event":"quote"}"#,
                #"{"event":"quote"}"#, #"{"event":"quote","payload":null}"#, #"{"event":"quote","payload":{}}"#,
                #"{"event":"quote","payload":{"type":"last","ticker":"A","price":null,"size":1,"timestamp":1}}"#,
                #"{"event":"quote","payload":{"type":"mid","ticker":"A","price":1}}"#, #"{"topic":"x"}"#,
                #"{"event":5}"#, #"{"event":"quote","payload":{"type":5}}"#, "[]",
            ])
        #expect(
            transcript.kinds == [
                .trades, .malformed, .malformed, .malformed, .malformed, .other, .malformed, .malformed, .malformed,
                .malformed,
            ])
        #expect(transcript.ticks == [Tick(timestamp: 7.5, price: 5, volume: 2)])
        #expect(transcript.counts.flaws[.missingField] == 5 && transcript.counts.flaws[.badValue] == 3)
    }

    @Test("all other events are reported by their kind and touch no price")
    func otherEvents() {
        let transcript = Transcript(
            .intrinio,
            [
                Self.reply("phoenix", ref: "\"heartbeat\"", #"{"status":"ok","response":{}}"#),
                Self.reply("iex:securities:A", ref: "\"1\"", #"{"status":"ok","response":{}}"#),
                Self.reply("iex:securities:A", ref: "null", #"{"status":"error","response":"L"}"#),
                #"{"topic":"iex:securities:A","event":"phx_error","payload":{},"ref":null}"#,
                #"{"topic":"iex:securities:A","event":"phx_close","payload":{},"ref":"1"}"#,
                #"{"topic":"crypto:exchange_level_2:gemini:btcusd","event":"book_update","payload":{},"ref":null}"#,
                #"{"topic":"iex:lobby","event":"presence_state","payload":{},"ref":null}"#,
            ])
        #expect(
            transcript.kinds == [.heartbeat, .acknowledgement, .refusal, .status, .status, .book, .other])
        #expect(transcript.trades.isEmpty && transcript.quotes.isEmpty && transcript.counts.malformed == 0)
    }

    @Test("currencies have a blank in their times, and cryptocurrencies null for what has not changed")
    func currencies() {
        let transcript = Transcript(
            .intrinio,
            [
                #"{"topic":"fxcm:pair:EUR/USD","event":"price_update","payload":{"code":"EUR/USD","bid_price":1.13685,"#
                    + #""ask_price":1.13711,"time":"2018-12-18 22:38:06.964Z"},"ref":null}"#,
                #"{"topic":"crypto:market_level_1:btcusd","event":"ticker","payload":{"pair_code":"btcusd","#
                    + #""last_updated":"2018-10-29 23:08:02.277Z","bid":6326,"ask":null,"last_trade_side":null,"#
                    + #""type":"level_1"},"ref":null}"#,
                #"{"topic":"crypto:market_level_1:btcusd","event":"trade","payload":{"pair_code":"btcusd","price":6326.97,"#
                    + #""size":0.000012,"side":"sell","last_updated":"2018-10-29 23:08:01.834Z"},"ref":null}"#,
            ])
        #expect(transcript.kinds == [.quotes, .quotes, .trades])
        #expect(transcript.quotes.map(\.timestamp) == [1_545_172_686.964, 1_540_854_482.277])
        #expect(transcript.quotes.map(\.bid) == [1.13685, 6326] && transcript.quotes.map(\.ask) == [1.13711, nil])
        #expect(transcript.trades.map(\.symbol) == ["btcusd"] && transcript.trades.map(\.side) == [.sell])
    }
}
