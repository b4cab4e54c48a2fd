import MarketModel

/// Ticks a second through the aggregator: in a batch, and one at a time with validation.
enum AggregatorBenchmark {
    static let one: [Timeframe] = [.m1]
    static let five: [Timeframe] = [.m1, .m5, .m15, .h1, .d1]

    static func run() {
        let data = TickData(count: 2_000_000)
        for (name, timeframes) in [("one timeframe", one), ("five timeframes", five)] {
            Report.rate(
                "aggregate, batch, \(name)", data.count, Stopwatch.time { batch(data, timeframes) }, unit: "ticks")
            Report.rate(
                "aggregate, tick by tick with validation, \(name)", data.count,
                Stopwatch.time { single(data, timeframes) }, unit: "ticks")
        }
    }

    static func batch(_ data: TickData, _ timeframes: [Timeframe]) {
        var aggregator = TickAggregator(timeframes: timeframes)
        var bars = 0
        var volume = 0.0
        data.timestamps.withUnsafeBufferPointer { timestamps in
            data.prices.withUnsafeBufferPointer { prices in
                data.volumes.withUnsafeBufferPointer { volumes in
                    aggregator.ingest(timestamps: timestamps, prices: prices, volumes: volumes) { bar in
                        bars += 1
                        volume += bar.candle.volume
                    }
                }
            }
        }
        keep((bars, volume))
    }

    static func single(_ data: TickData, _ timeframes: [Timeframe]) {
        var aggregator = TickAggregator(timeframes: timeframes)
        var validator = TickValidator()
        var bars = 0
        var volume = 0.0
        for index in 0..<data.count {
            let tick = Tick(timestamp: data.timestamps[index], price: data.prices[index], volume: data.volumes[index])
            guard validator.check(tick, now: tick.timestamp) == nil else { continue }
            aggregator.ingest(tick) { bar in
                bars += 1
                volume += bar.candle.volume
            }
        }
        keep((bars, volume, validator.accepted))
    }
}
