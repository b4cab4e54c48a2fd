import ArgumentParser
import MarketFeeds
import StreamCore

/// `candlewire symbols`: the markets that a venue has.
struct SymbolsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "symbols",
        abstract: "List a venue's markets.",
        discussion: """
            EXAMPLES
              candlewire symbols coinbase
              candlewire symbols kraken btc --json
              candlewire symbols intrinio apple
                  a venue that is searched: companies by name or symbol
              candlewire symbols intrinio AAPL --prices
                  its reference prices: open, high, low, close, volume

            EXIT CODES
              0 listed, 1 no market has the text in its name, 64 wrong usage,
              69 the venue cannot be reached or refuses
            """)

    @Argument("The venue: \(Self.venues), \(Self.searched).", "VENUE") var venue: String
    @Argument("Only those whose name or currencies hold this, in any case.", "text") var text: String?

    @Option("Where the venue's REST interface is, instead of its own address: http://host[:port].", "url")
    var url: String?

    @Flag(help: "Of a venue that is searched: the reference prices of the symbol.") var prices = false
    @OptionGroup var access: CredentialsOptions
    @Flag(help: "Print a JSON document.") var json = false

    private static let venues = HistoryCatalogue.names.filter {
        HistoryCatalogue.adapter(named: $0)?.directoryRequest != nil
    }.joined(separator: ", ")

    private static let searched = FeedOutline.searched.joined(separator: ", ")

    func run() async throws {
        try await Failure.exitCleanly {
            if FeedOutline.searched.contains(venue) { return try await search() }
            try require(!prices, "--prices is for venues that are searched: \(Self.searched).")
            let adapter = try require(
                HistoryCatalogue.adapter(named: venue).flatMap { $0.directoryRequest == nil ? nil : $0 },
                "\(FeedOutline.withoutMarkets(venue)) The venues whose markets can be listed are \(Self.venues), "
                    + "\(Self.searched).")
            var symbols = try await VenueHistory(adapter, base: url).symbols()
            if let text = text?.lowercased() {
                symbols = symbols.filter { symbol in
                    [symbol.symbol, symbol.base, symbol.quote].contains { $0.lowercased().contains(text) }
                }
            }
            try show(symbols, "{\"symbols\":", none: "no such market", count: ("market", "markets")) {
                [
                    .left("symbol", $0.symbol), .left("base", $0.base), .left("quote", $0.quote),
                    .right("decimals", $0.precision), .left("status", $0.status),
                ]
            } document: { sink, symbol in
                sink.string("{\"symbol\":", symbol.symbol)
                sink.string(",\"base\":", symbol.base)
                sink.string(",\"quote\":", symbol.quote)
                sink.json(",\"precision\":")
                if let precision = symbol.precision { sink.integer(precision) } else { sink.json("null") }
                sink.string(",\"status\":", symbol.status)
            }
        }
    }

    private func search() async throws {
        let text = text ?? ""
        try require(
            !text.isEmpty, "\(venue) is searched: give a name or a symbol, as candlewire symbols intrinio apple.")
        guard let adapter = FeedCatalogue.adapter(named: venue) as? any ReferenceAdapter else { return }
        let credentials = try access.required(adapter.credentialsName ?? venue)
        let reference = try adapter.reference(credentials: credentials, base: url)
        guard prices else {
            let companies = try await reference.companies(matching: text)
            return try show(
                companies, "{\"companies\":", none: "no such company", count: ("company", "companies")
            ) {
                [.left("symbol", $0.ticker), .left("name", $0.name), .left("CIK", $0.cik)]
            } document: { sink, company in
                sink.string("{\"symbol\":", company.ticker)
                sink.string(",\"name\":", company.name)
                sink.string(",\"cik\":", company.cik)
            }
        }
        try show(try await reference.prices(of: text), "{\"prices\":", none: "no prices") { price in
            [
                .left("date", price.date), .right("open", price.open), .right("high", price.high),
                .right("low", price.low), .right("close", price.close), .right("volume", price.volume),
                .right("since the open", price.change(to: price.close)?.percent.map(Self.percentage)),
            ]
        } document: { sink, price in
            // NaN is written as null.
            sink.string("{\"date\":", price.date)
            sink.number(",\"open\":", price.open ?? .nan)
            sink.number(",\"high\":", price.high ?? .nan)
            sink.number(",\"low\":", price.low ?? .nan)
            sink.number(",\"close\":", price.close ?? .nan)
            sink.number(",\"volume\":", price.volume ?? .nan)
        }
    }

    /// Prints rows as a table or as a document, whose objects `document` writes up to their last brace.
    private func show<Row>(
        _ rows: [Row], _ key: StaticString, none: String, count: (one: String, several: String)? = nil,
        _ cells: (Row) -> [TextTable.Cell], document: (inout [UInt8], Row) -> Void
    ) throws {
        if json {
            var sink: [UInt8] = []
            sink.json(key)
            sink.list(rows) { sink, row in
                document(&sink, row)
                sink.json("}")
            }
            sink.json("}\n")
            print(String(decoding: sink, as: UTF8.self), terminator: "")
        } else if rows.isEmpty {
            print(none)
        } else {
            print(TextTable.text(rows, cells: cells), terminator: "")
            if let count { print("\n\(rows.count) \(rows.count == 1 ? count.one : count.several)") }
        }
        if rows.isEmpty { throw ExitCode(1) }
    }

    /// With its sign: `+5.00 %`.
    private static func percentage(_ percent: Double) -> String {
        let hundredths = (abs(percent) * 100).rounded()
        guard hundredths < 1e15 else { return "\(percent) %" }
        let digits = Int(hundredths)
        let sign = digits == 0 ? "" : percent < 0 ? "-" : "+"
        return "\(sign)\(digits / 100).\(digits % 100 < 10 ? "0" : "")\(digits % 100) %"
    }
}
