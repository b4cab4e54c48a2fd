import MarketModel
import StreamCore

/// The candles of a candlewire server, and of any other provider with `GET /v1/candles?symbol=&timeframe=&limit=`: an
/// array of `{timestamp, open, high, low, close, volume}`.
struct CandlewireHistory: DeclaredHistory {
    let venue = Venue.candlewire
    let endpoint = "http://127.0.0.1:8080"
    let timeframes = Timeframe.allCases
    let rowsPerPage = 1000
    /// A server that was down has no candle of that time, and its answer does not say why.
    let omitsEmptyIntervals = false
    /// One request a second, as long as the server does not say that more are welcome.
    let pace = RequestPacer.Configuration()
    let directoryRequest: String? = "/v1/markets"
    let layout = HistoryLayout(
        candles: (.init(as: "list of candles"), .members(start: "timestamp")),
        symbols: (
            .init("markets", as: "list of markets"),
            SymbolRow(symbol: "symbol", base: "base", quote: "quote", precision: "precision")
        ))

    func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        "/v1/candles?symbol=\(percentEncoded(symbol))&timeframe=\(timeframe.rawValue)&limit=\(rowsPerPage)"
            + "&from=\(queryNumber(from))&to=\(queryNumber(to - 1))"
    }

    func errorMessage(in body: [UInt8]) -> String? {
        body.withUnsafeBytes { bytes -> String? in
            var scanner = JSONScanner(bytes)
            var text: String?
            try? scanner.eachField { key, scanner in
                guard key.equals("error") else { return try scanner.skipValue() }
                try scanner.eachField { key, scanner in
                    guard key.equals("message") else { return try scanner.skipValue() }
                    text = RESTBody.quoted(try scanner.anyText())
                }
            }
            return text
        }
    }
}
