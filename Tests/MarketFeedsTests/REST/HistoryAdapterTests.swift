import Foundation
import MarketModel
import Testing

@testable import MarketFeeds

@Suite("A venue's history")
struct HistoryAdapterTests {
    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    static func adapter(_ venue: Venue) throws -> any HistoryAdapter {
        try #require(HistoryCatalogue.adapter(for: venue))
    }
    /// 2024-08-08 00:00:00 UTC.
    static let start = 1_723_075_200.0

    @Test(
        "is requested in the venue's own terms",
        arguments: [
            (
                Venue.coinbase, "BTC-USD",
                "/products/BTC-USD/candles?granularity=60&start=2024-08-08T00:00:00Z&end=2024-08-08T05:00:00Z"
            ),
            (
                .coinbaseAdvanced, "BTC-USD",
                "/api/v3/brokerage/market/products/BTC-USD/candles?start=1723075200&end=1723093200"
                    + "&granularity=ONE_MINUTE&limit=300"
            ),
            (
                .binance, "btcusdt",
                "/api/v3/klines?symbol=BTCUSDT&interval=1m&startTime=1723075200000&endTime=1723093199999&limit=1000"
            ),
            (.kraken, "BTC/USD", "/0/public/OHLC?pair=XBTUSD&interval=1&since=1723075140"),
            (.kraken, "ETH/DOGE", "/0/public/OHLC?pair=ETHXDG&interval=1&since=1723075140"),
            (.bitstamp, "btcusd", "/api/v2/ohlc/btcusd/?step=60&limit=1000&start=1723075200&end=1723093200"),
            (
                .bitfinex, "tBTCUSD",
                "/v2/candles/trade:1m:tBTCUSD/hist?sort=1&limit=5000&start=1723075200000&end=1723093199999"
            ),
            (
                .bybit, "BTCUSDT",
                "/v5/market/kline?category=spot&symbol=BTCUSDT&interval=1&start=1723075200000&end=1723093199999"
                    + "&limit=1000"
            ),
            (
                .candlewire, "BTC/USD",
                "/v1/candles?symbol=BTC%2FUSD&timeframe=1m&limit=1000&from=1723075200&to=1723093199"
            ),
        ])
    func requests(venue: Venue, symbol: String, expected: String) throws {
        let request = try Self.adapter(venue).request(
            symbol: symbol, timeframe: .m1, from: Self.start, to: Self.start + 300 * 60)
        #expect(request == expected)
    }

    @Test("each feed's history is found by the feed's name, Binance.US' at its own address and in its own name")
    func feedNames() throws {
        #expect(
            HistoryCatalogue.names.sorted()
                == (FeedCatalogue.adapters.map(\.name).filter { $0 != "gemini" } + ["candlewire"]).sorted())
        let us = try #require(HistoryCatalogue.adapter(named: "binance-us"))
        #expect(us.endpoint == "https://api.binance.us" && us.name == "binance-us")
        #expect(
            us.request(symbol: "BTCUSD", timeframe: .m1, from: Self.start, to: Self.start + 60)
                == HistoryCatalogue.adapter(named: "binance")?.request(
                    symbol: "BTCUSD", timeframe: .m1, from: Self.start, to: Self.start + 60))
        let error = #expect(throws: HistoryError.self) { try us.candles(from: Self.bytes("{}")) }
        #expect(error?.description.hasPrefix("The answer of binance-us is not a valid list of klines") == true)
        #expect(try Venue(named: "binance-us") == .binance, "its messages are Binance's")
        #expect(Venue.allowedNames.hasSuffix("binance-us, binance-aggregates, okx-all"))
        #expect(throws: FeedError.self) { try Venue(named: "nasdaq") }
    }

    @Test("no symbol leaves its place in the address")
    func encoding() throws {
        for venue in HistoryCatalogue.venues {
            let request = try Self.adapter(venue).request(
                symbol: "A/B?x=1&y#z \r\n%é", timeframe: .m1, from: Self.start, to: Self.start + 60)
            #expect(request.utf8.allSatisfy { $0 > 32 && $0 < 127 })
            #expect(!request.contains("x=1") && !request.contains("#"))
        }
    }

    /// open 10, high 14, low 9, close 12, volume 3 at `start`, in each venue's own row.
    static let samples: [(Venue, String)] = [
        (Venue.coinbase, "[[1723075200, 9, 14, 10, 12, 3]]"),
        (
            .coinbaseAdvanced,
            #"{"candles":[{"start":"1723075200","low":"9","high":"14","open":"10","close":"12","volume":"3"}]}"#
        ),
        (
            .binance,
            #"[[1723075200000,"10","14","9","12","3",1723075259999,"36",5,"1","1","0"]]"#
        ),
        (
            .kraken,
            #"{"error":[],"result":{"XXBTZUSD":[[1723075200,"10","14","9","12","11.5","3",5]],"last":1723075200}}"#
        ),
        (
            .bitstamp,
            #"{"data":{"pair":"BTC/USD","ohlc":[{"high":"14","timestamp":"1723075200","volume":"3","low":"9","close":"12","open":"10"}]}}"#
        ),
        (.bitfinex, "[[1723075200000,10,12,14,9,3]]"),
        (
            .bybit,
            #"{"retCode":0,"retMsg":"OK","result":{"symbol":"X","list":[["1723075200000","10","14","9","12","3","36"]]}}"#
        ),
        (.candlewire, #"[{"timestamp":1723075200,"open":10,"high":14,"low":9,"close":12,"volume":3,"x":{}}]"#),
    ]

    @Test("is read in the venue's order of columns", arguments: samples)
    func columns(venue: Venue, body: String) throws {
        let rows = try Self.adapter(venue).candles(from: Self.bytes(body))
        let expected = Candle(timestamp: Self.start, open: 10, high: 14, low: 9, close: 12, volume: 3)
        #expect(rows.map(\.candle) == [expected])
        #expect(rows.map(\.isRunning) == [false])
        if venue == .binance || venue == .kraken { #expect(rows.first?.trades == 5) }
    }

    @Test("is damaged without a crash, and says whose answer it is", arguments: HistoryCatalogue.venues)
    func damaged(venue: Venue) throws {
        let adapter = try Self.adapter(venue)
        let bodies = [
            "", "{", "null", "[", "[[]]", "[[1]]", "[{}]", "{\"candles\":[{}]}", "{\"result\":{\"X\":[[1,2]]}}",
            "<html>",
            "{\"data\":{\"ohlc\":[{\"open\":1}]}}", "{\"retCode\":0,\"result\":{\"list\":[[]]}}",
            "[[\"a\",1,1,1,1,1,1,1,1]]",
            String(repeating: "[", count: 5000), "{\"error\":\"no\"}",
        ]
        for body in bodies {
            for read in [
                { try _ = adapter.candles(from: Self.bytes(body)) },
                { try _ = adapter.symbols(from: Self.bytes(body)) },
            ] as [() throws -> Void] {
                do { try read() } catch let error as HistoryError {
                    #expect(error.description.contains(venue.rawValue), "\(body)")
                }
            }
            _ = adapter.errorMessage(in: Self.bytes(body))
        }
    }

    @Test("is cut and changed at random without a crash, and gives no candle that is not finite", arguments: samples)
    func mutated(venue: Venue, body: String) throws {
        let adapter = try Self.adapter(venue)
        let sample = Self.bytes(body)
        var random = SeededGenerator(seed: 20_240_808)
        var refused = 0
        for _ in 0..<3000 {
            var mutant = sample
            switch random.next() % 4 {
            case 0: mutant.removeLast(Int(random.next() % UInt64(mutant.count)))
            case 1: mutant[Int(random.next() % UInt64(mutant.count))] = UInt8(truncatingIfNeeded: random.next())
            case 2: mutant.remove(at: Int(random.next() % UInt64(mutant.count)))
            default:
                let at = Int(random.next() % UInt64(mutant.count))
                mutant.insert(contentsOf: "9e[{,:\"".utf8.shuffled(using: &random), at: at)
            }
            do throws(HistoryError) {
                for row in try adapter.candles(from: mutant) { #expect(row.candle.volume.isFinite) }
            } catch {
                refused += 1
                #expect(!error.description.isEmpty)
            }
            _ = try? adapter.symbols(from: mutant)
            _ = adapter.errorMessage(in: mutant)
        }
        #expect(refused > 500)
    }

    @Test("Kraken refuses with status 200, Bybit and Bitfinex too")
    func refusals() throws {
        for (venue, body, kind, words) in [
            (
                Venue.kraken, #"{"error":["EQuery:Unknown asset pair"]}"#, HistoryError.Kind.refused,
                "Unknown asset pair"
            ),
            (.kraken, #"{"error":["EAPI:Rate limit exceeded"]}"#, .rateLimitExceeded, "Rate limit"),
            (.kraken, #"{"error":["EService:Busy"]}"#, .unreachable, "EService:Busy"),
            (.bybit, #"{"retCode":10001,"retMsg":"Not supported symbols","result":{}}"#, .refused, "Not supported"),
            (.bitfinex, #"["error",10020,"symbol: invalid"]"#, .refused, "symbol: invalid"),
        ] {
            let adapter = try Self.adapter(venue)
            let error = #expect(throws: HistoryError.self) { try adapter.candles(from: Self.bytes(body)) }
            #expect(error?.kind == kind)
            #expect(error?.description.contains(words) == true)
        }
    }

    @Test("a venue's words do nothing to a terminal, and end")
    func words() throws {
        let long = String(repeating: "x", count: 5000)
        for (venue, body) in [
            (Venue.coinbase, #"{"message":"\u001b[2J\r\n\u0000no \#(long)"}"#),
            (.candlewire, #"{"error":{"code":"a","message":"\u001b[2J\r\n\u0000no \#(long)"}}"#),
            (.bitfinex, #"["error",1,"\u001b[2J\r\n\u0000no \#(long)"]"#),
        ] {
            let said = try Self.adapter(venue).errorMessage(in: Self.bytes(body))
            #expect(said?.hasPrefix("[2Jno x") == true && said?.count == 200)
        }
        let kraken = #expect(throws: HistoryError.self) {
            try Self.adapter(.kraken).candles(from: Self.bytes(#"{"error":["\u001b[2J\#(long)"]}"#))
        }
        #expect(kraken?.description.contains("\u{1B}") == false && (kraken?.description.count ?? 0) < 300)
    }

    @Test(
        "a list of markets has each with its currencies, digits and state",
        arguments: [
            (
                Venue.coinbase,
                #"[{"id":"SKL-EUR","base_currency":"SKL","quote_currency":"EUR","quote_increment":"0.0001","status":"online"}]"#,
                VenueSymbol(symbol: "SKL-EUR", base: "SKL", quote: "EUR", precision: 4, status: "online")
            ),
            (
                .coinbaseAdvanced,
                #"{"products":[{"product_id":"BTC-USD","base_currency_id":"BTC","quote_currency_id":"USD","price_increment":"0.01","status":"online"}]}"#,
                VenueSymbol(symbol: "BTC-USD", base: "BTC", quote: "USD", precision: 2, status: "online")
            ),
            (
                .binance,
                #"{"timezone":"UTC","symbols":[{"symbol":"ETHBTC","status":"TRADING","baseAsset":"ETH","quoteAsset":"BTC","filters":[{"filterType":"PRICE_FILTER","tickSize":"0.00001000"},{"filterType":"LOT_SIZE","stepSize":"0.1"}]}]}"#,
                VenueSymbol(symbol: "ETHBTC", base: "ETH", quote: "BTC", precision: 5, status: "TRADING")
            ),
            (
                .kraken,
                #"{"error":[],"result":{"XXBTZUSD":{"altname":"XBTUSD","wsname":"XBT\/USD","pair_decimals":1,"status":"online"},"DARK":{"altname":"X"}}}"#,
                VenueSymbol(symbol: "BTC/USD", base: "BTC", quote: "USD", precision: 1, status: "online")
            ),
            (
                .bybit,
                #"{"retCode":0,"retMsg":"OK","result":{"list":[{"symbol":"BTCUSDT","baseCoin":"BTC","quoteCoin":"USDT","status":"Trading","priceFilter":{"tickSize":"0.01"}}]}}"#,
                VenueSymbol(symbol: "BTCUSDT", base: "BTC", quote: "USDT", precision: 2, status: "Trading")
            ),
            (
                .candlewire, #"{"markets":[{"symbol":"BTC-USD","base":"BTC","quote":"USD","precision":2,"price":1}]}"#,
                VenueSymbol(symbol: "BTC-USD", base: "BTC", quote: "USD", precision: 2, status: "")
            ),
        ])
    func directories(venue: Venue, body: String, expected: VenueSymbol) throws {
        #expect(try Self.adapter(venue).symbols(from: Self.bytes(body)) == [expected])
    }

    // MARK: Recorded answers

    @Test(
        "Kraken's recorded answer: 720 finished minutes, those without trades as rows, and one that runs",
        .enabled(if: SharedData.isPresent, "no ../shared/data"))
    func recordedKraken() throws {
        let body = try Self.unpacked("ohlcv/kraken_rest_ohlc_xbtusdt.json.gz")
        let rows = try Self.adapter(.kraken).candles(from: body)
        #expect(rows.count == 721)
        #expect(rows.filter(\.isRunning).map(\.candle.timestamp) == [1_762_820_220])
        #expect(rows.filter(\.isFiller).count == 216)
        #expect(rows.first?.candle.open == 106_038.2)
        #expect(zip(rows, rows.dropFirst()).allSatisfy { $1.candle.timestamp - $0.candle.timestamp == 60 })
    }

    @Test(
        "Coinbase's recorded answers: candles of nine years as texts, and the list of products",
        .enabled(if: SharedData.isPresent, "no ../shared/data"))
    func recordedCoinbase() throws {
        let body = try Self.unpacked("ohlcv/coinbase_btcusd_4h_2016-2025.json.gz")
        let rows = try Self.adapter(.coinbaseAdvanced).candles(from: body)
        #expect(rows.count == 20_695)
        #expect(
            rows.first?.candle
                == Candle(
                    timestamp: 1_463_544_000, open: 456.16, high: 456.81, low: 455.3, close: 456.02,
                    volume: 561.880_983_07))
        #expect(rows.allSatisfy { $0.candle.isWellFormed })
        let products = try Self.recordedBody("coinbase_exchange_ws-feed_6products_2021-04-17")
        let symbols = try Self.adapter(.coinbase).symbols(from: products)
        #expect(
            symbols.contains(VenueSymbol(symbol: "SKL-EUR", base: "SKL", quote: "EUR", precision: 4, status: "online")))
        #expect(symbols.allSatisfy { $0.symbol == "\($0.base)-\($0.quote)" && $0.precision != nil })
        let pairs = try Self.recordedBody("kraken_v1_ticker_10pairs_2021-04-17")
        let first = try Self.adapter(.krakenArrays).symbols(from: pairs)
        #expect(first.contains { $0.symbol == "XBT/USD" })
        let second = try Self.adapter(.kraken).symbols(from: pairs)
        #expect(second.contains { $0.symbol == "BTC/USD" && $0.precision == 1 } && second.count == first.count)
    }

    private static func unpacked(_ name: String) throws -> [UInt8] {
        let packed = try Data(contentsOf: URL(fileURLWithPath: "\(SharedData.folder)/\(name)"))
        var body: [UInt8] = []
        try GunzipStream().unpack(Array(packed)) { body += $0 }
        return body
    }

    /// The first body of a session's REST answers.
    private static func recordedBody(_ name: String) throws -> [UInt8] {
        let lines = try unpacked("recordings/\(name).http.jsonl.gz").split(separator: 10)
        let line = try #require(lines.first)
        let key = Array("\"body\":".utf8)
        let at = try #require(line.indices.first { line[$0...].starts(with: key) })
        return Array(line[(at + key.count)...].dropLast())
    }
}
