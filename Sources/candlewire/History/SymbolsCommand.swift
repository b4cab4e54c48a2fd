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

            EXIT CODES
              0 listed, 1 no market has the text in its name, 64 wrong usage,
              69 the venue cannot be reached or refuses
            """)

    @Argument(help: ArgumentHelp("The venue: \(Self.venues).", valueName: "VENUE"))
    var venue: String

    @Argument(help: ArgumentHelp("Only those whose name or currencies hold this, in any case.", valueName: "text"))
    var text: String?

    @Option(
        help: ArgumentHelp(
            "Where the venue's REST interface is, instead of its own address: http://host[:port].", valueName: "url"))
    var url: String?

    @Flag(help: "Print a JSON document.")
    var json = false

    private static let venues = HistoryCatalogue.venues.filter {
        HistoryCatalogue.adapter(for: $0)?.directoryRequest != nil
    }.map(\.rawValue).joined(separator: ", ")

    func run() async throws {
        try await Failure.exitCleanly {
            guard let known = Venue(rawValue: venue), let adapter = HistoryCatalogue.adapter(for: known),
                adapter.directoryRequest != nil
            else {
                throw HistoryFailure.usage(
                    "“\(venue)” is no venue whose markets can be listed; those are \(Self.venues).")
            }
            var symbols = try await VenueHistory(adapter, base: url).symbols()
            if let text = text?.lowercased() {
                symbols = symbols.filter { symbol in
                    [symbol.symbol, symbol.base, symbol.quote].contains { $0.lowercased().contains(text) }
                }
            }
            print(json ? Self.document(symbols) : Self.table(symbols), terminator: "")
            if symbols.isEmpty { throw ExitCode(1) }
        }
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
        return table.text(on: .standardOutput) + "\n\(symbols.count) markets\n"
    }

    private static func document(_ symbols: [VenueSymbol]) -> String {
        var sink: [UInt8] = []
        sink.json("{\"symbols\":[")
        for (index, symbol) in symbols.enumerated() {
            if index > 0 { sink.json(",") }
            sink.json("{\"symbol\":")
            sink.string(symbol.symbol)
            sink.json(",\"base\":")
            sink.string(symbol.base)
            sink.json(",\"quote\":")
            sink.string(symbol.quote)
            sink.json(",\"precision\":")
            if let precision = symbol.precision { sink.integer(precision) } else { sink.json("null") }
            sink.json(",\"status\":")
            sink.string(symbol.status)
            sink.json("}")
        }
        sink.json("]}\n")
        return String(decoding: sink, as: UTF8.self)
    }
}
