extension SimulatedVenue {
    /// A session that nobody recorded: made in the shapes that the venue documents, where no recording was found. The same
    /// seed makes the same session.
    /// - Parameter seconds: its length; four messages a second. Less than a minute, so that it can begin anew each minute.
    /// - Returns: `nil` for venues of which recordings exist.
    public func madeSession(
        symbols: [String] = ["AAPL", "GE", "MSFT"], seconds: Int = 58, seed: UInt64 = 1
    ) -> RecordedSession? {
        guard self == .intrinio || self == .intrinioEquities, !symbols.isEmpty else { return nil }
        let quotes = MadeQuote.walk(symbols, count: max(1, seconds) * 4, seed: seed)
        return RecordedSession(
            messages: quotes.map { self == .intrinio ? $0.text : $0.binary }, times: quotes.map(\.nanoseconds))
    }
}

/// What an exchange tells of a stock at a moment.
private struct MadeQuote {
    var symbol: String
    /// A trade, an ask or a bid, as the binary stream numbers them.
    var type: UInt8
    var cents: Int
    var size: Int
    var nanoseconds: Int64

    /// A random walk in cents: bids and asks around the price, and a trade in half of the messages.
    static func walk(_ symbols: [String], count: Int, seed: UInt64) -> [MadeQuote] {
        var random = SeededGenerator(seed: seed)
        var prices: [Int] = symbols.indices.map { 10_000 + 5_000 * $0 }
        return (0..<count).map { index in
            let which = Int.random(in: symbols.indices, using: &random)
            prices[which] = max(100, prices[which] + Int.random(in: -8...8, using: &random))
            let type = UInt8(max(0, Int.random(in: -1...2, using: &random)))
            let away: Int = [0, 1, -1][Int(type)]
            return MadeQuote(
                symbol: symbols[which], type: type, cents: prices[which] + away,
                size: Int.random(in: 1...40, using: &random) * 100,
                nanoseconds: 1_700_000_000_000_000_000 + Int64(index) * 250_000_000)
        }
    }

    /// A legacy message.
    var text: [UInt8] {
        let name = VenueJSON.quoted(symbol)
        let topic = VenueJSON.quoted("iex:securities:\(symbol)")
        let kind = ["last", "ask", "bid"][Int(type)]
        let price = "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
        let time = "\(nanoseconds / 1_000_000_000).\(["000000", "250000", "500000", "750000"][quarter])"
        return Array(
            (#"{"topic":\#(topic),"event":"quote","payload":{"type":"\#(kind)","timestamp":\#(time),"ticker":\#(name),"#
                + #""size":\#(size),"price":\#(price)},"ref":null}"#).utf8)
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
