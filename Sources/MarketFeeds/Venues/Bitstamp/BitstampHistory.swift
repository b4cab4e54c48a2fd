import MarketModel
import StreamCore

/// Bitstamp's candles (bitstamp.net/api, "OHLC data"): `data.ohlc`, objects whose values are texts, oldest first.
struct BitstampHistory: DeclaredHistory {
    let venue = Venue.bitstamp
    let endpoint = "https://www.bitstamp.net"
    let timeframes: [Timeframe] = [.m1, .m3, .m5, .m15, .m30, .h1, .h2, .h4, .h6, .h12, .d1]
    /// One less than the 1000 that the venue allows: whether the end is included, its documentation does not say.
    let rowsPerPage = 999
    let pace = RequestPacer.Configuration(rate: 5, burst: 5, minimumInterval: 0.1)
    let layout = HistoryLayout(candles: (.init("data", "ohlc", as: "list of candles"), .members(start: "timestamp")))

    func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        "/api/v2/ohlc/\(percentEncoded(symbol.lowercased()))/?step=\(Int(timeframe.seconds))&limit=\(rowsPerPage + 1)"
            + "&start=\(queryNumber(from))&end=\(queryNumber(to))"
    }
}
