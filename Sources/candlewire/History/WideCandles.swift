import MarketModel

/// Candles whose high is more than three times their low, in a file: bad prints, prices from before and after a split in
/// one candle, or a true crash. They are kept, for which it was cannot be told from them; but it is said where they are.
struct WideCandles {
    static let ratio = 3.0
    static let mostShown = 5

    private(set) var count = 0
    private var times: [Double] = []

    mutating func look(at candle: Candle) {
        guard candle.high > candle.low * Self.ratio else { return }
        count += 1
        if times.count < Self.mostShown { times.append(candle.timestamp) }
    }

    /// Where they are, for people; `nil`: nowhere.
    var sentence: String? {
        guard count > 0 else { return nil }
        let rest = count > times.count ? ", …" : ""
        return
            "\(ImportRun.Outcome.grouped(count)) candle\(count == 1 ? "" : "s") with a high of more than three times the low, kept as they are: "
            + times.map(TimeText.utc).joined(separator: ", ") + rest + " UTC"
    }
}
