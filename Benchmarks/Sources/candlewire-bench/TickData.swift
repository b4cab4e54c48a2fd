import MarketModel

/// One market's trades: irregular, in order, twenty a second on average, prices of two and quantities of eight decimals.
struct TickData {
    var timestamps: [Double] = []
    var prices: [Double] = []
    var volumes: [Double] = []

    init(count: Int, seed: UInt64 = 1) {
        var random = SeededGenerator(seed: seed)
        var milliseconds = 1_700_000_000_000.0
        var price = 61_837.63
        timestamps.reserveCapacity(count)
        prices.reserveCapacity(count)
        volumes.reserveCapacity(count)
        for _ in 0..<count {
            milliseconds += (random.exponential() * 50).rounded()
            price = ((price + random.signedUnit()) * 100).rounded() / 100
            timestamps.append(milliseconds / 1000)
            prices.append(price)
            volumes.append((random.unit() * 2e8).rounded() / 1e8)
        }
    }

    var count: Int { timestamps.count }
}
