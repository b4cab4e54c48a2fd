import MarketFeeds
import MarketModel
import Testing

@Suite("List of stocks")
struct StockListTests {
    static func read(_ text: String) throws(FeedError) -> [TrackedStock] {
        try StockListReader(name: "stocks.json").read(Array(text.utf8))
    }

    static func entry(
        symbol: String = #""AAA""#, company: String = #""A Inc""#, description: String = #""Makes As""#,
        price: String = "10.5", more: String = ""
    ) -> String {
        #"{"initial_price":\#(price),"company":\#(company),"description":\#(description),"symbol":\#(symbol)\#(more)}"#
    }

    @Test("an array of initial_price, company, description and symbol is read, fields in any order")
    func wellFormed() throws {
        let text = """
            \u{FEFF}[ {"symbol":"BRK.B","company":"Berkshire \\"B\\"","description":"Line\\nbreak","initial_price":4.1e2,
               "delta_price":-0.5, "sector":{"name":["x"]}},
              \(Self.entry(symbol: #""600519""#, description: #""""#)) ]
            """
        let stocks = try Self.read(text)
        #expect(
            stocks == [
                TrackedStock(
                    symbol: "BRK.B", company: "Berkshire \"B\"", description: "Line break", initialPrice: 410,
                    initialDelta: -0.5),
                TrackedStock(symbol: "600519", company: "A Inc", description: "", initialPrice: 10.5),
            ])
        #expect(stocks[0].price(delta: stocks[0].initialDelta) == 409.5)
    }

    @Test("digits, - and . are part of symbols", arguments: ["A", "BF-B", "BRK.B", "7203.T", "H2O", "0"])
    func symbols(_ symbol: String) throws {
        #expect(try Self.read("[\(Self.entry(symbol: "\"\(symbol)\""))]").map(\.symbol) == [symbol])
    }

    /// A list of one entry.
    static func one(
        symbol: String = #""AAA""#, company: String = #""A Inc""#, price: String = "10.5", more: String = ""
    ) -> String {
        "[\(entry(symbol: symbol, company: company, price: price, more: more))]"
    }

    static let symbolRule = "allowed are 1 to 24 of A-Z, a-z, 0-9, - and .."
    static let priceRule = "allowed are numbers from 0.000001 to 10000000."
    static let sumRule = "initial_price and delta_price together must be above 0 and at most 10000000."

    /// The text, where in it, and what is wrong there.
    static let mistakes: [(String, String, String)] = [
        ("", " is not valid JSON", "line 1, byte 1, the text ends too early."),
        ("[\n{},\n {]", " is not valid JSON", "line 3, byte 3, a value of another type."),
        ("[] x", " is not valid JSON", "line 1, byte 4, characters after the end of the value."),
        ("{}", " must be an array of stocks", #"[{"symbol": …}, …]."#),
        ("[7]", ", entry 1", "it must be an object."),
        ("[\(entry()),{}]", #", entry 2, field "symbol""#, "it is missing."),
        (
            "[\(entry()),\(entry())]", #", entry 2 (AAA), field "symbol""#,
            "each symbol may be there once; entry 1 has it, too."
        ),
        (one(symbol: "7"), #", entry 1, field "symbol""#, "it must be a text in quotes."),
        (one(symbol: #""""#), #", entry 1, field "symbol""#, symbolRule),
        (one(symbol: #""A B""#), #", entry 1, field "symbol""#, symbolRule),
        (one(symbol: #""Ä""#), #", entry 1, field "symbol""#, symbolRule),
        (
            one(symbol: #""ABCDEFGHIJKLMNOPQRSTUVWXY""#), #", entry 1, field "symbol""#,
            "it may have 24 characters, and has 25."
        ),
        (one(company: "null"), #", entry 1, field "company""#, "it must be a text in quotes."),
        (one(company: #""""#), #", entry 1 (AAA), field "company""#, "it must not be empty."),
        (one(company: #""\u001b[2J""#), #", entry 1, field "company""#, "control characters are not allowed in it."),
        (one(price: #""10""#), #", entry 1, field "initial_price""#, "it must be a number without quotes."),
        (one(price: "0"), #", entry 1 (AAA), field "initial_price""#, priceRule),
        (one(price: "-3"), #", entry 1 (AAA), field "initial_price""#, priceRule),
        (one(price: "1e300"), #", entry 1 (AAA), field "initial_price""#, priceRule),
        (one(more: #","delta_price":-10.5"#), #", entry 1 (AAA), field "delta_price""#, sumRule),
        (
            #"[{"symbol":"A","company":"x","initial_price":1}]"#, #", entry 1 (A), field "description""#,
            "it is missing."
        ),
        (
            #"[{"symbol":"A","company":"x","description":""}]"#, #", entry 1 (A), field "initial_price""#,
            "it is missing."
        ),
        (#"[{"symbol":"A","description":""}]"#, #", entry 1 (A), field "company""#, "it is missing."),
    ]

    @Test("a mistake is refused with the entry, the field and what is allowed", arguments: mistakes)
    func mistake(_ text: String, _ place: String, _ problem: String) {
        let error = #expect(throws: FeedError.self) { try Self.read(text) }
        #expect(error?.kind == .input)
        #expect(error?.description == "stocks.json\(place): \(problem)")
    }

    @Test("an empty list is refused")
    func empty() {
        #expect(throws: FeedError(.input, "stocks.json is an empty array; it needs at least one stock.")) {
            try Self.read("[]")
        }
    }

    @Test("a list of 1,000 stocks is read, one of 1,001 and a file that is too large are refused")
    func limits() throws {
        func list(_ count: Int) -> String {
            "[" + (0..<count).map { Self.entry(symbol: "\"S\($0)\"") }.joined(separator: ",") + "]"
        }
        #expect(try Self.read(list(1000)).count == 1000)
        #expect(throws: FeedError(.input, "stocks.json has more than 1000 entries, the most there may be.")) {
            try Self.read(list(1001))
        }
        #expect(throws: FeedError.self) { try Self.read(String(repeating: " ", count: StockListReader.maxBytes + 1)) }
    }

    @Test("a file that is not there is said with its path")
    func missingFile() {
        let error = #expect(throws: FeedError.self) { try StockListReader.stocks(file: "/nowhere/stocks.json") }
        #expect(error?.description == "The stocks /nowhere/stocks.json cannot be opened: No such file or directory.")
    }

    @Test("25 stocks are at hand without a file, all of them valid")
    func bundled() throws {
        let stocks = TrackedStock.bundled
        #expect(stocks.count == 25)
        let text = stocks.map { stock in
            Self.entry(
                symbol: "\"\(stock.symbol)\"", company: "\"\(stock.company)\"",
                description: "\"\(stock.description)\"", price: "\(stock.initialPrice)")
        }
        #expect(try Self.read("[\(text.joined(separator: ","))]") == stocks)
        #expect(stocks.allSatisfy { (1.0...10_000.0).contains($0.initialPrice) })
    }

    @Test("prices have two decimals, and more where they are small or begin with more")
    func decimals() {
        let table: [(Double, Int)] = [(187.4, 2), (1, 2), (187.4375, 4), (0.5, 4), (0.001, 6), (0.000001, 8)]
        for (price, decimals) in table {
            let stock = TrackedStock(symbol: "A", company: "A", description: "", initialPrice: price)
            #expect(stock.decimals == decimals, "\(price)")
            #expect(stock.market.precision == decimals)
        }
    }
}
