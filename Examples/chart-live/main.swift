// A live chart with its past, from a candlewire server, in one call. Start a server first, then run it:
//
//   candlewire serve --port 8080
//   swift run example-chart-live [http://127.0.0.1:8080 [SYMBOL [BARS]]]
//
// It prints each bar when it is complete, and ends after so many of them.

import CandlewireUI
import FinanceChartsKit
import Foundation
import MarketServices

let arguments = CommandLine.arguments.dropFirst() + []
let url = arguments.first ?? "http://127.0.0.1:8080"
let symbol = arguments.dropFirst().first ?? "BTC-USD"
let wanted = Int(arguments.dropFirst(2).first ?? "") ?? 3

let chart = LiveChart(try ServerChartSource(LiveServiceSettings(url: url)), symbol: symbol, timeframe: .s1)
var printed: Double?
var count = 0
while count < wanted {
    try await Task.sleep(for: .milliseconds(100))
    if case .refused(let reason) = chart.status {
        print("refused: \(reason)")
        exit(1)
    }
    // The last bar is still forming.
    for bar in chart.controller.candles.dropLast() where bar.timestamp > printed ?? -.infinity {
        if printed != nil || bar.timestamp == chart.controller.candles.dropLast().last?.timestamp {
            print("\(Int(bar.timestamp)) \(bar.open) \(bar.high) \(bar.low) \(bar.close) \(bar.volume)")
            printed = bar.timestamp
            count += 1
        }
    }
}
print("\(chart.controller.totalCandleCount) bars, \(chart.controller.headline.status)")
