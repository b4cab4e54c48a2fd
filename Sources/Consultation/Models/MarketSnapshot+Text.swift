internal import MarketModel
internal import TradingCore

extension MarketSnapshot {
    /// A market in one sentence, with the tick's time; of a stale one its age and no price.
    func sentence(_ quote: Quote) -> String {
        guard let price = quote.price, let tickTime = quote.tickTime else {
            return "\(quote.symbol) has not traded yet."
        }
        guard !isStale(quote) else {
            return "\(quote.symbol) last ticked \(Self.age(time - tickTime)) ago, at \(Self.clock(tickTime)); "
                + "that is too old to be called its price."
        }
        var text = "\(quote.symbol) is at \(Self.fixed(price, quote.precision)) (tick of \(Self.clock(tickTime)))"
        if let change = quote.changePercent24h {
            text += ", \(change < 0 ? "down" : "up") \(Self.fixed(change.magnitude, 2)) % in 24 hours"
        }
        if let low = quote.low24h, let high = quote.high24h {
            text += ", between \(Self.fixed(low, quote.precision)) and \(Self.fixed(high, quote.precision))"
        }
        return text + "."
    }

    func sentence(_ holding: Holding) -> String {
        var text =
            "\(holding.side.rawValue.capitalizedFirst) \(holding.quantity) \(holding.symbol) from \(holding.entryPrice)"
        if let profit = holding.unrealizedProfit {
            text += ", \(profit.isNegative ? "losing" : "gaining") \(profit.magnitude) \(holding.currency)"
        } else {
            text += ", its result is not known without a price"
        }
        return text + "."
    }

    func sentence(_ feed: Feed) -> String {
        guard feed.isConnected else { return "\(feed.name) is not connected." }
        guard let lastTradeAt = feed.lastTradeAt else { return "\(feed.name) is connected; no trade has come in yet." }
        return "\(feed.name) is connected; its last trade came in \(Self.age(max(0, time - lastTradeAt))) ago."
    }

    /// Everything, a line each, for a language model.
    public var summary: String {
        var lines = ["Live state at \(RFC3339.text(time)):"]
        if let focus { lines.append("The user looks at \(focus), \(timeframe) candles.") }
        lines += quotes.prefix(50).map(sentence)
        for quote in quotes.prefix(50) where !quote.indicators.isEmpty {
            lines.append("\(quote.symbol): \(Self.readings(quote))")
        }
        if let holdings { lines += holdings.prefix(50).map(sentence) } else { lines.append(Self.hiddenHoldings) }
        lines += feeds.map(sentence)
        return lines.joined(separator: "\n")
    }

    static func readings(_ quote: Quote) -> String {
        quote.indicators.map { "\($0.name) \(fixed($0.value, quote.precision)) (candle of \(clock($0.time)))" }
            .joined(separator: ", ") + "."
    }

    static let hiddenHoldings =
        "Paper positions are not shown in this consultation: they are for those with this server's stream token."

    /// `10:00:05 UTC`.
    static func clock(_ time: Double) -> String {
        "\(RFC3339.text(time).dropFirst(11).prefix(8)) UTC"
    }

    static func age(_ seconds: Double) -> String {
        switch seconds {
        case ..<120: "\(Int(max(0, seconds))) s"
        case ..<7_200: "\(Int(seconds / 60)) min"
        case ..<172_800: "\(Int(seconds / 3600)) h"
        default: seconds < 1e12 ? "\(Int(seconds / 86_400)) days" : "long"
        }
    }

    /// So many decimals, rounded.
    static func fixed(_ value: Double, _ decimals: Int) -> String {
        let places = min(max(decimals, 0), 12)
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = (value.magnitude * scale).rounded()
        guard scaled < 9e15 else { return "\(value)" }
        let digits = "\(Int64(scaled))"
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        let text = places == 0 ? padded : "\(padded.dropLast(places)).\(padded.suffix(places))"
        return value < 0 && scaled > 0 ? "-\(text)" : text
    }
}

extension String {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
