import MarketModel
import StreamCore
import Testing

@testable import MarketFeeds

/// What happens to a book that may be wrong: it is reported, withheld, requested again, and right again.
@Suite("Faults of order books")
struct BookSessionTests {
    private static func bybit(_ type: String, _ number: Int, bids: String, asks: String = "") -> String {
        #"{"topic":"orderbook.200.BTCUSDT","type":"\#(type)","ts":1672304484978,"data":{"s":"BTCUSDT","b":[\#(bids)],"a":[\#(asks)],"u":\#(number),"seq":7}}"#
    }

    private static func binance(_ first: Int, _ last: Int, bids: String = "", asks: String = "") -> String {
        #"{"e":"depthUpdate","E":1672515782136,"s":"BTCUSDT","U":\#(first),"u":\#(last),"b":[\#(bids)],"a":[\#(asks)]}"#
    }

    private static func whole(_ number: Int, bids: String = #"["10","1"]"#, asks: String = #"["11","1"]"#) -> String {
        #"{"lastUpdateId":\#(number),"bids":[\#(bids)],"asks":[\#(asks)]}"#
    }

    private static let subscribe = #"{"req_id":"7","op":"subscribe","args":["orderbook.200.BTCUSDT"]}"#
    private static let unsubscribe = #"{"req_id":"7","op":"unsubscribe","args":["orderbook.200.BTCUSDT"]}"#

    @Test("a gap withholds a book at once; it is ended and requested again, and right with the next whole one")
    func gap() {
        var books = FollowedBooks("bybit", ["BTCUSDT"])
        books.send(Self.bybit("snapshot", 5, bids: #"["10","1"]"#, asks: #"["11","1"]"#))
        #expect(books.send(Self.bybit("delta", 7, bids: #"["10","2"]"#)) == ["gap BTCUSDT"])
        #expect(books.shown("BTCUSDT") == nil && !books.books.isLive(0))
        #expect(books.send(Self.bybit("delta", 8, bids: #"["10","3"]"#)) == [], "changes of a book that was given up")
        #expect(books.send(Self.bybit("snapshot", 9, bids: #"["10","3"]"#)) == [], "it is not known what it begins")
        #expect(books.request() == [Self.unsubscribe, Self.subscribe])
        #expect(books.send(Self.bybit("delta", 10, bids: #"["10","3"]"#)) == [] && books.shown("BTCUSDT") == nil)
        #expect(books.send(Self.bybit("snapshot", 20, bids: #"["10.5","4"]"#)) == ["live BTCUSDT"])
        #expect(books.shown("BTCUSDT") == "10.5@4 | ")
        #expect(books.counts.faults == [.gap: 1])
    }

    @Test("crossed prices and what cannot be read withhold a book, too")
    func crossedAndUnreadable() {
        var books = FollowedBooks("coinbase", ["A-B", "C-D"])
        for symbol in ["A-B", "C-D"] {
            books.send(#"{"type":"snapshot","product_id":"\#(symbol)","bids":[["10","1"]],"asks":[["11","1"]]}"#)
        }
        func change(_ symbol: String, _ change: String) -> String {
            #"{"type":"l2update","product_id":"\#(symbol)","changes":[\#(change)],"time":"2021-04-17T16:43:37.0Z"}"#
        }
        #expect(books.send(change("A-B", #"["buy","11.0","5"]"#)) == ["crossed A-B"])
        #expect(books.shown("A-B") == nil && books.shown("C-D") == "10@1 | 11@1", "others are as they were")
        #expect(books.send(change("C-D", #"["buy","x","5"]"#)) == ["unreadable C-D"], "it may have been of any of them")
        books.request()
        books.send(#"{"type":"snapshot","product_id":"C-D","bids":[["10","1"]],"asks":[["11","1"]]}"#)
        #expect(
            books.send(#"{"type":"l2upd"#) == ["unreadable C-D"], "not even JSON, and nothing would show what it was")
        #expect(books.send(#"{"type":"snapshot","product_id":"E-F","bids":[["10","1"]],"asks":[["11","1"]]}"#) == [])
        #expect(books.counts.faults == [.crossed: 1, .unreadable: 2])
    }

    @Test("a level whose size is below zero, or whose price cannot be compared, is a fault and not a trap")
    func impossibleLevels() {
        for level in [#"["9","-1"]"#, #"["0.0000000000000000001","1"]"#, #"["9000000000000000000","1"],["0.001","1"]"#]
        {
            var books = FollowedBooks("bybit", ["BTCUSDT"])
            books.send(Self.bybit("snapshot", 5, bids: #"["10","1"]"#))
            #expect(books.send(Self.bybit("delta", 6, bids: level)) == ["unreadable BTCUSDT"], "\(level)")
        }
    }

    @Test("pauses between attempts grow up to a minute, and begin anew after a minute without a fault")
    func pauses() {
        var books = FollowedBooks("bybit", ["BTCUSDT"])
        var waits: [Double] = []
        func fail() {
            books.send(Self.bybit("snapshot", 5, bids: #"["10","1"]"#))
            books.send(Self.bybit("delta", 9, bids: ""))
            let start = books.now
            while books.request().isEmpty { books.now += 0.5 }
            waits.append(books.now - start)
        }
        for _ in 0..<9 { fail() }
        #expect(waits == [0, 1, 2, 4, 8, 16, 32, 60, 60])
        books.send(Self.bybit("snapshot", 5, bids: #"["10","1"]"#))
        books.now += 61
        waits = []
        fail()
        #expect(waits == [0])
    }

    @Test("a book that does not come is requested again")
    func silent() {
        var books = FollowedBooks("bybit", ["BTCUSDT"])
        #expect(books.wait(9.9) == [] && books.wait(0.2) == ["silent BTCUSDT"])
        #expect(books.request() == [Self.unsubscribe, Self.subscribe])
        var quiet = FollowedBooks("binance", ["BTCUSDT"])
        #expect(quiet.wait(59) == [] && quiet.wait(600) == ["silent BTCUSDT"] && quiet.request() == [])
        #expect(quiet.send(Self.binance(1, 5)) == ["fetch BTCUSDT"], "a market may be quiet")
    }

    @Test("a whole book that is older than the changes is fetched again, and one that cannot be fetched after a pause")
    func olderSnapshot() {
        var books = FollowedBooks("binance", ["BTCUSDT"])
        #expect(books.send(Self.binance(200, 205)) == ["fetch BTCUSDT"])
        #expect(books.fetched("BTCUSDT", Self.whole(150)) == ["snapshot BTCUSDT"] && books.shown("BTCUSDT") == nil)
        #expect(books.wait(0.9) == [] && books.wait(0.2) == ["fetch BTCUSDT"])
        #expect(books.fetched("BTCUSDT", nil) == ["snapshot BTCUSDT"])
        #expect(books.fetched("BTCUSDT", Self.whole(204)) == [], "of a request that is over")
        #expect(books.wait(2) == ["fetch BTCUSDT"])
        #expect(books.fetched("BTCUSDT", #"{"code":-1121,"msg":"Invalid symbol."}"#) == ["snapshot BTCUSDT"])
        books.send(Self.binance(206, 207, bids: #"["10.5","2"]"#))
        #expect(books.wait(4) == ["fetch BTCUSDT"])
        #expect(books.fetched("BTCUSDT", Self.whole(204)) == ["live BTCUSDT"])
        #expect(books.shown("BTCUSDT") == "10.5@2 10@1 | 11@1")
    }

    @Test("a gap in changes that need a whole book fetches that again; the subscription goes on")
    func refetch() {
        var books = FollowedBooks("binance", ["BTCUSDT"])
        books.send(Self.binance(1, 5))
        books.fetched("BTCUSDT", Self.whole(5))
        #expect(books.send(Self.binance(8, 9, bids: #"["10.2","3"]"#)) == ["gap BTCUSDT", "fetch BTCUSDT"])
        #expect(books.request() == [] && books.shown("BTCUSDT") == nil)
        #expect(books.fetched("BTCUSDT", Self.whole(8)) == ["live BTCUSDT"], "the change that showed the gap was kept")
        #expect(books.shown("BTCUSDT") == "10.2@3 10@1 | 11@1")
        #expect(books.send(Self.binance(10, 12, asks: #"["10","1"]"#)) == ["crossed BTCUSDT"])
        #expect(books.wait(1) == ["fetch BTCUSDT"])
        #expect(books.send(Self.binance(13, 14)) == [] && books.wait(30) == ["snapshot BTCUSDT"], "never answered")
    }

    @Test("changes that gather for a whole book that does not come are bounded")
    func overflow() {
        var books = FollowedBooks("binance", ["BTCUSDT"])
        books.send(Self.binance(1, 1))
        var events: [String] = []
        for number in 2...(BookSession.maxWaitingMessages + 2) { events += books.send(Self.binance(number, number)) }
        #expect(events.first == "overflow BTCUSDT" && books.books.markets[0].waiting.messages.count < 10)
    }

    @Test("a lost connection withholds its books; on the next one they are requested and right again")
    func lost() {
        var books = FollowedBooks("bybit", ["BTCUSDT"])
        books.send(Self.bybit("snapshot", 5, bids: #"["10","1"]"#))
        #expect(books.lose() == ["interrupted BTCUSDT"] && books.shown("BTCUSDT") == nil)
        #expect(books.send(Self.bybit("delta", 6, bids: "")) == [], "of a connection on which nothing was requested")
        #expect(books.request() == [Self.subscribe])
        #expect(books.send(Self.bybit("snapshot", 1, bids: #"["9","1"]"#)) == ["live BTCUSDT"])
        var fetching = FollowedBooks("binance", ["BTCUSDT"])
        fetching.send(Self.binance(1, 5))
        #expect(fetching.lose() == [])
        #expect(fetching.fetched("BTCUSDT", Self.whole(5)) == [], "what it was for is gone")
    }

    @Test(
        "whatever is lost, repeated or damaged, a book that is shown is that of the venue",
        arguments: 1...30)
    func faultyStream(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var books = FollowedBooks("bybit", ["BTCUSDT"])
        var venue = OrderBook()
        var number = 1
        func text(_ side: BookSide) -> String {
            (0..<300).compactMap { venue.level(side, $0) }.map { #"["\#($0.price)","\#($0.size)"]"# }.joined(
                separator: ",")
        }
        func words() -> String {
            BookSide.allCases.map { side in
                (0..<300).compactMap { venue.level(side, $0) }.map { "\($0.price)@\($0.size)" }.joined(separator: " ")
            }.joined(separator: " | ")
        }
        books.send(Self.bybit("snapshot", 100, bids: text(.bid), asks: text(.ask)))
        number = 100
        var shown = 0
        for _ in 0..<600 {
            let side: BookSide = Bool.random(using: &generator) ? .bid : .ask
            let price =
                side == .bid
                ? Int.random(in: 900..<1000, using: &generator) : Int.random(in: 1000..<1100, using: &generator)
            let size = Int.random(in: 0...3, using: &generator)
            venue.set(
                side, price: BookDecimal(units: Int64(price), decimals: 1),
                size: BookDecimal(units: Int64(size), decimals: 0))
            number += 1
            let row = #"["\#(BookDecimal(units: Int64(price), decimals: 1))","\#(size)"]"#
            let message = Self.bybit("delta", number, bids: side == .bid ? row : "", asks: side == .ask ? row : "")
            switch Int.random(in: 0..<40, using: &generator) {
            case 0: break
            case 1: books.send(String(message.prefix(Int.random(in: 1..<message.count, using: &generator))))
            case 2:
                books.send(message)
                books.send(message)
            case 3: _ = books.lose()
            default: books.send(message)
            }
            books.wait(Double.random(in: 0...1, using: &generator))
            // The venue answers each request with its whole book.
            if books.request().contains(Self.subscribe) {
                books.send(Self.bybit("snapshot", number, bids: text(.bid), asks: text(.ask)))
            }
            if let now = books.shown("BTCUSDT", levels: 300) {
                shown += 1
                // What was lost with the last message is not known before the next one.
                let isBehind = books.books.markets[0].sequence.last != UInt64(number)
                #expect(isBehind || now == words(), "seed \(seed)")
            }
        }
        #expect(shown > 150, "seed \(seed)")
    }
}

@Suite("Damaged messages about order books")
struct DamagedBookTests {
    private static let sessions: [(feed: String, symbol: String, messages: [String])] = [
        (
            "binance", "BTCUSDT",
            [
                #"{"stream":"btcusdt@depth@100ms","data":{"e":"depthUpdate","E":1,"s":"BTCUSDT","U":5,"u":7,"b":[["10","2"]],"a":[["11","0.5"]]}}"#,
                #"{"e":"depthUpdate","E":1,"s":"BTCUSDT","U":8,"u":9,"pu":7,"b":[["10","0"],["9.5","2e-7"]],"a":[]}"#,
            ]
        ),
        (
            "coinbase", "SKL-GBP",
            [
                #"{"type":"snapshot","product_id":"SKL-GBP","asks":[["0.58","10"]],"bids":[["0.57","335.0"]]}"#,
                #"{"type":"l2update","product_id":"SKL-GBP","changes":[["sell","0.575","2"],["buy","0.57","0.00"]],"time":"2021-04-17T16:43:37.078325Z"}"#,
            ]
        ),
        (
            "coinbase-advanced", "BTC-USD",
            [
                #"{"channel":"l2_data","timestamp":"2023-02-09T20:32:50.714964855Z","sequence_num":0,"events":[{"type":"snapshot","product_id":"BTC-USD","updates":[{"side":"bid","event_time":"1970-01-01T00:00:00Z","price_level":"21921.73","new_quantity":"0.06317902"}]}]}"#
            ]
        ),
        (
            "kraken", "BTC/USD",
            [
                #"{"channel":"book","type":"snapshot","data":[{"symbol":"BTC/USD","bids":[{"price":5.10,"qty":1.0}],"asks":[{"price":5.2,"qty":3}],"timestamp":"2022-12-25T09:30:59.123456Z"}]}"#,
                #"{"method":"subscribe","result":{"channel":"book","depth":10,"snapshot":true,"symbol":"BTC/USD"},"success":true}"#,
                #"{"channel":"book","type":"update","data":[{"symbol":"BTC/USD","bids":[{"price":5.15,"qty":1.0}],"asks":[],"checksum":2175437505,"timestamp":"2022-12-25T09:30:59.123456Z"}]}"#,
            ]
        ),
        (
            "kraken-v1", "XBT/USD",
            [
                #"[0,{"as":[["5541.30000","2.50700000","1534614248.123678"]],"bs":[["5541.20000","1.52900000","1534614248.765567"]]},"book-10","XBT/USD"]"#,
                #"[0,{"a":[["5541.30000","0.00000000","1534614335.345903"]]},{"b":[["5541.2","0.4","1534614335.345903","r"]],"c":"974942666"},"book-10","XBT/USD"]"#,
            ]
        ),
        (
            "bitstamp", "ethusd",
            [
                #"{"data":{"timestamp":"1641343697","microtimestamp":"100","bids":[["1","2"]],"asks":[["3800.1","0.00000000"]]},"channel":"diff_order_book_ethusd","event":"data"}"#
            ]
        ),
        (
            "gemini", "BTCUSD",
            [
                #"{"type":"l2_updates","symbol":"BTCUSD","changes":[["buy","9122.04","0.00121425"],["sell","9122.07","0.98942292"]],"trades":[]}"#,
                #"{"type":"l2_updates","symbol":"BTCUSD","changes":[["buy","9122.04","0"]]}"#,
            ]
        ),
        (
            "bitfinex", "tBTCUSD",
            [
                #"{"event":"subscribed","channel":"book","chanId":7,"symbol":"tBTCUSD","prec":"R0","freq":"F0","len":"25"}"#,
                "[7,[[34006738527,8744.9,0.25],[34005000001,8744.9,0.5],[34006739999,8746,-1]]]",
                "[7,[34005000001,0,1]]", #"[7,"cs",-1175357890]"#,
                #"{"event":"subscribed","channel":"book","chanId":8,"symbol":"tBTCUSD","prec":"P0","freq":"F0","len":"25"}"#,
                "[8,[[7e-7,1,10000],[0.00000111,1,-4847.13]]]", "[8,[7e-7,0,1]]",
            ]
        ),
        (
            "bybit", "BTCUSDT",
            [
                #"{"topic":"orderbook.200.BTCUSDT","type":"snapshot","ts":1672304484978,"data":{"s":"BTCUSDT","b":[["10","1"]],"a":[["11","1"]],"u":5,"seq":7}}"#,
                #"{"topic":"orderbook.200.BTCUSDT","type":"delta","ts":1672304484978,"data":{"s":"BTCUSDT","b":[["10","0"]],"a":[],"u":6,"seq":7}}"#,
            ]
        ),
        (
            "okx", "BTC-USDT",
            [
                #"{"arg":{"channel":"books","instId":"BTC-USDT"},"action":"snapshot","data":[{"asks":[["8476.98","415","0","13"]],"bids":[["8476.97","256","0","12"]],"ts":"1597026383085","checksum":0,"prevSeqId":-1,"seqId":123456}]}"#,
                #"{"arg":{"channel":"books","instId":"BTC-USDT"},"action":"update","data":[{"asks":[],"bids":[["8476.97","0","0","0"]],"ts":"1597026383085","checksum":-855196043,"prevSeqId":123456,"seqId":123457}]}"#,
            ]
        ),
        (
            "intrinio", "GE",
            [
                #"{"topic":"iex:securities:GE","event":"quote","payload":{"type":"ask","timestamp":1493409509.3932788,"ticker":"GE","size":13750,"price":28.97},"ref":null}"#
            ]
        ),
    ]

    @Test("nothing crashes, and what is shown is never crossed", arguments: sessions.indices)
    func damaged(_ index: Int) {
        let (feed, symbol, messages) = Self.sessions[index]
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<400 {
            var books = FollowedBooks(feed, [symbol])
            for message in messages + messages {
                var bytes = Array(message.utf8)
                if Bool.random(using: &generator) { MutationTests.damage(&bytes, &generator) }
                bytes.withUnsafeBytes { _ = books.send($0) }
                if !books.fetches.isEmpty {
                    var body = Array(
                        #"{"lastUpdateId":6,"microtimestamp":"101","bids":[["9","1"]],"asks":[["12","2"]]}"#.utf8)
                    if Bool.random(using: &generator) { MutationTests.damage(&body, &generator) }
                    books.fetched(symbol, String(decoding: body, as: UTF8.self))
                }
                books.request()
                books.wait(1)
                let isCrossed = books.books.withBook(0) { $0.isCrossed } ?? false
                #expect(!isCrossed)
            }
        }
    }
}
