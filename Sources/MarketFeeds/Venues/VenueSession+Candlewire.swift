import StreamCore

extension VenueSession {
    /// Takes a message of another candlewire server. Offsets tell repeated messages and holes; what the server left out
    /// because a reader was slow (`skipped`) counts as missing: the candles made of this session have a gap there.
    mutating func receiveCandlewire(_ bytes: UnsafeRawBufferPointer) throws(VenueParseError) -> VenueMessageKind {
        switch try CandlewireParser.parse(bytes) {
        case .tick(var trade, let symbol, let timeframe, let offset):
            if let market = symbols.find(symbol) {
                trade.market = market
                switch progress[market]?.take(timeframe, offset: offset) ?? .repeated {
                case .new(let missing): counts.addMissing(missing)
                case .repeated: return .trades
                case .duplicate:
                    counts.duplicates += 1
                    return .trades
                }
                priceDecimals[market] = max(priceDecimals[market], trade.priceDecimals)
            } else {
                trade.market = open(symbol.string, priceDecimals: trade.priceDecimals)
                progress[trade.market] = CandlewireProgress(timeframe: timeframe, offset: offset)
            }
            counts.trades += 1
            batch.trades.append(trade)
            return .trades
        case .candle(let symbol, let timeframe, let offset):
            if let market = symbols.find(symbol),
                case .new(let missing)? = progress[market]?.take(timeframe, offset: offset)
            {
                counts.addMissing(missing)
            }
            return .candles
        case .position(let symbol, let timeframe, let offset):
            if let market = symbols.find(symbol) { progress[market]?.move(timeframe, to: offset) }
        case .skipped(let symbol, let timeframe, let count):
            if let market = symbols.find(symbol), progress[market]?.skip(timeframe, count) == true {
                counts.addMissing(Int64(count))
            }
        case .other: return .other
        }
        return .status
    }
}
