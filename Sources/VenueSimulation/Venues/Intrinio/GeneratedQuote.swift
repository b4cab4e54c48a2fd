import MarketModel

/// A stock's price at a moment.
struct GeneratedQuote {
    var symbol: String
    /// A trade, an ask or a bid, as the binary stream numbers them.
    var type: UInt8
    var cents: Int
    var size: Int
    var nanoseconds: Int64

    /// - Parameter write: a quote as a message.
    static func session(
        _ symbols: [String], _ seconds: Int, seed: UInt64, _ write: (GeneratedQuote) -> [UInt8]
    ) -> RecordedSession {
        let quotes = walk(symbols.isEmpty ? ["AAPL", "GE", "MSFT"] : symbols, count: seconds * 4, seed: seed)
        return RecordedSession(messages: quotes.map(write), times: quotes.map(\.nanoseconds))
    }

    /// A random walk in cents: bids and asks around the price, and a trade in half of the messages.
    static func walk(_ symbols: [String], count: Int, seed: UInt64) -> [GeneratedQuote] {
        var random = SeededGenerator(seed: seed)
        var prices: [Int] = symbols.indices.map { 10_000 + 5_000 * $0 }
        return (0..<count).map { index in
            let which = Int.random(in: symbols.indices, using: &random)
            prices[which] = max(100, prices[which] + Int.random(in: -8...8, using: &random))
            let type = UInt8(max(0, Int.random(in: -1...2, using: &random)))
            let away: Int = [0, 1, -1][Int(type)]
            return GeneratedQuote(
                symbol: symbols[which], type: type, cents: prices[which] + away,
                size: Int.random(in: 1...40, using: &random) * 100,
                nanoseconds: 1_700_000_000_000_000_000 + Int64(index) * 250_000_000)
        }
    }

    /// A legacy message.
    var text: [UInt8] {
        let name = quoted(symbol)
        let topic = quoted("iex:securities:\(symbol)")
        let kind = ["last", "ask", "bid"][Int(type)]
        let time = "\(nanoseconds / 1_000_000_000).\(["000000", "250000", "500000", "750000"][quarter])"
        return Array(
            (#"{"topic":\#(topic),"event":"quote","payload":{"type":"\#(kind)","timestamp":\#(time),"ticker":\#(name),"#
                + #""size":\#(size),"price":\#(decimal(cents: cents))},"ref":null}"#).utf8)
    }

    private var quarter: Int { Int(nanoseconds / 250_000_000 % 4) }

    /// A message of the current stream, with one item.
    var binary: [UInt8] {
        [1]
            + IntrinioItem.bytes(
                type: type, symbol: symbol, price: Float(Double(cents) / 100), size: UInt32(truncatingIfNeeded: size),
                nanoseconds: nanoseconds)
    }
}
