// Charts with live data: an own provider over a WebSocket, history over REST, and several symbols over one connection
// that comes back by itself. Start a server first, then run it:
//
//   candlewire serve --port 8080
//   swift run example-chart-provider [127.0.0.1:8080]

import FinanceChartsKit
import Foundation
import WebSocketTransport

let host = CommandLine.arguments.dropFirst().first ?? "127.0.0.1:8080"
let stream = "ws://\(host)/v1/stream"

/// Waits until a condition holds, for 20 s at most.
@MainActor
func wait(_ what: String, until isTrue: () -> Bool) async throws {
    for _ in 0..<400 where !isTrue() { try await Task.sleep(for: .milliseconds(50)) }
    guard isTrue() else {
        print("nothing came within 20 s: \(what)")
        exit(1)
    }
}

// 1. An own provider: ticks are validated and joined to bars here.
let bitcoin = ChartController()
bitcoin.symbol = "BTC-USD"
bitcoin.timeframe = .s5
let provider = TickProvider(controller: bitcoin, url: stream)
provider.connect()
try await wait("ticks") { provider.ticks > 5 && bitcoin.totalCandleCount > 100 }
print("provider:", bitcoin.totalCandleCount, "bars,", provider.ticks, "ticks,", provider.rejections.total, "rejected")

// 2. Older bars are fetched when the view comes near the oldest one, one request a second at most.
let history = History(base: "http://\(host)")
for _ in 0..<2 {
    bitcoin.pan(byBars: -bitcoin.totalCandleCount)
    guard bitcoin.needsHistory, let oldest = bitcoin.candle(at: 0)?.timestamp else { break }
    let older = try await history.candles(symbol: bitcoin.symbol, timeframe: bitcoin.timeframe, before: oldest)
    print("history:", bitcoin.prepend(older), "older bars")
}
provider.disconnect()

// 3. Several symbols over one connection. What is not on screen is paused.
let client = try StreamClient(url: stream)
client.connect()
let charts = SymbolCharts { LiveProvider(controller: $0, client: client) }
for symbol in ["BTC-USD", "ETH-USD", "SOL-USD"] { charts.addSymbol(symbol) }
try await wait("three charts") {
    charts.symbols.allSatisfy { (charts.getController(for: $0)?.totalCandleCount ?? 0) > 100 }
}
charts.visibleSymbols = ["ETH-USD"]
charts.pauseInactiveSymbols()
print("paused:", charts.symbols.filter { charts.isPaused($0) }.joined(separator: ", "))
charts.resumeSymbol("BTC-USD")
for symbol in charts.symbols {
    guard let chart = charts.getController(for: symbol) else { continue }
    print(chart.headline.ticker, chart.headline.price, chart.headline.status)
}
for symbol in charts.symbols { charts.removeSymbol(symbol) }
client.disconnect()
