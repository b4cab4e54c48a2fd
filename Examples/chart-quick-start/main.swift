// A chart from nothing to a picture file. Run it with: swift run example-chart-quick-start [chart.png]

import FinanceChartsKit
import Foundation

// 1. A controller, and what it shows. On Apple's platforms `PriceChartView(controller: controller)` draws it.
let controller = ChartController()
controller.symbol = "BTC-USD"
controller.timeframe = .m5
controller.overlays = [.ema20, .bollinger20]
controller.indicators = [.rsi14]

// 2. History: an array of candles in any order. Here a made-up market.
var market = SimulatedTicks(seed: 7, price: 250)
let now = 1_763_700_000.0
let history = market.history(300, .m5, now: now)
controller.setData(history)

// 3. Live ticks through a builder that goes on from the newest bar.
var builder = OHLCBuilder(timeframe: controller.timeframe)
if let last = controller.lastCandle { builder.seed(with: last) }
for second in 1...900 {
    let result = builder.ingest(market.next(at: now + Double(second)))
    if let updated = result.updated { controller.updateLast(updated) }
    if let appended = result.appended { controller.append(appended) }
}
controller.setConnectionStatus(true)

// 4. What people ask of a chart.
controller.setZoom(0.8)
controller.setCrosshair(x: 400)
let headline = controller.headline
print(headline.ticker, headline.price, headline.percent, headline.timeframe, headline.status)
print("RSI", controller.studyValue(.rsi) ?? .nan, "of", controller.totalCandleCount, "bars")

// 5. The picture of this moment.
#if os(Linux)
    if let path = CommandLine.arguments.dropFirst().first, let snapshot = controller.snapshot() {
        try Data(snapshot.encoded()).write(to: URL(fileURLWithPath: path))
        print(path, snapshot.pixelWidth, "x", snapshot.pixelHeight)
    }
#endif
