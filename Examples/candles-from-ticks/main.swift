import MarketModel

// The README's first example, with ticks to run it on. Run it with: swift run example-candles-from-ticks

let ticks = [
    Tick(timestamp: 1_700_000_000, price: 37_120.5, volume: 0.1),
    Tick(timestamp: 1_700_000_012, price: 37_131.0, volume: 0.2),
    Tick(timestamp: 1_700_000_041, price: 37_118.2, volume: 0.05),
    Tick(timestamp: 1_700_000_039, price: 37_140.0, volume: 0.4),
]

var builder = OHLCBuilder(timeframe: .m1)
var series = CandleSeries()

for tick in ticks {
    let result = builder.ingest(tick)  // never traps; a rejected tick says why
    if let done = result.appended { series.place(done) }  // the candle that just ended
    if let updated = result.updated { series.place(updated) }  // the forming one, or one that a late tick changed
}
print(series.last!)
