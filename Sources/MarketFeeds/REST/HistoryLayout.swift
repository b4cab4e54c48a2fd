import MarketModel
import StreamCore

/// How a venue builds its answers over REST: where the rows stand, what is in one, and how it refuses.
struct HistoryLayout: Sendable {
    struct Rows: Sendable {
        /// The names that lead to it; none where the answer is the list.
        var path: [StaticString]
        /// What it is called in a sentence.
        var name: String

        init(_ path: StaticString..., as name: String) {
            self.path = path
            self.name = name
        }
    }

    /// A refusal with HTTP status 200: the member with its code, what that is where all is well, and the one that says
    /// why.
    struct Refusal: Sendable {
        var code: StaticString
        var success: String
        var message: StaticString
    }

    var candles: (rows: Rows, candle: CandleRow)
    var symbols: (rows: Rows, symbol: SymbolRow)?
    var refusal: Refusal?
}

/// Where a row has a candle's values.
enum CandleRow: Sendable {
    case values(CandleColumns)
    /// An object with the usual names, but for that of its start.
    case members(start: StaticString)

    func read(_ scanner: inout JSONScanner) throws -> HistoryCandle {
        switch self {
        case .values(let columns): return try columns.read(&scanner)
        case .members(let start):
            var bar = CandleFields()
            try scanner.eachField { key, scanner in try bar.read(key, &scanner, start: start) }
            return HistoryCandle(candle: try bar.candle(.init(start: start)))
        }
    }
}

/// The places of a candle's values in an array that begins with its start.
struct CandleColumns: Sendable {
    /// Values of a row that are numbers; others may follow.
    var count: Int
    var open = 1
    var high = 2
    var low = 3
    var close = 4
    var volume = 5
    var trades: Int?
    /// 0 there: the candle is running.
    var isClosed: Int?
    /// Of the start, in a second.
    var unitsPerSecond = 1000.0

    func read(_ scanner: inout JSONScanner) throws -> HistoryCandle {
        let row = try scanner.numbers(count)
        return HistoryCandle(
            candle: Candle(
                timestamp: row[0] / unitsPerSecond, open: row[open], high: row[high], low: row[low], close: row[close],
                volume: row[volume]),
            trades: trades.flatMap { UInt64(exactly: row[$0]) }, isRunning: isClosed.map { row[$0] == 0 } ?? false)
    }
}

/// What a list of markets calls the members of one.
struct SymbolRow: Sendable {
    var symbol: StaticString
    var base: StaticString
    var quote: StaticString
    /// Empty, as those below: there is none.
    var status: StaticString = ""
    /// Digits after the point of prices.
    var precision: StaticString = ""
    /// The least step of prices, in place of the digits.
    var step: StaticString = ""
    /// The object, or the list of objects, in which the step stands; `nil`: in the row itself.
    var stepHolder: StaticString?

    /// - Returns: `nil` for one without a name.
    func read(_ scanner: inout JSONScanner) throws -> VenueSymbol? {
        var market = VenueSymbol(symbol: "", base: "", quote: "", precision: nil, status: "")
        func readStep(_ scanner: inout JSONScanner) throws {
            market.precision = RESTBody.decimals(try scanner.anyText())
        }
        func readHolder(_ scanner: inout JSONScanner) throws {
            try scanner.eachField { key, scanner in
                if key.equals(step) { try readStep(&scanner) } else { try scanner.skipValue() }
            }
        }
        try scanner.eachField { key, scanner in
            switch key {
            case symbol: market.symbol = try scanner.anyText()
            case base: market.base = try scanner.anyText()
            case quote: market.quote = try scanner.anyText()
            case status: market.status = try scanner.anyText()
            case precision: market.precision = try scanner.integer()
            case stepHolder ?? step:
                if stepHolder == nil {
                    try readStep(&scanner)
                } else if try scanner.kind() == .array {
                    try scanner.eachElement(readHolder)
                } else {
                    try readHolder(&scanner)
                }
            default: try scanner.skipValue()
            }
        }
        return market.symbol.isEmpty ? nil : market
    }
}

protocol DeclaredHistory: HistoryAdapter {
    var layout: HistoryLayout { get }
    /// What an answer with HTTP status 200 says against the request, where the layout does not show it.
    func refusal(in body: [UInt8]) -> HistoryError?
}

extension DeclaredHistory {
    func refusal(in body: [UInt8]) -> HistoryError? { nil }

    func candles(from body: [UInt8]) throws(HistoryError) -> [HistoryCandle] {
        if let refusal = refusal(in: body) { throw refusal }
        return try RESTBody.rows(layout.candles.rows, layout.refusal, in: body, of: name) { scanner in
            try layout.candles.candle.read(&scanner)
        }
    }

    func symbols(from body: [UInt8]) throws(HistoryError) -> [VenueSymbol] {
        guard let symbols = layout.symbols else { throw noDirectory }
        return try RESTBody.rows(symbols.rows, layout.refusal, in: body, of: name) { scanner in
            try symbols.symbol.read(&scanner)
        }
    }
}
