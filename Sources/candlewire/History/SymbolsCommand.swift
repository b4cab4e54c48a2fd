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

    @Argument(help: ArgumentHelp("The venue: \(Self.venues), \(Self.searched).", valueName: "VENUE"))
    var venue: String

    @Argument(help: ArgumentHelp("Only those whose name or currencies hold this, in any case.", valueName: "text"))
    var text: String?

    @Option(
        help: ArgumentHelp(
            "Where the venue's REST interface is, instead of its own address: http://host[:port].", valueName: "url"))
    var url: String?

    @Flag(help: "Of a venue that is searched: the reference prices of the symbol.")
    var prices = false

    @OptionGroup
    var access: CredentialsOptions

    @Flag(help: "Print a JSON document.")
    var json = false

    private static let venues = HistoryCatalogue.names.filter {
        HistoryCatalogue.adapter(named: $0)?.directoryRequest != nil
    }.joined(separator: ", ")

    private static let searched = FeedOutline.searched.joined(separator: ", ")

    func run() async throws {
        try await Failure.exitCleanly {
            if FeedOutline.searched.contains(venue) { return try await search() }
            guard !prices else {
                throw CommandFailure.usage("--prices is for venues that are searched: \(Self.searched).")
            }
            guard let adapter = HistoryCatalogue.adapter(named: venue), adapter.directoryRequest != nil else {
                throw CommandFailure.usage(
                    "\(FeedOutline.withoutMarkets(venue)) The venues whose markets can be listed are \(Self.venues), "
                        + "\(Self.searched).")
            }
            var symbols = try await VenueHistory(adapter, base: url).symbols()
            if let text = text?.lowercased() {
                symbols = symbols.filter { symbol in
                    [symbol.symbol, symbol.base, symbol.quote].contains { $0.lowercased().contains(text) }
                }
            }
            try show(symbols, Self.document, Self.table)
        }
    }

    private func search() async throws {
        guard let text, !text.isEmpty else {
            throw CommandFailure.usage(
                "\(venue) is searched: give a name or a symbol, as candlewire symbols intrinio apple.")
        }
        let name = FeedCatalogue.adapter(named: venue)?.credentialsName ?? venue
        let reference = try IntrinioReference(credentials: try access.required(name), base: url)
        if prices {
            let found = try await reference.prices(of: text)
            try show(found, CompanyListing.document, CompanyListing.table)
        } else {
            let found = try await reference.companies(matching: text)
            try show(found, CompanyListing.document, CompanyListing.table)
        }
    }

    private func show<Row>(_ found: [Row], _ document: ([Row]) -> String, _ table: ([Row]) -> String) throws {
        print(json ? document(found) : table(found), terminator: "")
        if found.isEmpty { throw ExitCode(1) }
    }

    private static func table(_ symbols: [VenueSymbol]) -> String {
        guard !symbols.isEmpty else { return "no such market\n" }
        var table = TextTable([
            ("symbol", .left), ("base", .left), ("quote", .left), ("decimals", .right), ("status", .left),
        ])
        for symbol in symbols {
            table.add([
                .init(symbol.symbol), .init(symbol.base), .init(symbol.quote), .init(symbol.precision.map { "\($0)" }),
                .init(symbol.status),
            ])
        }
        return table.text(on: .standardOutput) + "\n\(symbols.count) market\(symbols.count == 1 ? "" : "s")\n"
    }

    private static func document(_ symbols: [VenueSymbol]) -> String {
        var sink: [UInt8] = []
        sink.json("{\"symbols\":")
        sink.list(symbols) { sink, symbol in
            sink.string("{\"symbol\":", symbol.symbol)
            sink.string(",\"base\":", symbol.base)
            sink.string(",\"quote\":", symbol.quote)
            sink.json(",\"precision\":")
            if let precision = symbol.precision { sink.integer(precision) } else { sink.json("null") }
            sink.string(",\"status\":", symbol.status)
            sink.json("}")
        }
        sink.json("}\n")
        return String(decoding: sink, as: UTF8.self)
    }
}

/// What `candlewire symbols` prints of a venue that is searched: its companies, or the prices of one.
enum CompanyListing {
    static func table(_ companies: [IntrinioReference.Company]) -> String {
        guard !companies.isEmpty else { return "no such company\n" }
        var table = TextTable([("symbol", .left), ("name", .left), ("CIK", .left)])
        for company in companies { table.add([.init(company.ticker), .init(company.name), .init(company.cik)]) }
        return table.text(on: .standardOutput)
            + "\n\(companies.count) \(companies.count == 1 ? "company" : "companies")\n"
    }

    static func document(_ companies: [IntrinioReference.Company]) -> String {
        var sink: [UInt8] = []
        sink.json("{\"companies\":")
        sink.list(companies) { sink, company in
            sink.string("{\"symbol\":", company.ticker)
            sink.string(",\"name\":", company.name)
            sink.string(",\"cik\":", company.cik)
            sink.json("}")
        }
        sink.json("}\n")
        return String(decoding: sink, as: UTF8.self)
    }

    static func table(_ prices: [ReferencePrice]) -> String {
        guard !prices.isEmpty else { return "no prices\n" }
        var table = TextTable([
            ("date", .left), ("open", .right), ("high", .right), ("low", .right), ("close", .right),
            ("volume", .right), ("since the open", .right),
        ])
        for price in prices {
            table.add([
                .init(price.date), .init(text(price.open)), .init(text(price.high)), .init(text(price.low)),
                .init(text(price.close)), .init(text(price.volume)),
                .init(price.change(to: price.close)?.percent.map(percentage)),
            ])
        }
        return table.text(on: .standardOutput)
    }

    private static func text(_ value: Double?) -> String? { value.map { "\($0)" } }

    /// With its sign: `+5.00 %`.
    private static func percentage(_ percent: Double) -> String {
        let hundredths = (abs(percent) * 100).rounded()
        guard hundredths < 1e15 else { return "\(percent) %" }
        let digits = Int(hundredths)
        let sign = digits == 0 ? "" : percent < 0 ? "-" : "+"
        return "\(sign)\(digits / 100).\(digits % 100 < 10 ? "0" : "")\(digits % 100) %"
    }

    static func document(_ prices: [ReferencePrice]) -> String {
        var sink: [UInt8] = []
        sink.json("{\"prices\":")
        sink.list(prices) { sink, price in
            // NaN is written as null.
            sink.string("{\"date\":", price.date)
            sink.number(",\"open\":", price.open ?? .nan)
            sink.number(",\"high\":", price.high ?? .nan)
            sink.number(",\"low\":", price.low ?? .nan)
            sink.number(",\"close\":", price.close ?? .nan)
            sink.number(",\"volume\":", price.volume ?? .nan)
            sink.json("}")
        }
        sink.json("}\n")
        return String(decoding: sink, as: UTF8.self)
    }
}
