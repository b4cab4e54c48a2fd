// Trading at a real venue behind `TradingServiceProtocol`, tried against a simulated one: signed requests, client order
// ids, a lost answer, a wrong clock, a restart.
//
//   swift run example-live-trading                             the simulated venue in this process
//   swift run example-live-trading http://127.0.0.1:9000       candlewire simulate binance --recording FILE --port 9000

import Foundation
import HTTPTransport
import MarketServices
import TradingCore
import VenueSimulation

/// The account of every simulated venue. A real key comes from a file or a variable that only its owner can read.
let key = VenueKey(name: "demo", secret: "simulated-secret")
let symbol = "BTCUSDT"

/// A trade each tenth of a second around 67,000, as the venue sends them.
func recording() -> RecordedSession {
    let start = 1_700_000_000_000
    let lines = (0..<300).map { number in
        let time = start + number * 100
        return #"{"stream":"btcusdt@trade","data":{"e":"trade","E":\#(time),"s":"BTCUSDT","t":\#(number),"#
            + #""p":"\#(67_000 + number % 7).00","q":"0.5","T":\#(time),"m":false}}"#
    }
    return RecordedSession(lines: lines, times: (0..<300).map { Int64(start + $0 * 100) * 1_000_000 })
}

/// The venue's own example: https://developers.binance.com/docs/binance-spot-api-docs/rest-api/request-security
let documented = VenueKey(
    name: "vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A",
    secret: "NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j"
).signature(
    of: "symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559"
)
print("documented signature:", documented == "c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71")

var simulator: VenueSimulator?
let address: String
if let given = CommandLine.arguments.dropFirst().first {
    address = given
} else {
    var settings = VenueSettings(pace: .recorded(), times: .now, loops: true)
    // The third order is placed, and its answer never comes.
    settings.lostOrderAnswers = [2]
    let started = try await VenueSimulator.start(.binance, session: recording(), settings: settings)
    simulator = started
    address = started.baseURL.replacing("ws://", with: "http://")
}

/// A service whose machine's clock is `behind` milliseconds late.
func makeService(_ key: VenueKey, behind: Int64 = 0) throws -> (service: LiveTradingService, api: VenueAPI) {
    let api = VenueAPI(address, key: key, transport: .network()) {
        Int64(Date().timeIntervalSince1970 * 1000) - behind
    }
    let account = try AccountID<Live>(name: "venue")
    let desk = VenueDesk(api, account: account, symbols: [symbol], currency: "USDT")
    return (LiveTradingService(desk: desk, account: account), api)
}

func order(_ id: String, _ quantity: String, limit: String? = nil, symbol: String = symbol) -> OrderRequest {
    OrderRequest(
        clientOrderID: id, symbol: symbol, side: .buy, type: limit == nil ? .market : .limit,
        quantity: ExactDecimal(quantity)!, limitPrice: limit.flatMap { ExactDecimal($0) })
}

// A clock that is 8 s behind: connecting reads the venue's.
let (trading, api) = try makeService(key, behind: 8000)
try await trading.desk.connect(every: .milliseconds(100))
print("clock read:", await api.synchronizations, "time")

let run = UInt32.random(in: .min ... .max)
let bought = try await trading.place(order("buy-\(run)", "0.01"))
for await update in trading.fillUpdates {
    var list = ServiceList<Fill<Live>>()
    list.apply(update)
    guard let fill = list.items.first(where: { $0.orderID == bought.id }) else { continue }
    print("bought:", bought.status, fill.quantity, "at", fill.price, "fee", fill.fee)
    break
}

let waiting = try await trading.place(order("wait-\(run)", "0.02", limit: "50000"))
print("waiting:", waiting.status, waiting.id)

// The venue carries this one out, and its answer is lost: it is found by its client order id, and not sent again.
let lost = try await trading.place(order("lost-\(run)", "0.03", limit: "51000"))
let again = try await trading.place(order("lost-\(run)", "0.03", limit: "51000"))
print("lost answer:", lost.status, "the same order:", lost.id == again.id)
print("orders at the venue:", try await trading.desk.countAtVenue(symbol))

let cancelled = try await trading.cancel(waiting.id)
print("cancelled:", cancelled.status)

// A restart knows nothing: what the venue has is what there is.
await trading.desk.shutDown()
let (restarted, _) = try makeService(key)
try await restarted.desk.connect(every: .milliseconds(100))
let found = try await restarted.fetchOrders(OrderFilter(status: .active))
print(
    "after a restart:", found.map(\.clientOrderID) == ["lost-\(run)"], "fills", try await restarted.fetchFills().count)
print("cancelled:", try await restarted.cancel(found[0].id).status)

// Errors, in the services' words.
for request in [order("bad-\(run)", "0.01", symbol: "NOUSDT"), order("none-\(run)", "0", limit: "1")] {
    do throws(ServiceError) { _ = try await restarted.place(request) } catch {
        print("error:", error.kind, error.field ?? "", error.message)
    }
}
let (stranger, _) = try makeService(VenueKey(name: "demo", secret: "a-wrong-secret"))
do throws(ServiceError) { try await stranger.desk.connect(every: .seconds(1)) } catch {
    print("wrong secret:", error.kind, error.message)
}
print("printed key:", key, "\(VenueSigner(key: key))".contains("simulated-secret") ? "shown" : "hidden")
await restarted.desk.shutDown()
await simulator?.stop()
print("done")
