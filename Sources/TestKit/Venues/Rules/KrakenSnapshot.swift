import MarketModel

/// What Kraken's candles and tickers begin with, made of the trades that were played; in the recording's times, which are
/// moved with everything else.
struct KrakenSnapshot {
    let symbol: String
    /// Ascending.
    let trades: [RecordedTrade]

    private static let rows = 720
    private static let day: Int64 = 86_400_000_000_000

    /// Minutes, ascending, none for those without trades; the last one runs.
    func candles(_ book: VenueBook) -> [String] {
        book.candles(symbol, .m1).suffix(Self.rows).map { row -> String in
            let start = Int64(row.candle.timestamp) * 1_000_000_000
            let text = VenueRESTText.number
            let candle = row.candle
            let members: [String] = [
                #""symbol":\#(VenueJSON.quoted(symbol))"#, #""open":\#(text(candle.open))"#,
                #""high":\#(text(candle.high))"#, #""low":\#(text(candle.low))"#, #""close":\#(text(candle.close))"#,
                #""trades":\#(row.trades)"#, #""volume":\#(text(candle.volume))"#, #""vwap":0.0"#,
                #""interval_begin":"\#(VenueTime.rfc3339(start, digits: 9))""#, #""interval":1"#,
                #""timestamp":"\#(VenueTime.rfc3339(start + 60_000_000_000))""#,
            ]
            return "{" + members.joined(separator: ",") + "}"
        }
    }

    /// The last 24 hours. A recording of trades has no book: what somebody sold and bought at last stands for it.
    var ticker: String? {
        guard let last = trades.last, let price = Double(last.price) else { return nil }
        let day = trades.filter { $0.time > last.time - Self.day }
        let prices = day.compactMap { Double($0.price) }
        let sold = day.last { !$0.isBuy }.flatMap { Double($0.price) } ?? price
        let bought = day.last { $0.isBuy }.flatMap { Double($0.price) } ?? price
        guard let first = prices.first, let low = prices.min(), let high = prices.max() else { return nil }
        let text = VenueRESTText.number
        let volume = day.compactMap { Double($0.size) }.reduce(0, +)
        let members: [String] = [
            #""symbol":\#(VenueJSON.quoted(symbol))"#, #""bid":\#(text(min(sold, bought)))"#, #""bid_qty":1.0"#,
            #""ask":\#(text(max(sold, bought)))"#, #""ask_qty":1.0"#, #""last":\#(last.price)"#,
            #""volume":\#(text(volume))"#, #""vwap":0.0"#, #""low":\#(text(low))"#, #""high":\#(text(high))"#,
            #""change":\#(text(price - first))"#, #""change_pct":\#(text((price - first) / first * 100))"#,
            #""timestamp":"\#(VenueTime.rfc3339(last.time))""#,
        ]
        return "{" + members.joined(separator: ",") + "}"
    }
}
