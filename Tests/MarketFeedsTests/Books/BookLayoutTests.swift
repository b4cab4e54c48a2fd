import MarketModel
import StreamCore
import Testing

@testable import MarketFeeds

/// Each venue's book in the layout of its documentation: the whole one, changes, removals.
@Suite("Order books of the venues")
struct BookLayoutTests {
    @Test("Binance: changes wait for the whole book, and those that it has are left out")
    func binance() {
        func change(_ first: Int, _ last: Int, bids: String, asks: String = "") -> String {
            #"{"stream":"btcusdt@depth@100ms","data":{"e":"depthUpdate","E":1672515782136,"s":"BTCUSDT","U":\#(first),"u":\#(last),"b":[\#(bids)],"a":[\#(asks)]}}"#
        }
        var books = FollowedBooks("binance", ["BTCUSDT"])
        #expect(books.send(change(155, 158, bids: #"["10.00","9.0"]"#)) == ["fetch BTCUSDT"])
        #expect(books.send(change(159, 162, bids: #"["10.10","2.50"]"#, asks: #"["10.30","0.00000000"]"#)) == [])
        #expect(books.shown("BTCUSDT") == nil)
        let whole = #"{"lastUpdateId":160,"bids":[["10.00","1.00"],["9.90","3"]],"asks":[["10.30","1"],["10.40","2"]]}"#
        #expect(books.fetched("BTCUSDT", whole) == ["live BTCUSDT"])
        #expect(books.shown("BTCUSDT") == "10.10@2.50 10.00@1.00 9.90@3 | 10.40@2")
        #expect(books.send(change(163, 163, bids: #"["10.10","0.00000000"],["8.00","0"]"#)) == [])
        #expect(books.shown("BTCUSDT", levels: 1) == "10.00@1.00 | 10.40@2" && books.books.time(0) == 1_672_515_782.136)
        #expect(
            books.adapter.bookRequests(.subscribe, ["BTCUSDT", "ETHUSDT"], number: 3, channel: nil)
                == [#"{"method":"SUBSCRIBE","params":["btcusdt@depth@100ms","ethusdt@depth@100ms"],"id":3}"#])
        #expect(books.adapter.bookSnapshotRequest("BTCUSDT") == "/api/v3/depth?symbol=BTCUSDT&limit=1000")
    }

    @Test("Coinbase Exchange: a snapshot, then changes of either side; orders of `full` are none of them")
    func coinbase() {
        var books = FollowedBooks("coinbase", ["SKL-GBP"])
        #expect(
            books.send(
                #"{"type":"l2update","product_id":"SKL-GBP","changes":[["sell","9","1"]],"time":"2021-04-17T16:43:37.0Z"}"#
            ) == [])
        #expect(
            books.send(
                #"{"type":"snapshot","product_id":"SKL-GBP","asks":[["0.58","10"]],"bids":[["0.57","335.0"],["0.56","1"]]}"#
            )
                == ["live SKL-GBP"])
        books.send(
            #"{"type":"l2update","product_id":"SKL-GBP","changes":[["sell","0.575","2"],["buy","0.57","0.00000000"]],"time":"2021-04-17T16:43:37.078325Z"}"#
        )
        books.send(
            #"{"type":"open","time":"2014-11-07T08:19:27.028459Z","product_id":"SKL-GBP","sequence":10,"order_id":"d50","price":"200.2","remaining_size":"1.00","side":"sell"}"#
        )
        #expect(books.shown("SKL-GBP") == "0.56@1 | 0.575@2 0.58@10")
        #expect(
            books.adapter.bookRequests(.unsubscribe, ["SKL-GBP"], number: 1, channel: nil)
                == [#"{"type":"unsubscribe","product_ids":["SKL-GBP"],"channels":["level2_batch"]}"#])
    }

    @Test("Coinbase Advanced Trade: events of one message, and a message that is missing, whatever it was about")
    func coinbaseAdvanced() {
        func message(_ number: Int, _ events: String, channel: String = "l2_data") -> String {
            #"{"channel":"\#(channel)","client_id":"","timestamp":"2023-02-09T20:32:50.714964855Z","sequence_num":\#(number),"events":[\#(events)]}"#
        }
        func event(_ type: String, _ symbol: String, _ updates: String) -> String {
            #"{"type":"\#(type)","product_id":"\#(symbol)","updates":[\#(updates)]}"#
        }
        func update(_ side: String, _ price: String, _ size: String) -> String {
            #"{"side":"\#(side)","event_time":"1970-01-01T00:00:00Z","price_level":"\#(price)","new_quantity":"\#(size)"}"#
        }
        var books = FollowedBooks("coinbase-advanced", ["BTC-USD", "ETH-USD"])
        let both =
            event(
                "snapshot", "BTC-USD", update("bid", "21921.73", "0.06317902") + "," + update("offer", "21921.74", "2"))
            + ","
            + event("snapshot", "ETH-USD", update("bid", "1600", "1"))
        #expect(books.send(message(0, both)) == ["live BTC-USD", "live ETH-USD"])
        books.send(
            message(
                1, event("update", "BTC-USD", update("offer", "21921.74", "0") + "," + update("offer", "21922", "7"))))
        #expect(books.shown("BTC-USD") == "21921.73@0.06317902 | 21922@7")
        let beat = #"{"current_time":"2023-06-23 20:31:56.121961769 +0000 UTC","heartbeat_counter":3049}"#
        #expect(books.send(message(2, beat, channel: "heartbeats")) == [])
        #expect(books.send(message(4, beat, channel: "heartbeats")) == ["gap BTC-USD", "gap ETH-USD"])
        #expect(books.shown("BTC-USD") == nil && books.shown("ETH-USD") == nil)
    }

    @Test(
        "Kraken, version 2: numbers to their last digit, in their order, with a checksum, cut to the depth that was granted"
    )
    func kraken() {
        var books = FollowedBooks("kraken", ["ALGO/USD"])
        func message(_ type: String, bids: String, asks: String, _ checksum: Int) -> String {
            #"{"channel":"book","type":"\#(type)","data":[{"symbol":"ALGO/USD","bids":[\#(bids)],"asks":[\#(asks)],"checksum":\#(checksum),"timestamp":"2022-12-25T09:30:59.123456Z"}]}"#
        }
        func level(_ price: String, _ size: String) -> String { #"{"price":\#(price),"qty":\#(size)}"# }
        books.send(
            #"{"method":"subscribe","result":{"channel":"book","depth":2,"snapshot":true,"symbol":"ALGO/USD"},"success":true,"time_in":"2026-07-19T17:54:39.614696Z","time_out":"2026-07-19T17:54:39.614741Z"}"#
        )
        let bids = level("0.5666", "4831.75496356") + "," + level("0.5665", "6658.22734739")
        // CRC-32 of 56674410797697415668465540412487 and 56664831754963565665665822734739.
        let asks = level("0.5667", "4410.79769741") + "," + level("0.5668", "4655.40412487")
        #expect(books.send(message("snapshot", bids: bids, asks: asks, 2_229_974_337)) == ["live ALGO/USD"])
        let removed =
            level("0.5667", "0.00000000") + "," + level("0.5670", "1.00000000") + "," + level("0.5669", "2.50000000")
        #expect(books.send(message("update", bids: "", asks: removed, 3_086_412_057)) == [])
        #expect(
            books.shown("ALGO/USD")
                == "0.5666@4831.75496356 0.5665@6658.22734739 | 0.5668@4655.40412487 0.5669@2.50000000")
        #expect(books.send(message("update", bids: level("0.5665", "1.0"), asks: "", 1)) == ["checksum ALGO/USD"])
        #expect(books.shown("ALGO/USD") == nil && books.counts.checksums == 2)
        #expect(
            books.request()[1]
                == #"{"method":"subscribe","params":{"channel":"book","symbol":["ALGO/USD"],"depth":1000},"req_id":7}"#)
    }

    @Test(
        "Kraken, version 1: both sides in one object or in two, a level that is published again, the depth in the name")
    func krakenArrays() {
        var books = FollowedBooks("kraken-v1", ["XBT/USD"])
        #expect(
            books.send(
                #"[0,{"as":[["5541.30000","2.50700000","1534614248.123678"],["5541.80000","0.33000000","1534614098.345543"]],"bs":[["5541.20000","1.52900000","1534614248.765567"]]},"book-2","XBT/USD"]"#
            )
                == ["live XBT/USD"])
        books.send(
            #"[1234,{"a":[["5541.30000","0.00000000","1534614335.345903"]]},{"b":[["5541.30000","0.40100000","1534614335.345903"],["5540.00000","1","1534614335.4"],["5539.00000","1","1534614335.4"]],"c":"369089574"},"book-2","XBT/USD"]"#
        )
        #expect(books.shown("XBT/USD") == "5541.30000@0.40100000 5541.20000@1.52900000 | 5541.80000@0.33000000")
        #expect(
            books.send(
                #"[1234,{"a":[["5542.50000","0.40100000","1534614248.456738","r"]],"c":"974942666"},"book-2","XBT/USD"]"#
            )
                == ["checksum XBT/USD"])
        #expect(
            books.request() == [
                #"{"event":"unsubscribe","reqid":7,"pair":["XBT/USD"],"subscription":{"name":"book","depth":1000}}"#,
                #"{"event":"subscribe","reqid":7,"pair":["XBT/USD"],"subscription":{"name":"book","depth":1000}}"#,
            ])
    }

    @Test("Bitstamp: changes after the whole book's time, of which the same moment may have several")
    func bitstamp() {
        func change(_ time: Int, bids: String) -> String {
            #"{"data":{"timestamp":"1641343697","microtimestamp":"\#(time)","bids":[\#(bids)],"asks":[["3800.1","0.00000000"]]},"channel":"diff_order_book_ethusd","event":"data"}"#
        }
        var books = FollowedBooks("bitstamp", ["ethusd"])
        #expect(books.send(change(100, bids: #"["3700.0","1.00000000"]"#)) == [])
        books.send(change(120, bids: #"["3701.0","2.00000000"]"#))
        #expect(books.wait(1) == ["fetch ethusd"])
        let whole =
            #"{"timestamp":"1","microtimestamp":"110","bids":[["3699.0","5"],["3700.0","7"]],"asks":[["3800.1","1"],["3805.0","1"]]}"#
        #expect(books.fetched("ethusd", whole) == ["live ethusd"])
        #expect(books.shown("ethusd") == "3701.0@2.00000000 3700.0@7 3699.0@5 | 3805.0@1")
        books.send(change(120, bids: #"["3701.0","0.00000000"]"#))
        books.send(change(110, bids: #"["3702.0","1"]"#))
        #expect(books.shown("ethusd", levels: 1) == "3700.0@7 | 3805.0@1")
        #expect(books.adapter.bookSnapshotRequest("ethusd") == "/api/v2/order_book/ethusd/?group=1")
        #expect(
            books.adapter.bookRequests(.subscribe, ["ethusd"], number: 1, channel: nil)
                == [#"{"event":"bts:subscribe","data":{"channel":"diff_order_book_ethusd"}}"#])
    }

    @Test("Gemini: the first message has the whole book and trades, equal changes are changes")
    func gemini() {
        var books = FollowedBooks("gemini", ["BTCUSD"])
        #expect(
            books.send(
                #"{"type":"l2_updates","symbol":"BTCUSD","changes":[["buy","9122.04","0.00121425"],["sell","9122.07","0.98942292"]],"trades":[],"auction_events":[]}"#
            )
                == ["live BTCUSD"])
        for _ in 0..<2 {
            #expect(
                books.send(
                    #"{"type":"l2_updates","symbol":"BTCUSD","changes":[["buy","9122.04","0"],["buy","9121","3.5"]]}"#)
                    == [])
            #expect(books.shown("BTCUSD") == "9121@3.5 | 9122.07@0.98942292")
        }
    }

    @Test("Bitfinex: levels with their numbers of orders, and a checksum behind them, of numbers as they were written")
    func bitfinex() {
        var books = FollowedBooks("bitfinex", ["tXRPBTC"])
        books.send(#"{"event":"conf","status":"OK","flags":131072}"#)
        books.send(
            #"{"event":"subscribed","channel":"book","chanId":81757,"symbol":"tXRPBTC","prec":"P0","freq":"F0","len":"25","pair":"XRPBTC"}"#
        )
        #expect(
            books.send("[81757,[[0.000001,2,21000],[7e-7,1,10000],[0.00000111,1,-4847.13],[0.0000013,1,-5000]]]") == [
                "live tXRPBTC"
            ])
        #expect(books.send("[81757,[0.00000111,0,-1]]") == [] && books.send("[81757,[6.6e-7,1,2.5]]") == [])
        #expect(books.shown("tXRPBTC") == "0.000001@21000 7e-7@10000 6.6e-7@2.5 | 0.0000013@5000")
        // CRC-32 of 0.000001:21000:0.0000013:-5000:7e-7:10000:6.6e-7:2.5
        #expect(books.send(#"[81757,"cs",\#(Self.sum("0.000001:21000:0.0000013:-5000:7e-7:10000:6.6e-7:2.5"))]"#) == [])
        #expect(books.counts.checksums == 1 && books.send(#"[81757,"hb"]"#) == [])
        #expect(books.send(#"[81757,"cs",-1]"#) == ["checksum tXRPBTC"])
        #expect(
            books.request() == [
                #"{"event":"unsubscribe","chanId":81757}"#, #"{"event":"conf","flags":131072}"#,
                #"{"event":"subscribe","channel":"book","symbol":"tXRPBTC","prec":"P0","freq":"F0","len":"250"}"#,
            ])
    }

    @Test("Bitfinex, order by order: a level is the sum of its orders, and the checksum has their numbers")
    func bitfinexOrders() {
        var books = FollowedBooks("bitfinex", ["tBTCUSD"])
        books.send(
            #"{"event":"subscribed","channel":"book","chanId":7,"symbol":"tBTCUSD","prec":"R0","freq":"F0","len":"25","pair":"BTCUSD"}"#
        )
        #expect(
            books.send("[7,[[34006738527,8744.9,0.25],[34005000001,8744.9,0.5],[34006739999,8746,-1]]]") == [
                "live tBTCUSD"
            ])
        #expect(books.shown("tBTCUSD") == "8744.9@0.75 | 8746@1")
        books.send("[7,[34005000001,0,1]]")
        books.send("[7,[34006740001,8745.5,-2.5]]")
        #expect(books.shown("tBTCUSD") == "8744.9@0.25 | 8745.5@2.5 8746@1")
        #expect(books.send(#"[7,"cs",\#(Self.sum("34006738527:0.25:34006740001:-2.5:34006739999:-1"))]"#) == [])
        #expect(books.counts.checksums == 1)
    }

    /// A signed CRC-32.
    private static func sum(_ text: String) -> Int32 {
        var sum = CRC32()
        for byte in text.utf8 { sum.add(byte) }
        return Int32(bitPattern: sum.value)
    }

    @Test("Bybit: steps of one; a whole book at any time, and the number 1, begin anew")
    func bybit() {
        func message(_ type: String, _ number: Int, bids: String, asks: String = "") -> String {
            #"{"topic":"orderbook.200.BTCUSDT","type":"\#(type)","ts":1672304484978,"data":{"s":"BTCUSDT","b":[\#(bids)],"a":[\#(asks)],"u":\#(number),"seq":7961638724},"cts":1672304484976}"#
        }
        var books = FollowedBooks("bybit", ["BTCUSDT"])
        #expect(
            books.send(message("snapshot", 5, bids: #"["16493.50","0.006"]"#, asks: #"["16611.00","0.029"]"#)) == [
                "live BTCUSDT"
            ])
        books.send(message("delta", 6, bids: #"["16493.50","0"],["16493.00","0.100"]"#))
        #expect(books.shown("BTCUSDT") == "16493.00@0.100 | 16611.00@0.029")
        #expect(
            books.send(message("delta", 1, bids: #"["16000","1"]"#)) == [] && books.shown("BTCUSDT") == "16000@1 | ")
        #expect(books.send(message("delta", 2, bids: "", asks: #"["16001","2"]"#)) == [])
        #expect(
            books.send(message("snapshot", 9, bids: #"["15000","1"]"#)) == [] && books.shown("BTCUSDT") == "15000@1 | ")
        #expect(books.send(message("delta", 11, bids: "")) == ["gap BTCUSDT"])
    }

    @Test("OKX: changes that name the one before them, a signed checksum, and none where it is zero")
    func okx() {
        func message(
            _ action: String, _ previous: Int, _ number: Int, bids: String, asks: String = "", _ checksum: Int32
        ) -> String {
            #"{"arg":{"channel":"books","instId":"BTC-USDT"},"action":"\#(action)","data":[{"asks":[\#(asks)],"bids":[\#(bids)],"ts":"1597026383085","checksum":\#(checksum),"prevSeqId":\#(previous),"seqId":\#(number)}]}"#
        }
        var books = FollowedBooks("okx", ["BTC-USDT"])
        let first = message(
            "snapshot", -1, 123, bids: #"["8476.97","256","0","12"]"#,
            asks: #"["8476.98","415","0","13"],["8477","7","0","2"]"#,
            Self.sum("8476.97:256:8476.98:415:8477:7"))
        #expect(books.send(first) == ["live BTC-USDT"])
        let change = message(
            "update", 123, 130, bids: #"["8475.3","1","0","1"]"#, asks: #"["8476.98","0","0","0"]"#,
            Self.sum("8476.97:256:8477:7:8475.3:1"))
        #expect(books.send(change) == [] && books.counts.checksums == 2)
        #expect(books.send(message("update", 130, 130, bids: "", 0)) == [], "nothing happened for a minute")
        #expect(books.send(message("update", 130, 3, bids: #"["8476.97","1","0","1"]"#, 0)) == [], "numbered anew")
        #expect(books.shown("BTC-USDT") == "8476.97@1 8475.3@1 | 8477@7")
        #expect(books.send(message("update", 3, 5, bids: "", 12345)) == ["checksum BTC-USDT"])
        #expect(
            (FeedCatalogue.adapter(named: "okx-all") as? any BookAdapter)?.bookRules == nil, "another address has them")
    }

    @Test("Intrinio: the best price of a side at a time, not shown while they cross")
    func intrinio() {
        func quote(_ type: String, _ price: String, _ size: String) -> String {
            #"{"topic":"iex:securities:GE","event":"quote","payload":{"type":"\#(type)","timestamp":1493409509.3932788,"ticker":"GE","size":\#(size),"price":\#(price)},"ref":null}"#
        }
        var books = FollowedBooks("intrinio", ["GE"])
        #expect(books.send(quote("ask", "28.97", "13750")) == ["live GE"])
        books.send(quote("bid", "28.96", "500"))
        #expect(books.shown("GE") == "28.96@500 | 28.97@13750")
        books.send(quote("last", "28.97", "100"))
        #expect(books.send(quote("bid", "28.98", "200")) == ["crossed GE"] && books.shown("GE") == nil)
        #expect(books.send(quote("ask", "28.99", "300")) == ["live GE"])
        #expect(books.shown("GE") == "28.98@200 | 28.99@300" && books.request() == [])
        books.send(quote("ask", "0", "0"))
        #expect(books.shown("GE") == "28.98@200 | ")
    }

    @Test("Intrinio's binary stream: quotes among trades, prices as the shortest decimals of their floats")
    func intrinioEquities() throws {
        var books = FollowedBooks("intrinio-equities", ["AAPL"])
        let items = [
            IntrinioEquitiesTests.item(type: 2, "AAPL", 28.97, size: 300),
            IntrinioEquitiesTests.item("AAPL", 28.98, size: 5),
            IntrinioEquitiesTests.item(type: 1, "AAPL", 29, size: 1200),
        ]
        let message = [UInt8(items.count)] + items.flatMap { $0 }
        #expect(message.withUnsafeBytes { books.send($0) } == ["live AAPL"])
        #expect(books.shown("AAPL") == "28.97@300 | 29@1200")
    }
}
