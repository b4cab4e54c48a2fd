import MarketModel
import Testing
import TradingCore

@Suite("Requests")
struct RequestTests {
    @Test("the same request under a client order id gives the same order; another is refused by name")
    func idempotent() throws {
        var desk = Desk()
        desk.trade(100, 10)
        guard case .accepted(let first) = desk.place(.buy, "1", id: "x") else {
            Issue.record("refused")
            return
        }
        let count = desk.log.count
        #expect(desk.place(.buy, "1", id: "x") == .duplicate(first))
        guard case .rejected(let problem, nil) = desk.place(.buy, "2", id: "x") else {
            Issue.record("accepted")
            return
        }
        #expect(problem.code == .duplicateClientOrderID && problem.field == "client_order_id")
        #expect(desk.log.count == count)
        // An order that has changed since is still the one that was requested.
        let limit = desk.order(.buy, "1", .limit, limit: "90")
        let name = desk.state(limit).clientOrderID
        try desk.exchange.amend(limit, OrderChange(quantity: 3, limitPrice: 91), now: desk.time)
        #expect(desk.place(.buy, "1", .limit, limit: "90", id: name) == .duplicate(desk.state(limit)))
        // And one that a rule refused is not tried again.
        guard case .rejected(_, let refused?) = desk.place(.buy, "9999", leverage: 1, id: "y") else {
            Issue.record("accepted")
            return
        }
        #expect(desk.place(.buy, "9999", leverage: 1, id: "y") == .duplicate(refused))
    }

    @Test("each field that cannot be is named, and nothing is written down")
    func fields() throws {
        var desk = Desk()
        desk.trade(100, 10)
        let before = desk.log.count
        func field(_ result: OrderPlacement) -> String? {
            if case .rejected(let problem, nil) = result { problem.field } else { "not refused" }
        }
        #expect(field(desk.place(.buy, "1", id: "")) == "client_order_id")
        #expect(field(desk.place(.buy, "1", id: "~x")) == "client_order_id")
        #expect(field(desk.place(.buy, "1", id: String(repeating: "x", count: 65))) == "client_order_id")
        #expect(field(desk.place(.buy, "1", symbol: "NO-SUCH")) == "symbol")
        #expect(field(desk.place(.unknown("hold"), "1")) == "side")
        #expect(field(desk.place(.buy, "1", .unknown("iceberg"))) == "type")
        #expect(field(desk.place(.buy, "1", tif: .unknown("gtd"))) == "time_in_force")
        for quantity in ["0", "-1", "1e22", "1000000000000001"] {
            #expect(field(desk.place(.buy, quantity)) == "quantity")
        }
        #expect(field(desk.place(.buy, "1", .limit)) == "limit_price")
        #expect(field(desk.place(.buy, "1", .limit, limit: "-5")) == "limit_price")
        #expect(field(desk.place(.buy, "1", limit: "5")) == "limit_price")
        #expect(field(desk.place(.buy, "1", .stop)) == "stop_price")
        #expect(field(desk.place(.buy, "1", .limit, limit: "5", stop: "6")) == "stop_price")
        #expect(field(desk.place(.buy, "1", .trailingStop)) == "trail")
        #expect(field(desk.place(.buy, "1", .trailingStop, trail: .percent(100))) == "trail")
        #expect(field(desk.place(.buy, "1", trail: .amount(1))) == "trail")
        #expect(field(desk.place(.buy, "1", tif: .ioc, postOnly: true)) == "post_only")
        #expect(field(desk.place(.buy, "1", leverage: 0)) == "leverage")
        #expect(field(desk.place(.buy, "1", leverage: 101)) == "leverage")
        #expect(field(desk.place(.buy, "1", takeProfit: "99")) == "take_profit")
        #expect(field(desk.place(.sell, "1", stopLoss: "99")) == "stop_loss")
        #expect(field(desk.place(.buy, "1", group: "order:1")) == "oco_group")
        #expect(field(desk.place(.buy, "1e15", .limit, limit: "1e15")) == "quantity")
        #expect(desk.log.count == before)
    }

    @Test("what waits is held: an order that the rest does not cover is refused and says what there is")
    func margin() throws {
        var desk = Desk()
        desk.trade(100, 10)
        let first = desk.order(.buy, "900", .limit, limit: "100.5")
        #expect(desk.portfolio.heldMargin == 89445)
        #expect(desk.portfolio.usedMargin == 1000)
        guard case .rejected(let problem, let order?) = desk.place(.buy, "97", .limit, limit: "99.5") else {
            Issue.record("accepted")
            return
        }
        #expect(problem.code == .insufficientMargin && problem.field == "quantity")
        #expect(order.status == .rejected)
        // What only closes needs nothing, even when all is held.
        desk.order(.buy, "95", .limit, limit: "99.5")
        #expect(desk.portfolio.availableBalance == d("102.5"))
        desk.order(.sell, "10", .limit, limit: "200")
        #expect(desk.portfolio.availableBalance == d("102.5"))
        try desk.exchange.cancel(first, now: desk.time)
        #expect(desk.portfolio.heldMargin == d("9452.5"))
        #expect(throws: TradingRejection.self) {
            let last = desk.exchange.account.activeOrders()[0].id
            try desk.exchange.amend(last, OrderChange(quantity: 5000), now: desk.time)
        }
    }

    @Test("leverage is one number a market: another one changes position and orders, where the margin allows it")
    func leverage() throws {
        var desk = Desk()
        desk.trade(100, 1000)
        desk.order(.buy, "500", leverage: 5)
        let waiting = desk.order(.buy, "10", .limit, limit: "90", leverage: 5)
        #expect(desk.portfolio.usedMargin == 10000)
        desk.order(.buy, "1", .limit, limit: "80", leverage: 10)
        #expect(desk.portfolio.usedMargin == 5000)
        #expect(desk.state(waiting).leverage == 10)
        #expect(desk.state(waiting).version == 2)
        try desk.exchange.setLeverage(Desk.market, 1, now: desk.time)
        #expect(desk.portfolio.usedMargin == 50000)
        try desk.exchange.setLeverage(Desk.market, 10, now: desk.time)
        desk.order(.buy, "9000", .limit, limit: "95", leverage: 10)
        #expect(throws: TradingRejection.self) { try desk.exchange.setLeverage(Desk.market, 1, now: desk.time) }
        desk.drain()
        #expect(try desk.replayed() == desk.exchange.account)
    }

    @Test("an order that names no leverage has that of the position and the waiting orders, and changes nothing")
    func unnamedLeverage() throws {
        var desk = Desk()
        desk.trade(100, 1000)
        let first = desk.order(.buy, "1")
        #expect(desk.state(first).leverage == 1)
        desk.order(.buy, "1", leverage: 5)
        #expect(desk.position?.leverage == 5)
        let more = desk.order(.buy, "1")
        let waiting = desk.order(.sell, "9", .limit, limit: "200")
        #expect(desk.state(more).leverage == 5 && desk.state(waiting).leverage == 5)
        #expect(desk.position?.leverage == 5)
        #expect(desk.portfolio.usedMargin == 60)
        // What it needs is a fifth, too.
        let request = OrderRequest(clientOrderID: "p", symbol: Desk.market, side: .buy, type: .market, quantity: 10)
        #expect(desk.exchange.preview(request).margin == 200)
        // A named one still sets it, 1 included.
        desk.order(.buy, "1", leverage: 1)
        #expect(desk.position?.leverage == 1 && desk.state(waiting).leverage == 1)
        // With nothing left it is 1, whatever the last position had.
        try desk.exchange.setLeverage(Desk.market, 7, now: desk.time)
        try desk.exchange.cancel(waiting, now: desk.time)
        try desk.exchange.closePosition(Desk.market, now: desk.time)
        let next = desk.order(.buy, "1")
        #expect(desk.state(next).leverage == 1)
        #expect(try desk.replayed() == desk.exchange.account)
    }

    @Test("a request without a leverage is the same when it is sent again, whatever the market has by then")
    func repeatedWithoutLeverage() throws {
        var desk = Desk()
        desk.trade(100, 1000)
        desk.order(.buy, "1", leverage: 3)
        guard case .accepted(let order) = desk.place(.buy, "1", .limit, limit: "90", id: "again") else {
            Issue.record("refused")
            return
        }
        #expect(order.leverage == 3)
        try desk.exchange.setLeverage(Desk.market, 9, now: desk.time)
        #expect(desk.place(.buy, "1", .limit, limit: "90", id: "again") == .duplicate(desk.state(order.id)))
        guard case .rejected(let problem, nil) = desk.place(.buy, "1", .limit, limit: "90", leverage: 4, id: "again")
        else {
            Issue.record("accepted")
            return
        }
        #expect(problem.code == .duplicateClientOrderID)
    }

    @Test(
        "a margin error has cents: what is needed is rounded up, what there is down",
        arguments: [
            ("BTC-USD", "1333333.3333333", 7, "it needs 19,714,285.72 USD, and 100,000 is available"),
            ("BTC-USD", "200000.123", 1, "it needs 20,100,012.37 USD, and 100,000 is available"),
            ("ETH-BTC", "0.100000001", 1, "it needs 10.05000011 BTC, and 0.33333333 is available"),
        ])
    func marginMessage(symbol: String, quantity: String, leverage: Int, message: String) throws {
        var settings = PaperSettings(feeModel: .rates(maker: 0, taker: d("0.005")))
        settings.initialCapital = [Money(100_000, "USD"), Money(d("0.3333333333"), "BTC")]
        var desk = Desk(settings)
        desk.trade(100, 1, symbol)
        guard case .rejected(let problem, let order?) = desk.place(.buy, quantity, leverage: leverage, symbol: symbol)
        else {
            Issue.record("accepted")
            return
        }
        #expect(problem.code == .insufficientMargin && problem.message == message)
        #expect(order.reason == "quantity: \(message)")
    }

    @Test("an amended order keeps what is filled, and a change for an older version is refused")
    func amend() throws {
        var desk = Desk()
        desk.trade(100, 0)
        let id = desk.order(.buy, "3", .limit, limit: "95")
        desk.trade(94, 1)
        let version = desk.state(id).version
        #expect(throws: TradingRejection.self) {
            try desk.exchange.amend(id, OrderChange(quantity: 1), now: desk.time)
        }
        #expect(throws: TradingRejection.self) {
            try desk.exchange.amend(id, OrderChange(quantity: 2, version: version - 1), now: desk.time)
        }
        let amended = try desk.exchange.amend(
            id, OrderChange(quantity: 2, limitPrice: d("93.5"), version: version), now: desk.time)
        #expect(amended.version == version + 1 && amended.filledQuantity == 1 && amended.limitPrice == d("93.5"))
        #expect(try desk.exchange.amend(id, OrderChange(), now: desk.time).version == version + 1)
        desk.trade(93, 5)
        #expect(desk.fills == ["95 x 1", "93.5 x 1"])
        // Moved over the market, it trades at once.
        desk.trade(100, 5)
        let crossing = desk.order(.buy, "1", .limit, limit: "90")
        #expect(try desk.exchange.amend(crossing, OrderChange(limitPrice: 101), now: desk.time).status == .filled)
    }

    @Test("a preview says what an order would cost, and is right")
    func preview() throws {
        var settings = Desk.plain
        settings.feeModel = .rates(maker: d("0.0002"), taker: d("0.0005"))
        settings.maintenanceRate = d("0.005")
        settings.slippageModel = .basisPoints(10)
        var desk = Desk(settings)
        desk.trade(100, 1000)
        let request = OrderRequest(
            clientOrderID: "p", symbol: Desk.market, side: .buy, type: .market, quantity: 10, leverage: 5)
        let before = desk.exchange.account
        let preview = desk.exchange.preview(request)
        #expect(desk.exchange.account == before)
        #expect(preview.problems.isEmpty)
        #expect(preview.estimatedPrice == d("100.1"))
        #expect(preview.cost == 1001)
        #expect(preview.margin == d("200.2"))
        #expect(preview.fee == d("0.5005"))
        #expect(preview.currency == "USD")
        desk.exchange.place(request, now: desk.time)
        desk.drain()
        #expect(desk.position?.liquidationPrice == preview.liquidationPrice)
        #expect(desk.portfolio.fees == preview.fee)
        // The market is at 100 and the position cost 100.1: the balance lost that too.
        #expect(try desk.portfolio.availableBalance + 1 == preview.availableAfter)
        let bad = desk.exchange.preview(
            OrderRequest(clientOrderID: "", symbol: Desk.market, side: .buy, type: .limit, quantity: 0))
        #expect(bad.problems.compactMap(\.field).contains("quantity"))
        #expect(bad.problems.compactMap(\.field).contains("limit_price"))
        #expect(bad.cost == nil && bad.margin == nil && bad.fee == nil && bad.estimatedPrice == nil)
        #expect(bad.availableAfter == nil && bad.liquidationPrice == nil)
        let big = desk.exchange.preview(
            OrderRequest(
                clientOrderID: "b", symbol: Desk.market, side: .buy, type: .market, quantity: 100_000,
                leverage: 5))
        #expect(big.problems.map(\.field) == ["quantity"])
        #expect(big.cost == 10_010_000 && big.margin == 2_002_000 && big.fee == 5005)
        #expect(big.availableAfter == nil && big.liquidationPrice == nil, "there is nothing after it")
        let huge = desk.exchange.preview(
            OrderRequest(
                clientOrderID: "h", symbol: Desk.market, side: .buy, type: .market, quantity: 1_000_000_000_000_000))
        #expect(huge.problems.map(\.message) == ["makes a cost above 1,000,000,000,000,000"])
        #expect(huge.margin == nil && huge.availableAfter == nil)
        let misplaced = desk.exchange.preview(
            OrderRequest(
                clientOrderID: "m", symbol: Desk.market, side: .buy, type: .limit, quantity: 1,
                limitPrice: d("67151.08"),
                takeProfit: 60_000))
        #expect(
            misplaced.problems.first { $0.field == "take_profit" }?.message
                == "must be above the order's price, 67,151.08")
    }
}
