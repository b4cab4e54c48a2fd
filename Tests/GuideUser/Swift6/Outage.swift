import FinanceChartsKit
import Foundation

/// Shows a chart through an outage: prints a line when a connection ends or begins, and then the bars.
@MainActor
func watchOutage(_ blocks: Blocks) async throws {
    let chart = blocks.chart()
    let provider = WebSocketProvider(url: blocks.stream, chartController: chart, reconnectDelay: 0.2)
    var endings = 0
    provider.log = { line in
        guard line.hasPrefix("disconnected") else { return }
        endings += 1
        if endings == 1 { printLine("\(line); \(chart.connectionStatus)") }
    }
    provider.connect()
    try await eventually("bars") { chart.totalCandleCount > 301 }
    printLine("connected; \(chart.connectionStatus)")
    try await eventually("the end of the connection") { !provider.isConnected }
    // The server may take long to start on a busy machine.
    for _ in 0..<4 where !provider.isConnected {
        do { try await eventually("a new connection") { provider.isConnected } } catch {}
    }
    try expect(provider.isConnected, "it did not reconnect")
    printLine("connected again; \(chart.connectionStatus)")
    let end = (chart.lastCandle?.timestamp ?? 0) + 5
    try await eventually("five more bars") { (chart.lastCandle?.timestamp ?? 0) >= end }
    for bar in chart.candles {
        printLine("\(bar.timestamp) \(bar.open) \(bar.high) \(bar.low) \(bar.close) \(bar.volume)")
    }
}
