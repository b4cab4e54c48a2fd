// A chart from nothing to a picture file. Run it with: swift run example-chart-quick-start [chart.png]

import FinanceChartsKit
import Foundation

// A made-up market. An app has its history, an array of candles, and its ticks from a provider.
var market = SimulatedTicks(seed: 7, price: 250)
let now = 1_763_700_000.0
let history = market.history(300, .m5, now: now)
let tick = market.next(at: now + 1)
var builder = OHLCBuilder(timeframe: .m5)

// A controller and what it shows, history, and a live tick through a builder.
let controller = ChartController()
controller.symbol = "BTC-USD"
controller.timeframe = .m5
controller.setData(history)  // any order; what cannot be drawn is left out
controller.overlays = [.ema20, .bollinger20]
controller.indicators = [.rsi14]

controller.apply(builder.ingest(tick))  // all that the tick changed: a late one corrects its bar

// A quarter of an hour more, each tick as one change of the picture.
for second in 2...900 { controller.apply(builder.ingest(market.next(at: now + Double(second)))) }
controller.setConnectionStatus(true)

// What people ask of a chart.
controller.setZoom(0.8)
controller.setCrosshair(x: 400)
let headline = controller.headline
print(headline.ticker, headline.price, headline.percent, headline.timeframe, headline.status)
print("RSI", controller.studyValue(.rsi) ?? .nan, "of", controller.totalCandleCount, "bars")

// The picture of this moment. On Apple's platforms `PriceChartView(controller: controller)` draws it.
#if os(Linux)
    if let path = CommandLine.arguments.dropFirst().first, let snapshot = controller.snapshot() {
        try Data(snapshot.encoded()).write(to: URL(fileURLWithPath: path))
        print(path, snapshot.pixelWidth, "x", snapshot.pixelHeight)
    }
#endif
