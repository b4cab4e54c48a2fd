// Markets, trading, portfolio and events behind the same protocols, simulated or live: only the line that makes the
// container differs.
//
//   swift run example-trading-services                          simulated, no network
//   swift run example-trading-services http://127.0.0.1:8080    a server: candlewire serve --port 8080
//   swift run example-trading-services own                      a container of your own: OwnBackend.swift

import MarketServices
import TradingCore

let services: any ServiceContainer<Paper>
switch CommandLine.arguments.dropFirst().first {
case nil: services = try SimulatedServiceContainer()
case "own": services = try OwnContainer()
case let url?: services = try LiveServiceContainer<Paper>(LiveServiceSettings(url: url))
}

try await services.connect()
let screen = Screen(services)
try await screen.showMarkets()
try await screen.trade("BTC-USD")
await screen.showAccount()
await services.shutDown()
print("done")
