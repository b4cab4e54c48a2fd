import Foundation
import MarketModel
import StreamCore
import Testing

@testable import MarketFeeds

/// A book made by other means: decimals in a table, read by Foundation.
private struct PlainBook {
    var sides: [[Decimal: Decimal]] = [[:], [:]]

    mutating func set(_ side: Int, _ price: Any, _ size: Any) throws {
        let (price, size) = (try Self.decimal(price), try Self.decimal(size))
        sides[side][price] = size == 0 ? nil : size
    }

    mutating func set(_ side: Int, rows: Any?) throws {
        for row in rows as? [[Any]] ?? [] { try set(side, row[0], row[1]) }
    }

    static func decimal(_ value: Any) throws -> Decimal { try #require(Decimal(string: "\(value)")) }

    /// Whether a side of a book is this one, level by level.
    func equals(_ side: Int, _ levels: [BookLevel]?) -> Bool {
        guard let levels, levels.count == sides[side].count else { return false }
        return zip(levels, sides[side].sorted { side == 0 ? $0.key > $1.key : $0.key < $1.key }).allSatisfy {
            level, plain in
            Decimal(string: level.price.description) == plain.key
                && Decimal(string: level.size.description) == plain.value
        }
    }
}

/// The books of the recorded sessions, against what the venues themselves say of them in the same session, or against a
/// plain table.
@Suite("Order books of recorded sessions", .enabled(if: SharedData.isPresent, "no ../shared/data"))
struct BookOracleTests {
    private static func object(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    /// What was fetched over HTTP during a session: the last parameter `symbol` of the address, and the body.
    private static func fetched(_ name: String) throws -> [(symbol: String?, body: String)] {
        let path = SharedData.recording(name).replacingOccurrences(of: ".jsonl.gz", with: ".http.jsonl.gz")
        let packed = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let text = String(decoding: try Gzip.unpack(packed, limit: 64 << 20).bytes, as: UTF8.self)
        return try text.split(separator: "\n").map { line in
            let entry = try Self.object(String(line))
            let query = URLComponents(string: entry["url"] as? String ?? "")?.queryItems
            let start = try #require(line.range(of: "\"body\":")).upperBound
            return (query?.first { $0.name == "symbol" }?.value, String(line[start...].dropLast()))
        }
    }

    @Test("Binance's whole book and its changes give the best prices of bookTicker at each update that both have")
    func binance() throws {
        let days = try ["binance_spot_btcusdt_2024-08-08", "binance_spot_btcusdt_2024-08-09"].map {
            try SharedRecording.recording($0).lines
        }
        let snapshot = try Self.fetched("binance_spot_btcusdt_2024-08-08")[0].body
        let compared = try Self.compareWithTickers(days.joined(), "BTCUSDT", snapshot, before: 8)
        #expect(compared.equal == 1072 && compared.common == 1072)
        #expect(compared.books.events == ["fetch BTCUSDT", "live BTCUSDT"], "never a gap, never crossed")
    }

    @Test("Binance's futures follow each other by `pu`, and give the best prices of bookTicker")
    func futures() throws {
        let lines = try SharedRecording.recording("binance_usdm-futures_btcusdt_2024-08-08").lines
        let snapshot = try Self.fetched("binance_usdm-futures_btcusdt_2024-08-08")[0].body
        let compared = try Self.compareWithTickers(lines, "BTCUSDT", snapshot, before: 55)
        #expect(compared.books.events == ["fetch BTCUSDT", "live BTCUSDT"], "never a gap, never crossed")
        #expect(compared.equal == compared.common)
        #expect(compared.common == 629)
    }

    private static func compareWithTickers(
        _ lines: some Sequence<String>, _ symbol: String, _ snapshot: String, before index: Int
    ) throws -> (equal: Int, common: Int, books: FollowedBooks) {
        var books = FollowedBooks("binance", [symbol])
        var tickers: [UInt64: [String]] = [:]
        var shown: [UInt64: String] = [:]
        for (at, line) in lines.enumerated() {
            if at == index - 1 { books.fetched(symbol, snapshot) }
            if line.contains("@bookTicker") {
                let data = try #require(try object(line)["data"] as? [String: Any])
                tickers[try #require((data["u"] as? NSNumber)?.uint64Value)] = ["b", "B", "a", "A"].compactMap {
                    data[$0] as? String
                }
            } else if line.contains("@depth") {
                books.send(line)
                let data = try #require(try object(line)["data"] as? [String: Any])
                let number = try #require((data["u"] as? NSNumber)?.uint64Value)
                shown[number] = books.shown(symbol, levels: 1)
            }
        }
        let common = tickers.filter { shown[$0.key] != nil }
        let equal = common.count { shown[$0.key] == "\($0.value[0])@\($0.value[1]) | \($0.value[2])@\($0.value[3])" }
        return (equal, common.count, books)
    }

    @Test("three of Binance's markets on one connection are each right by their own whole book")
    func threeMarkets() throws {
        let name = "binance_spot_btcusdt-ethusdt-dotusdt_2021-04-04"
        var bodies = try Self.fetched(name)
        let symbols = ["BTCUSDT", "ETHUSDT", "DOTUSDT"]
        var books = FollowedBooks("binance", symbols)
        var plain = Dictionary(uniqueKeysWithValues: symbols.map { ($0, PlainBook()) })
        var starts: [String: UInt64] = [:]
        for line in try SharedRecording.recording(name).lines where line.contains("@depth") {
            books.send(line)
            let data = try #require(try Self.object(line)["data"] as? [String: Any])
            let symbol = try #require(data["s"] as? String)
            if let index = bodies.firstIndex(where: { $0.symbol == symbol }) {
                // Once the changes have reached the whole book.
                let body = try Self.object(bodies[index].body)
                let number = try #require((body["lastUpdateId"] as? NSNumber)?.uint64Value)
                guard try #require((data["u"] as? NSNumber)?.uint64Value) >= number else { continue }
                books.fetched(symbol, bodies.remove(at: index).body)
                starts[symbol] = number
                try plain[symbol]!.set(0, rows: body["bids"])
                try plain[symbol]!.set(1, rows: body["asks"])
            }
            guard let start = starts[symbol], try #require((data["u"] as? NSNumber)?.uint64Value) > start else {
                continue
            }
            try plain[symbol]!.set(0, rows: data["b"])
            try plain[symbol]!.set(1, rows: data["a"])
        }
        #expect(bodies.isEmpty && books.events.filter { !$0.hasPrefix("fetch") && !$0.hasPrefix("live") } == [])
        for symbol in symbols {
            #expect(
                plain[symbol]!.equals(0, books.levels(symbol, .bid))
                    && plain[symbol]!.equals(1, books.levels(symbol, .ask)))
        }
    }

    @Test("361 changes of Binance.US follow each other without a gap, and without a whole book nothing is shown")
    func withoutWholeBook() throws {
        let symbols = ["BATUSD", "HNTUSD", "MANAUSD", "ZRXUSD"]
        var books = FollowedBooks("binance-us", symbols)
        var sequences: [String: BookSequence] = [:]
        var outcomes: [BookSequence.Outcome] = []
        for line in try SharedRecording.recording("binance_us_4symbols_2021-08-14").lines where line.contains("@depth")
        {
            books.send(line)
            let data = try #require(try Self.object(line)["data"] as? [String: Any])
            let numbers = BookNumbers(
                first: try #require((data["U"] as? NSNumber)?.uint64Value),
                last: try #require((data["u"] as? NSNumber)?.uint64Value))
            let symbol = try #require(data["s"] as? String)
            if sequences[symbol] == nil {
                sequences[symbol] = BookSequence(.spans)
                sequences[symbol]!.begin(at: numbers.first - 1)
            }
            outcomes.append(sequences[symbol]!.accept(numbers))
        }
        #expect(outcomes.count == 361 && outcomes.allSatisfy { $0 == .next })
        #expect(books.events.sorted() == sequences.keys.sorted().map { "fetch \($0)" })
        for symbol in symbols { #expect(books.shown(symbol) == nil) }
    }

    @Test("each checksum of Kraken's version 1 is right, in ten markets of a thousand levels")
    func krakenArrays() throws {
        let symbols = [
            "ADA/XBT", "ETH/CHF", "GRT/ETH", "KSM/XBT", "OCEAN/XBT", "OMG/USD", "SC/EUR", "WAVES/EUR", "XBT/CHF",
            "XMR/USD",
        ]
        var books = FollowedBooks("kraken-v1", symbols)
        var sums = 0
        for line in try SharedRecording.recording("kraken_v1_book1000_10pairs_2021-04-17").lines {
            sums += line.contains("\"c\":\"") ? 1 : 0
            books.send(line)
        }
        #expect(books.counts.checksums == sums && sums == 4269, "all but the ten whole books")
        #expect(books.events.sorted() == symbols.sorted().map { "live \($0)" })
    }

    @Test("1,254 of 1,254 checksums of Kraken's version 2 are right; the answer says how deep the book is")
    func kraken() throws {
        var books = FollowedBooks("kraken", ["BTC/USD"])
        for line in try SharedRecording.recording("kraken_v2_book10_btcusd_2026-07-19").lines { books.send(line) }
        #expect(books.counts.checksums == 1254 && books.events == ["live BTC/USD"])
        #expect(books.levels("BTC/USD", .bid)?.count == 10 && books.levels("BTC/USD", .ask)?.count == 10)
    }

    @Test("Coinbase Exchange's six books are those of a plain table after each change, and never crossed")
    func coinbase() throws {
        let symbols = ["BAND-BTC", "BAND-GBP", "CRV-EUR", "SKL-GBP", "SKL-USD", "YFI-BTC"]
        var books = FollowedBooks("coinbase", symbols)
        var plain: [String: PlainBook] = [:]
        var (updates, equal) = (0, 0)
        for line in try SharedRecording.recording("coinbase_exchange_ws-feed_6products_2021-04-17").lines {
            books.send(line)
            let message = try Self.object(line)
            guard let symbol = message["product_id"] as? String else { continue }
            if message["type"] as? String == "snapshot" {
                plain[symbol] = PlainBook()
                try plain[symbol]!.set(0, rows: message["bids"])
                try plain[symbol]!.set(1, rows: message["asks"])
            } else if message["type"] as? String == "l2update" {
                for change in try #require(message["changes"] as? [[String]]) {
                    try plain[symbol]!.set(change[0] == "buy" ? 0 : 1, change[1], change[2])
                }
                updates += 1
                guard updates % 50 == 0 else { continue }
                equal += plain[symbol]!.equals(0, books.levels(symbol, .bid)) ? 1 : 0
                equal += plain[symbol]!.equals(1, books.levels(symbol, .ask)) ? 1 : 0
            }
        }
        #expect(updates == 5514 && equal == 2 * (updates / 50))
        #expect(books.events.sorted() == symbols.map { "live \($0)" })
    }

    @Test(
        "Advanced Trade's messages are numbered without a gap, and its two books of megabytes are those of a plain table"
    )
    func coinbaseAdvanced() throws {
        let symbols = ["BTC-USD", "ETH-USD"]
        var books = FollowedBooks("coinbase-advanced", symbols)
        var plain: [String: PlainBook] = [:]
        var updates = 0
        for line in try SharedRecording.recording("coinbase_advanced-trade_btcusd-ethusd_2026-08-09").lines {
            books.send(line)
            guard line.contains("\"l2_data\"") else { continue }
            for event in try #require(try Self.object(line)["events"] as? [[String: Any]]) {
                let symbol = try #require(event["product_id"] as? String)
                if event["type"] as? String == "snapshot" { plain[symbol] = PlainBook() }
                for change in try #require(event["updates"] as? [[String: String]]) {
                    try plain[symbol]!.set(
                        change["side"] == "bid" ? 0 : 1, change["price_level"]!, change["new_quantity"]!)
                }
                updates += 1
            }
        }
        #expect(updates == 775 && books.events.sorted() == ["live BTC-USD", "live ETH-USD"])
        for symbol in symbols {
            #expect(
                plain[symbol]!.equals(0, books.levels(symbol, .bid))
                    && plain[symbol]!.equals(1, books.levels(symbol, .ask)))
        }
    }

    @Test("Bitstamp's changes, from an empty book on, are those of a plain table, and never cross")
    func bitstamp() throws {
        let lines = try SharedRecording.recording("bitstamp_2022-01-05").lines.filter {
            $0.contains("\"event\":\"data\"")
        }
        #expect(lines.count == 717)
        var plain: [String: PlainBook] = [:]
        var books = FollowedBooks(
            "bitstamp",
            ["adaeur", "batbtc", "bateur", "ethusd", "galaeur", "sgbeur", "usdteur", "usdtusd", "xlmgbp", "xrpeur"])
        for line in lines {
            let message = try Self.object(line)
            let symbol = try #require((message["channel"] as? String)?.split(separator: "_").last.map(String.init))
            let data = try #require(message["data"] as? [String: Any])
            let isFirst = plain[symbol] == nil
            #expect(books.send(line) == [])
            if isFirst {
                #expect(books.wait(1) == ["fetch \(symbol)"])
                // The whole book was not recorded: one of nothing stands for it, of the moment of the first change.
                let time = try #require(data["microtimestamp"] as? String)
                #expect(
                    books.fetched(symbol, #"{"microtimestamp":"\#(time)","bids":[],"asks":[]}"#) == ["live \(symbol)"])
                plain[symbol] = PlainBook()
                continue
            }
            try plain[symbol]!.set(0, rows: data["bids"])
            try plain[symbol]!.set(1, rows: data["asks"])
            #expect(
                plain[symbol]!.equals(0, books.levels(symbol, .bid))
                    && plain[symbol]!.equals(1, books.levels(symbol, .ask)))
        }
    }

    @Test("Gemini's ten books come with the trades, are those of a plain table, and never cross")
    func gemini() throws {
        let symbols = [
            "ALCXUSD", "ANKRUSD", "BATBTC", "BTCGBP", "ETHEUR", "FILUSD", "GRTUSD", "LINKETH", "LTCETH", "ZECLTC",
        ]
        var books = FollowedBooks("gemini", symbols)
        var plain: [String: PlainBook] = [:]
        var updates = 0
        for line in try SharedRecording.recording("gemini_v2_2021-06-24").lines where line.contains("\"l2_updates\"") {
            books.send(line)
            let message = try Self.object(line)
            let symbol = try #require(message["symbol"] as? String)
            if message["trades"] != nil { plain[symbol] = PlainBook() }
            for change in try #require(message["changes"] as? [[String]]) {
                try plain[symbol]!.set(change[0] == "buy" ? 0 : 1, change[1], change[2])
            }
            updates += 1
            #expect(
                plain[symbol]!.equals(0, books.levels(symbol, .bid))
                    && plain[symbol]!.equals(1, books.levels(symbol, .ask)))
        }
        #expect(updates == 655 && books.events.sorted() == symbols.map { "live \($0)" })
    }

    @Test("Bitfinex's books are those of a plain table, with its exponents, and never cross")
    func bitfinex() throws {
        let symbols = ["tBFTUSD", "tDOGUSD", "tIOTETH", "tMNABTC", "tODEUSD", "tSNGUSD", "tTESTBTC:TESTUSD"]
        var books = FollowedBooks("bitfinex", symbols)
        var plain: [String: PlainBook] = [:]
        var channels: [Int: String] = [:]
        var (updates, exponents) = (0, 0)
        for line in try SharedRecording.recording("bitfinex_v2_2021-04-17").lines {
            books.send(line)
            let message = try JSONSerialization.jsonObject(with: Data(line.utf8))
            if let event = message as? [String: Any] {
                if event["channel"] as? String == "book" {
                    channels[event["chanId"] as! Int] = event["symbol"] as? String
                }
                continue
            }
            guard let row = message as? [Any], let symbol = channels[row[0] as! Int], let data = row[1] as? [Any] else {
                continue
            }
            let isWhole = data.first is [Any]
            if isWhole { plain[symbol] = PlainBook() }
            for change in isWhole ? data as! [[NSNumber]] : [data as! [NSNumber]] {
                let amount = change[2].decimalValue
                try plain[symbol]!.set(amount > 0 ? 0 : 1, change[0], change[1] == 0 ? Decimal(0) : amount.magnitude)
            }
            updates += 1
            exponents += line.contains("e-") ? 1 : 0
            #expect(plain[symbol]!.sides[0].count == books.levels(symbol, .bid)?.count)
            #expect(plain[symbol]!.sides[1].count == books.levels(symbol, .ask)?.count)
        }
        #expect(updates > 1000 && exponents > 0 && books.events.sorted() == symbols.map { "live \($0)" })
        for symbol in symbols {
            for (index, side) in BookSide.allCases.enumerated() {
                let shown = try #require(books.levels(symbol, side)).map { ($0.price.double, $0.size.double) }
                let sorted = plain[symbol]!.sides[index].sorted { index == 0 ? $0.key > $1.key : $0.key < $1.key }
                // Foundation reads JSON's numbers as doubles.
                for (level, other) in zip(shown, sorted) {
                    #expect(abs(level.0 / NSDecimalNumber(decimal: other.key).doubleValue - 1) < 1e-12)
                    #expect(abs(level.1 / NSDecimalNumber(decimal: other.value).doubleValue - 1) < 1e-12)
                }
            }
        }
    }

    @Test("Bybit's books of one level are whole each time", arguments: ["linear", "spot"])
    func bybit(_ kind: String) throws {
        let lines = try SharedRecording.recording("bybit_v5_\(kind)_2025-06-13").lines.filter {
            $0.contains("orderbook.1.")
        }
        let symbols = Set(
            try lines.map { try #require((try Self.object($0)["data"] as? [String: Any])?["s"] as? String) }
        ).sorted()
        var books = FollowedBooks("bybit", symbols)
        for line in lines {
            books.send(line)
            let data = try #require(try Self.object(line)["data"] as? [String: Any])
            let sides = try ["b", "a"].map {
                try #require(data[$0] as? [[String]]).map { "\($0[0])@\($0[1])" }.joined()
            }
            #expect(books.shown(try #require(data["s"] as? String)) == "\(sides[0]) | \(sides[1])")
        }
        #expect(books.counts.messages == lines.count && books.events.sorted() == symbols.map { "live \($0)" })
    }
}
