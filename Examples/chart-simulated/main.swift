// A chart with a made-up market: history, then one tick a second on the way that live ticks take.
// Run it with: swift run example-chart-simulated [seconds]

import FinanceChartsKit

let seconds = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 3

let controller = ChartController()
controller.symbol = "DEMO"
controller.timeframe = .s5
let provider = SimulatedChartProvider(chartController: controller, seed: 42)
provider.startSimulation()
print(controller.totalCandleCount, "bars of history")

for _ in 0..<seconds {
    try await Task.sleep(for: .seconds(1))
    print(controller.headline.ticker, controller.headline.price, controller.headline.status)
}
provider.stopSimulation()
precondition(!provider.isRunning)
