import Testing

@testable import MarketFeeds

@Suite("Recognising venues")
struct VenueDetectorTests {
    @Test(
        "the venue is recognised by its messages",
        arguments: [
            (#"{"type":"subscriptions","channels":[]}"#, Venue.coinbase),
            (#"{"stream":"a@trade","data":{}}"#, .binance),
            (#"{"e":"aggTrade","s":"A"}"#, .binance),
            (#"{"type":"l2update","product_id":"A","changes":[]}"#, .coinbase),
            (#"{"channel":"status","type":"update","data":[{"connection_id":16763580994566763544}]}"#, .kraken),
            (#"{"channel":"heartbeat"}"#, .kraken),
            (#"{"method":"subscribe","success":false,"error":"no","time_in":"","time_out":""}"#, .kraken),
            (#"{"channel":"market_trades","events":[]}"#, .coinbaseAdvanced),
            (#"{"connectionID":18239578009413566319,"event":"systemStatus","status":"online"}"#, .krakenArrays),
            (#"[993,[["1","2","3","s","l",""]],"trade","XMR/USD"]"#, .krakenArrays),
            (#"[1,{"a":[]},{"b":[]},"book-10","XMR/USD"]"#, .krakenArrays), (#"{"event":"heartbeat"}"#, .krakenArrays),
            (#"{"event":"bts:subscription_succeeded","channel":"live_trades_ethusd","data":{}}"#, .bitstamp),
            (#"{"data":{"id":1},"channel":"live_trades_ethusd","event":"trade"}"#, .bitstamp),
            (#"{"type":"l2_updates","symbol":"A","changes":[]}"#, .gemini),
            (#"{"type":"trade","symbol":"A","event_id":1,"price":"1"}"#, .gemini),
            (#"{"event":"info","version":2,"serverId":"x"}"#, .bitfinex),
            (#"{"event":"subscribed","channel":"ticker","chanId":232949,"symbol":"tA"}"#, .bitfinex),
            (#"{"topic":"orderbook.1.A","ts":1,"type":"snapshot","data":{}}"#, .bybit),
            (#"{"success":true,"ret_msg":"","conn_id":"x","op":"subscribe"}"#, .bybit),
            (IntrinioTests.quote("ask", "GE", "28.97"), .intrinio),
            (IntrinioTests.reply("phoenix", ref: "null", #"{"status":"ok","response":{}}"#), .intrinio),
            (#"[232949,[1,2,3],1]"#, nil), (#"{"type":"heartbeat","timestamp":1}"#, nil),
            (#"{"type":"trade","symbol":"BTCUSD","price":"1"}"#, nil), (#"[1,[["1","2"]],"trade"]"#, nil),
            (#"{"result":null,"id":1}"#, nil), ("garbage", nil), ("", nil), (#"{"stream":"a","data":{}}"#, nil),
            // Kraken Futures, which resembles Bitfinex and Coinbase.
            (#"{"event":"info","version":1}"#, nil),
            (#"{"event":"subscribed","feed":"trade","product_ids":["PI_XBTUSD"]}"#, nil),
            (#"{"feed":"trade","product_id":"PI_XBTUSD","type":"fill","side":"sell","seq":7,"price":34893}"#, nil),
            (#"{"feed":"heartbeat","time":1534262350627}"#, nil),
            // Bybit's versions before 5.
            (#"{"topic":"trade.BTCUSD","data":[{"symbol":"BTCUSD","side":"Sell","size":1,"price":8098}]}"#, nil),
            (#"{"topic":"orderBookL2_25.BTCUSD","type":"delta","data":{},"timestamp_e6":1}"#, nil),
            (#"{"success":true,"ret_msg":"","conn_id":"x","request":{"op":"subscribe","args":[]}}"#, nil),
            // What two venues might send.
            (#"{"event":"bts:x","channel":"c","topic":"t","payload":{}}"#, nil),
        ] as [(String, Venue?)])
    func recognises(text: String, venue: Venue?) {
        #expect(Array(text.utf8).withUnsafeBytes { Venue.recognise($0) } == venue)
    }
}
