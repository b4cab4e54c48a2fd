import StreamCore

extension VenueSession {
    /// Takes a message of another candlewire server. Offsets tell repeated messages and holes; what the server left out
    /// because a reader was slow (`skipped`) counts as missing: the candles made of this session have a gap there.
    mutating func receiveCandlewire(_ bytes: UnsafeRawBufferPointer) throws(VenueParseError) -> Event {
        switch try CandlewireParser.parse(bytes) {
        case .tick(let symbol, let timeframe, let tick, let offset, let decimals):
            guard let market = symbols.find(symbol) else {
                let market = open(symbol.string, priceDecimals: decimals)
                progress[market] = CandlewireProgress(timeframe: timeframe, offset: offset)
                counts.trades += 1
                return .tick(market: market, tick, isNew: true)
            }
            switch progress[market]?.take(timeframe, offset: offset) ?? .repeated {
            case .new(let missing): counts.addMissing(missing)
            case .repeated: return .ignored
            case .duplicate:
                counts.duplicates += 1
                return .duplicate
            }
            counts.trades += 1
            if decimals > priceDecimals[market] { raisePriceDecimals(of: market, to: decimals) }
            return .tick(market: market, tick, isNew: false)
        case .candle(let symbol, let timeframe, let offset):
            if let market = symbols.find(symbol),
                case .new(let missing)? = progress[market]?.take(timeframe, offset: offset)
            {
                counts.addMissing(missing)
            }
        case .position(let symbol, let timeframe, let offset):
            if let market = symbols.find(symbol) { progress[market]?.move(timeframe, to: offset) }
        case .skipped(let symbol, let timeframe, let count):
            if let market = symbols.find(symbol), progress[market]?.skip(timeframe, count) == true {
                counts.addMissing(Int64(count))
            }
        case .other: break
        }
        return .ignored
    }
}
