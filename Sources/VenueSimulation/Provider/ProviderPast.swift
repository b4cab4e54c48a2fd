import MarketModel

/// What traded so far: the trades of a session, as if it had been played over and over.
struct ProviderPast {
    private let market: VenueMarket
    /// Seconds that the present round's times are moved by.
    private let shift: Int64

    /// How far it reaches back, seconds: two weeks.
    private static let maxAge = 1_209_600

    init(_ market: VenueMarket, shift: Int64) {
        self.market = market
        self.shift = shift
    }

    /// Finished candles and the running one, oldest first, of all that traded until a moment.
    /// - Parameters:
    ///   - length: seconds; a part of a minute, or whole minutes.
    ///   - limit: the most candles; the newest are kept.
    func candles(_ symbol: String, length: Int, limit: Int, until: Double) -> [Candle] {
        let slot = min(length, 60)
        let (period, offset) = (market.session.period / slot, Int(shift) / slot)
        let known = slots(symbol, slot)
        guard let first = known.keys.min() else { return [] }
        let timeframe = Timeframe.allCases.first { Int($0.seconds) == length } ?? .m1
        let oldest = timeframe.bucketStart(of: until - Double(min(Self.maxAge, length * (limit - 1))))
        let last = Int((until / Double(slot)).rounded(.down))
        var found: [Candle] = []
        for index in Int(oldest) / slot...max(Int(oldest) / slot, last) {
            let turn = index - offset - first
            let recorded = first + (turn % period + period) % period
            guard var candle = known[recorded] else { continue }
            if index == last {
                let moved = Double((index - recorded) * slot)
                guard let running = slots(symbol, slot, until: until - moved)[recorded] else { continue }
                candle = running
            }
            candle.timestamp = timeframe.bucketStart(of: Double(index * slot))
            if found.last?.timestamp == candle.timestamp {
                found[found.count - 1].add(candle)
            } else {
                found.append(candle)
            }
        }
        return found.suffix(limit)
    }

    /// The recording's own candles, by their number since 1970.
    /// - Parameter until: later trades are left out; a time of the recording.
    private func slots(_ symbol: String, _ length: Int, until: Double = .infinity) -> [Int: Candle] {
        var slots: [Int: Candle] = [:]
        for placed in market.trades[symbol] ?? [] {
            let time = Double(placed.trade.time) / 1e9
            guard time <= until, let price = Double(placed.trade.price), let size = Double(placed.trade.size) else {
                continue
            }
            let index = Int(placed.trade.time / 1_000_000_000) / length
            let candle = Candle(at: Double(index * length), price, volume: size)
            if slots[index]?.add(candle) == nil { slots[index] = candle }
        }
        return slots
    }
}
