import MarketFeeds

/// Messages of venues of which there is no recorded trade, in the layouts of their documentation.
enum MadeFrames {
    static func bybit(_ count: Int) -> VenueFrames {
        VenueFrames(
            .bybit,
            made: (0..<count).map { number in
                Array(
                    (#"{"topic":"publicTrade.BTCUSDT","type":"snapshot","ts":\#(1_672_304_486_868 + number),"data":[{"T":"#
                        + #"\#(1_672_304_486_865 + number),"s":"BTCUSDT","S":"\#(number % 3 == 0 ? "Sell" : "Buy")","v":"#
                        + #""0.\#(100 + number % 899)","p":"16\#(100 + number % 811).\#(10 + number % 89)","i":"#
                        + #""2\#(290_000_000_061_666 + number)","BT":false}]}"#).utf8)
            })
    }

    /// Of the stream of 2018 to 2020, which is JSON.
    static func intrinio(_ count: Int) -> VenueFrames {
        VenueFrames(
            .intrinio,
            made: (0..<count).map { number in
                Array(
                    (#"{"topic":"iex:securities:GE","event":"quote","payload":{"type":"last","timestamp":"#
                        + #"\#(1_493_409_509 + number / 10).39\#(32_788 + number % 60_000),"ticker":"GE","size":"#
                        + #"\#(100 + number % 13_000),"price":\#(20 + number % 17).\#(10 + number % 89)},"ref":null}"#)
                        .utf8)
            })
    }

    /// The integration guide's provider, by the configuration that it has by default.
    static func provider(_ count: Int) -> VenueFrames {
        VenueFrames(
            .provider,
            made: (0..<count).map { number in
                Array(
                    (#"{"type":"tick","symbol":"BTC-USD","timestamp":\#(1_732_130_000 + number / 10).\#(number % 10),"#
                        + #""price":\#(67_000 + number % 500).\#(10 + number % 89),"volume":0.\#(1 + number % 9_001)}"#)
                        .utf8)
            })
    }
}
