import Foundation
import Testing
import TradingCore

/// The fields as they are on the wire, name by name.
@Suite("Wire documents")
struct WireDocumentTests {
    static let account = try! AccountID<Paper>(name: "main")

    static func keys(_ value: some Encodable) throws -> Set<String> {
        let object = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(value))
        return Set(try #require(object as? [String: Any]).keys)
    }

    static var order: Order<Paper> {
        var order = Order<Paper>(
            id: OrderID(account: account, number: 17),
            request: OrderRequest(
                clientOrderID: "a-1", symbol: "BTC-USD", side: .buy, type: .stopLimit, timeInForce: .day,
                quantity: d("0.05"), limitPrice: 65000, stopPrice: d("64900.5"), trail: .percent(d("1.5")),
                postOnly: true,
                reduceOnly: false, leverage: 5, takeProfit: 70000, stopLoss: 60000, ocoGroup: "g"),
            currency: "USD", status: .partiallyFilled, referencePrice: 65000, time: 1_700_000_000.25,
            parent: OrderID(account: account, number: 3), reason: "why")
        order.filledQuantity = d("0.01")
        order.averageFillPrice = d("64999.99")
        return order
    }

    static let fill = Fill<Paper>(
        id: FillID(account: account, number: 9), orderID: OrderID(account: account, number: 17), symbol: "BTC-USD",
        side: .buy, price: d("64999.99"), quantity: d("0.01"), fee: Money(d("0.32499995"), "USD"), liquidity: .maker,
        realizedPnL: Money(0, "USD"), time: 1_700_000_001,
        receipt: FillReceipt(
            model: "volume", tradePrice: d("64990"), tradeVolume: d("0.02"), tradeTime: 1_700_000_001,
            tradeUsed: d("0.01"),
            slippage: 0, latency: 0, rule: "A sentence."))

    @Test("an order has the documented keys, goes round, and is refused as a live one")
    func order() throws {
        let keys = try Self.keys(Self.order)
        #expect(
            keys.isSuperset(of: [
                "id", "client_order_id", "account", "mode", "symbol", "side", "type", "time_in_force", "status",
                "quantity",
                "filled_quantity", "average_fill_price", "limit_price", "stop_price", "trail", "leverage", "post_only",
                "reduce_only", "parent", "oco_group", "take_profit", "stop_loss", "reason", "created_at", "updated_at",
                "version",
            ]))
        let data = try JSONEncoder().encode(Self.order)
        #expect(try JSONDecoder().decode(Order<Paper>.self, from: data) == Self.order)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Order<Live>.self, from: data) }
    }

    @Test("an order with words of a later version keeps them, and unknown keys do no harm")
    func laterVersion() throws {
        var object = try #require(
            JSONSerialization.jsonObject(with: JSONEncoder().encode(Self.order)) as? [String: Any])
        object["status"] = "pending_review"
        object["type"] = "iceberg"
        object["new_key"] = 1
        let order = try JSONDecoder().decode(Order<Paper>.self, from: JSONSerialization.data(withJSONObject: object))
        #expect(order.status == .unknown("pending_review"))
        #expect(!order.status.isActive && !order.status.isDone)
        #expect(order.type == .unknown("iceberg"))
        let again = try JSONSerialization.jsonObject(with: JSONEncoder().encode(order)) as? [String: Any]
        #expect(again?["status"] as? String == "pending_review")
    }

    @Test("a fill has the documented keys, its receipt too, and goes round")
    func fillDocument() throws {
        #expect(
            try Self.keys(Self.fill) == [
                "id", "order_id", "symbol", "side", "price", "quantity", "fee", "fee_currency", "liquidity",
                "realized_pnl",
                "timestamp", "receipt",
            ])
        #expect(
            try Self.keys(Self.fill.receipt) == [
                "model", "trade_price", "trade_volume", "trade_time", "trade_used", "slippage", "latency", "rule",
            ])
        #expect(try JSONDecoder().decode(Fill<Paper>.self, from: JSONEncoder().encode(Self.fill)) == Self.fill)
    }

    @Test("a request may leave out what has a default, and says which field cannot be read")
    func request() throws {
        let short = #"{"client_order_id":"x","symbol":"BTC-USD","side":"buy","type":"market","quantity":"0.5"}"#
        let request = try JSONDecoder().decode(OrderRequest.self, from: Data(short.utf8))
        #expect(
            request
                == OrderRequest(clientOrderID: "x", symbol: "BTC-USD", side: .buy, type: .market, quantity: d("0.5")))
        let full = OrderRequest(
            clientOrderID: "a", symbol: "B", side: .sell, type: .trailingStop, timeInForce: .ioc, quantity: 1,
            limitPrice: 2,
            stopPrice: 3, trail: .amount(4), postOnly: true, reduceOnly: true, leverage: 5, takeProfit: 6, stopLoss: 7,
            ocoGroup: "o")
        #expect(try JSONDecoder().decode(OrderRequest.self, from: JSONEncoder().encode(full)) == full)
        let bad =
            #"{"client_order_id":"x","symbol":"BTC-USD","side":"buy","type":"limit","quantity":"1","limit_price":"abc"}"#
        do {
            _ = try JSONDecoder().decode(OrderRequest.self, from: Data(bad.utf8))
            Issue.record("abc is no price")
        } catch DecodingError.dataCorrupted(let context) {
            #expect(context.codingPath.map(\.stringValue) == ["limit_price"])
        }
        for trail in ["{}", #"{"amount":"1","percent":"2"}"#] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Trail.self, from: Data(trail.utf8)) }
        }
    }

    @Test("a request to a server leaves out what has a default, and reads back as the same; an order has every field")
    func omittedDefaults() throws {
        struct Sent: Encodable {
            let request: OrderRequest
            func encode(to encoder: any Encoder) throws { try request.encode(to: encoder, omitsDefaults: true) }
        }
        let required: Set = ["client_order_id", "symbol", "side", "type", "quantity"]
        let plain = OrderRequest(clientOrderID: "x", symbol: "BTC-USD", side: .buy, type: .market, quantity: 1)
        #expect(try Self.keys(Sent(request: plain)) == required)
        #expect(try Self.keys(plain) == required.union(["time_in_force", "post_only", "reduce_only"]))
        var other = plain
        other.timeInForce = .ioc
        other.postOnly = true
        other.reduceOnly = true
        #expect(try Self.keys(Sent(request: other)) == Self.keys(other))
        for request in [plain, other] {
            let data = try JSONEncoder().encode(Sent(request: request))
            #expect(try JSONDecoder().decode(OrderRequest.self, from: data) == request)
        }
    }

    @Test("a position has the documented keys and goes round")
    func position() throws {
        let position = Position<Paper>(
            id: PositionID(account: Self.account, symbol: "BTC-USD"), side: .long, size: d("0.05"), entryPrice: 65000,
            markPrice: d("67234.5"), unrealizedPnL: d("111.725"), pricePercent: d("3.43769231"),
            marginPercent: d("17.18846154"), leverage: 5, margin: 650, liquidationPrice: 52000, realizedPnL: 0,
            takeProfit: 1,
            stopLoss: 2, currency: "USD", createdAt: 1, updatedAt: 2)
        #expect(
            try Self.keys(position) == [
                "id", "account", "mode", "symbol", "side", "size", "entry_price", "mark_price", "unrealized_pnl",
                "unrealized_pnl_percent", "price_percent", "leverage", "margin", "liquidation_price", "realized_pnl",
                "take_profit", "stop_loss", "currency", "created_at", "updated_at",
            ])
        #expect(try JSONDecoder().decode(Position<Paper>.self, from: JSONEncoder().encode(position)) == position)
    }

    @Test("a portfolio has the documented keys, and one of another backend is read without our additions")
    func portfolio() throws {
        let portfolio = Portfolio(
            currency: "USD", equity: 1, availableBalance: 2, usedMargin: 3, heldMargin: 4, unrealizedPnL: 5,
            realizedPnL: 6,
            fees: 7, initialCapital: 8, writtenOff: 9, maintenanceMargin: 10, lastUpdated: 11)
        #expect(
            try Self.keys(portfolio).isSuperset(of: [
                "currency", "equity", "available_balance", "used_margin", "unrealized_pnl", "realized_pnl", "fees",
                "initial_capital", "last_updated",
            ]))
        #expect(try JSONDecoder().decode(Portfolio.self, from: JSONEncoder().encode(portfolio)) == portfolio)
        var object = try #require(
            JSONSerialization.jsonObject(with: JSONEncoder().encode(portfolio)) as? [String: Any])
        for key in ["held_margin", "written_off", "maintenance_margin"] { object[key] = nil }
        let short = try JSONDecoder().decode(Portfolio.self, from: JSONSerialization.data(withJSONObject: object))
        #expect(short.heldMargin == 0 && short.equity == 1)
    }

    @Test("each ledger event goes round through JSON, and an unknown kind is an error")
    func ledger() throws {
        let call = MarginCall(currency: "USD", equity: 1, maintenanceMargin: 2, writtenOff: 3)
        let order = Self.order
        let events: [LedgerEvent<Paper>] = [
            .accountOpened(capital: [Money(100_000, "USD"), Money(1, "EUR")]), .deposited(Money(5, "USD")),
            .orderAccepted(order), .orderRejected(order), .orderAmended(order), .orderTriggered(order),
            .trailMoved(order),
            .orderFilled(Self.fill, order), .orderCancelled(order), .orderExpired(order),
            .leverageChanged(symbol: "BTC-USD", leverage: 7), .liquidationWarned(call), .marginRestored(call),
            .liquidated(call), .accountReset(capital: []), .accountDeleted(AccountEnd(nextOrder: 7, nextFill: 3)),
        ]
        #expect(Set(events.map(\.kind)) == Set(LedgerEvent<Paper>.Kind.allCases))
        for (index, event) in events.enumerated() {
            let entry = LedgerEntry(account: Self.account, sequence: index + 1, time: 1.5, event: event)
            let data = try JSONEncoder().encode(entry)
            #expect(try JSONDecoder().decode(LedgerEntry<Paper>.self, from: data) == entry)
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(LedgerEntry<Live>.self, from: data) }
        }
        let unknown = #"{"account":"paper-main","sequence":1,"time":0,"event":{"kind":"teleported"}}"#
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(LedgerEntry<Paper>.self, from: Data(unknown.utf8))
        }
    }

    @Test("settings that cannot be are named")
    func settings() {
        #expect(PaperSettings().problems.isEmpty)
        var settings = PaperSettings(
            fillModel: .volume(participation: d("1.1")), feeModel: .rates(maker: d("-0.01"), taker: d("0.001")),
            slippageModel: .basisPoints(-1), latency: .uniform(min: 2, max: 1), maintenanceRate: 1, warningFactor: 0,
            maxLeverage: 0, maxActiveOrders: 0)
        #expect(
            settings.problems.compactMap(\.field) == [
                "participation", "maker", "basis_points", "latency", "maintenance_rate", "warning_factor",
                "max_leverage",
                "max_active_orders",
            ])
        settings = PaperSettings(fillModel: .random(chance: .nan, every: 0), latency: .fixed(.nan))
        #expect(settings.problems.compactMap(\.field) == ["chance", "every", "latency"])
    }
}
