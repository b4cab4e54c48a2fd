import MarketModel
import Testing
import TradingCore

@Suite("a paused market has no price to trade at")
struct ForgottenPriceTests {
    private static func exchange() throws -> PaperExchange {
        var exchange = try PaperExchange(
            opening: AccountID(name: "main"), settings: PaperSettings(), seed: 7, now: 1_700_000_000)
        exchange.register("BTC-USD", currency: "USD")
        exchange.ingest("BTC-USD", Tick(timestamp: 1_700_000_001, price: 100, volume: 9), now: 1_700_000_001)
        return exchange
    }

    private static func buy(_ id: String, limit: ExactDecimal? = nil) -> OrderRequest {
        OrderRequest(
            clientOrderID: id, symbol: "BTC-USD", side: .buy, type: limit == nil ? .market : .limit, quantity: 1,
            limitPrice: limit)
    }

    @Test("a market order is refused, and a limit order waits for the next trade, whatever it offers")
    func forgotten() throws {
        var exchange = try Self.exchange()
        exchange.forgetPrice(market: 0)
        #expect(exchange.mark("BTC-USD") == nil)
        guard case .rejected(let rejection, _) = exchange.place(Self.buy("a"), now: 1_700_000_900) else {
            Issue.record("filled at the price before the pause")
            return
        }
        #expect(rejection.code == .noPrice)
        exchange.place(Self.buy("b", limit: 150), now: 1_700_000_901)
        #expect(exchange.account.openSymbols.isEmpty)
        exchange.ingest("BTC-USD", Tick(timestamp: 1_700_000_910, price: 140, volume: 9), now: 1_700_000_910)
        #expect(exchange.position("BTC-USD")?.entryPrice == 150, "as one that waited, and not at 100")
    }

    @Test("a market with a position or an order keeps its price, and one that is none of ours is no matter")
    func kept() throws {
        var held = try Self.exchange()
        held.place(Self.buy("a"), now: 1_700_000_002)
        var waiting = try Self.exchange()
        waiting.place(Self.buy("a", limit: 50), now: 1_700_000_002)
        for var exchange in [held, waiting] {
            exchange.forgetPrice(market: 0)
            exchange.forgetPrice(market: 7)
            #expect(exchange.mark("BTC-USD") == 100)
        }
    }
}
