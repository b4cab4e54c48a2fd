import MarketModel
import Testing
import TradingCore

@Suite("Order types")
struct OrderTypeTests {
    @Test("the volume of a trade fills once, for the first order")
    func ownImpact() throws {
        var desk = Desk()
        desk.trade(100, 5)
        desk.order(.buy, "3")
        let second = desk.order(.buy, "4")
        #expect(desk.fills == ["100 x 3", "100 x 2"])
        #expect(desk.status(second) == .partiallyFilled)
        let third = desk.order(.buy, "1")
        #expect(desk.status(third) == .new)
        desk.trade(101, 2.5)
        #expect(desk.fills == ["100 x 3", "100 x 2", "101 x 2", "101 x 0.5"])
        let used = desk.log.compactMap(\.event.fill).map(\.receipt.tradeUsed)
        #expect(used == [3, 2, 2, d("0.5")])
    }

    @Test("participation leaves a share of each trade to others")
    func participation() throws {
        var settings = Desk.plain
        settings.fillModel = .volume(participation: d("0.1"))
        var desk = Desk(settings)
        desk.trade(100, 5)
        let id = desk.order(.buy, "1")
        #expect(desk.fills == ["100 x 0.5"])
        desk.trade(100, 50)
        #expect(desk.status(id) == .filled)
    }

    @Test("waiting orders are filled by price and then by time")
    func priority() throws {
        var desk = Desk()
        desk.trade(100, 0)
        let late = desk.order(.buy, "1", .limit, limit: "98")
        let early = desk.order(.buy, "1", .limit, limit: "99")
        let third = desk.order(.buy, "1", .limit, limit: "98")
        desk.trade(97, 1.5)
        #expect(desk.status(early) == .filled)
        #expect(desk.state(late).filledQuantity == d("0.5"))
        #expect(desk.status(third) == .new)
        desk.trade(100, 0)
        // A smaller quantity keeps the place; a larger one loses it.
        try desk.exchange.amend(late, OrderChange(quantity: d("2")), now: desk.time)
        desk.trade(97, 1)
        #expect(desk.status(third) == .filled)
        #expect(desk.state(late).filledQuantity == d("0.5"))
    }

    @Test(
        "a limit order that the market is beyond trades at the market's price while it lasts, and then waits at its limit"
    )
    func marketableLimit() throws {
        var desk = Desk()
        desk.trade(100, 1)
        let id = desk.order(.buy, "4", .limit, limit: "102")
        desk.trade(101, 1)
        desk.trade(103, 1)
        desk.trade(100, 1)
        #expect(desk.fills == ["100 x 1", "101 x 1", "102 x 1"])
        #expect(desk.log.compactMap(\.event.fill).map(\.liquidity) == [.taker, .taker, .maker])
        #expect(desk.status(id) == .partiallyFilled)
    }

    @Test("IOC fills what there is and cancels the rest; FOK fills all or nothing")
    func timeInForce() throws {
        var desk = Desk()
        desk.trade(100, 3)
        let whole = desk.order(.buy, "4", tif: .fok)
        #expect(desk.status(whole) == .cancelled)
        #expect(desk.fills.isEmpty)
        let part = desk.order(.buy, "2", tif: .ioc)
        #expect(desk.status(part) == .filled)
        let rest = desk.order(.buy, "2", tif: .ioc)
        #expect(desk.status(rest) == .cancelled)
        #expect(desk.state(rest).filledQuantity == 1)
        desk.trade(100, 3)
        let other1 = desk.order(.sell, "3", .limit, limit: "101", tif: .fok)
        #expect(desk.status(other1) == .cancelled)
        let other2 = desk.order(.sell, "3", .limit, limit: "100", tif: .fok)
        #expect(desk.status(other2) == .filled)
        let other3 = desk.order(.sell, "3", .limit, limit: "100", tif: .ioc)
        #expect(desk.status(other3) == .cancelled)
        #expect(desk.exchange.account.activeOrders().isEmpty)
    }

    @Test("post-only is refused where it would trade, and waits where it would not")
    func postOnly() throws {
        var desk = Desk()
        desk.trade(100, 3)
        guard case .rejected(let problem, let order?) = desk.place(.buy, "1", .limit, limit: "100", postOnly: true)
        else {
            Issue.record("not refused")
            return
        }
        #expect(problem.code == .wouldTrade && problem.field == "post_only")
        #expect(order.status == .rejected && order.reason != nil)
        let other4 = desk.order(.buy, "1", .limit, limit: "99.99", postOnly: true)
        #expect(desk.status(other4) == .new)
    }

    @Test("a stop waits for its price, from above and from below, and then trades as a market order")
    func stops() throws {
        var desk = Desk()
        desk.trade(100, 0)
        let above = desk.order(.buy, "1", .stop, stop: "105")
        let below = desk.order(.sell, "1", .stop, stop: "95")
        desk.trade(104.99, 5)
        desk.trade(95.01, 5)
        #expect(desk.status(above) == .new && desk.status(below) == .new)
        desk.trade(106, 0.4)
        #expect(desk.state(above).isTriggered)
        #expect(desk.status(above) == .partiallyFilled)
        desk.trade(107, 5)
        #expect(desk.fills == ["106 x 0.4", "107 x 0.6"])
        desk.trade(94, 5)
        #expect(desk.fills.last == "94 x 1")
        // One that the market has passed already is triggered at once.
        desk.trade(94, 5)
        let other5 = desk.order(.buy, "1", .stop, stop: "90")
        #expect(desk.status(other5) == .filled)
    }

    @Test("a stop-limit order waits at its limit once it is triggered")
    func stopLimit() throws {
        var desk = Desk()
        desk.trade(100, 0)
        let id = desk.order(.buy, "1", .stopLimit, limit: "105.5", stop: "105")
        desk.trade(106, 5)
        #expect(desk.state(id).isTriggered)
        #expect(desk.status(id) == .new)
        desk.trade(105, 5)
        #expect(desk.fills == ["105.5 x 1"])
    }

    @Test("a trailing stop follows the market in its favour only, and each move is in the log")
    func trailing() throws {
        var desk = Desk()
        desk.trade(100, 10)
        desk.order(.buy, "1")
        let id = desk.order(.sell, "1", .trailingStop, trail: .amount(5), reduceOnly: true)
        #expect(desk.state(id).stopPrice == 95)
        for price in [103.0, 101, 104, 102] { desk.trade(price, 5) }
        #expect(desk.state(id).stopPrice == 99)
        #expect(desk.kinds.filter { $0 == .trailMoved }.count == 3)
        desk.trade(99, 5)
        #expect(desk.status(id) == .filled)
        #expect(desk.fills.last == "99 x 1")

        desk.trade(100, 10)
        let percent = desk.order(.buy, "1", .trailingStop, trail: .percent(d("2.5")))
        #expect(desk.state(percent).stopPrice == d("102.5"))
        desk.trade(80, 5)
        #expect(desk.state(percent).stopPrice == 82)
        desk.trade(82.5, 5)
        #expect(desk.fills.last == "82.5 x 1")
    }

    @Test("a trailing stop that is placed before the first trade starts from it")
    func trailingEarly() throws {
        var desk = Desk()
        guard case .rejected(let problem, nil) = desk.place(.sell, "1", .trailingStop, trail: .amount(5)) else {
            Issue.record("accepted without a price")
            return
        }
        #expect(problem.code == .noPrice)
    }

    @Test("reduce-only never turns a position, and is refused where there is none")
    func reduceOnly() throws {
        var desk = Desk()
        desk.trade(100, 10)
        guard case .rejected(let problem, _?) = desk.place(.sell, "1", reduceOnly: true) else {
            Issue.record("accepted")
            return
        }
        #expect(problem.code == .nothingToReduce && problem.field == "reduce_only")
        desk.order(.buy, "2")
        let id = desk.order(.sell, "5", reduceOnly: true)
        #expect(desk.position == nil)
        #expect(desk.state(id).filledQuantity == 2)
        #expect(desk.status(id) == .cancelled)
    }

    @Test("a bracket ends when its position turns, also where no order waited when it turned before")
    func turnedTwice() throws {
        var desk = Desk()
        desk.trade(100, 10)
        let far = desk.order(.buy, "1", .limit, limit: "50")
        desk.order(.buy, "1")
        _ = try desk.exchange.cancel(far, now: desk.time)
        desk.order(.sell, "2")
        try desk.exchange.setBracket(Desk.market, takeProfit: 90, stopLoss: 110, now: desk.time)
        #expect(desk.exchange.account.activeOrders().count == 2)
        desk.order(.buy, "2")
        #expect(desk.exchange.account.activeOrders().isEmpty)
    }

    @Test("a bracket makes its two closers with the first fill, grows them, and one cancels the other")
    func bracket() throws {
        var desk = Desk()
        desk.trade(100, 1)
        let parent = desk.order(.buy, "3", .limit, limit: "100", takeProfit: "110", stopLoss: "95")
        var closers = desk.exchange.account.activeOrders().filter { $0.parent == parent }
        #expect(closers.map(\.type) == [.limit, .stop])
        #expect(closers.allSatisfy { $0.quantity == 1 && $0.reduceOnly && $0.side == .sell })
        desk.trade(99, 2)
        closers = desk.exchange.account.activeOrders().filter { $0.parent == parent }
        #expect(closers.map(\.quantity) == [3, 3])
        #expect(desk.position?.takeProfit == 110)
        #expect(desk.position?.stopLoss == 95)
        // A part of the profit is realised: the stop protects what is left.
        desk.trade(111, 1)
        #expect(desk.state(closers[1].id).quantity == 2)
        desk.trade(94, 10)
        #expect(desk.position == nil)
        #expect(desk.status(closers[0].id) == .cancelled)
        #expect(desk.status(closers[1].id) == .filled)
        #expect(desk.fills == ["100 x 1", "99 x 2", "110 x 1", "94 x 2"])
        #expect(desk.exchange.account.activeOrders().isEmpty)
    }

    @Test("of a group of its owner's, a filled order cancels the others")
    func group() throws {
        var desk = Desk()
        desk.trade(100, 0)
        let low = desk.order(.buy, "1", .limit, limit: "95", group: "entry")
        let high = desk.order(.buy, "2", .stop, stop: "105", group: "entry")
        desk.trade(106, 1.5)
        #expect(desk.status(high) == .partiallyFilled)
        #expect(desk.status(low) == .cancelled)
    }

    @Test("a position's bracket follows its size and is replaced as a whole")
    func positionBracket() throws {
        var desk = Desk()
        desk.trade(100, 10)
        desk.order(.buy, "2")
        try desk.exchange.setBracket(Desk.market, takeProfit: 120, stopLoss: 90, now: desk.time)
        desk.order(.buy, "1")
        #expect(desk.exchange.account.activeOrders().map(\.quantity) == [3, 3])
        desk.order(.sell, "2")
        #expect(desk.exchange.account.activeOrders().map(\.quantity) == [1, 1])
        try desk.exchange.setBracket(Desk.market, takeProfit: nil, stopLoss: 95, now: desk.time)
        #expect(desk.position?.takeProfit == nil)
        #expect(desk.position?.stopLoss == 95)
        for (profit, loss, field) in [("99", nil, "take_profit"), (nil, "101", "stop_loss"), ("0", nil, "take_profit")]
        {
            do {
                try desk.exchange.setBracket(
                    Desk.market, takeProfit: profit.map(d), stopLoss: loss.map(d), now: desk.time)
                Issue.record("\(field) accepted")
            } catch { #expect(error.field == field) }
        }
        desk.trade(94, 10)
        #expect(desk.position == nil)
        #expect(try desk.replayed() == desk.exchange.account)
    }

    @Test("closing and reversing trade against the position")
    func closeAndReverse() throws {
        var desk = Desk()
        desk.trade(100, 100)
        desk.order(.buy, "2", leverage: 3)
        try desk.exchange.closePosition(Desk.market, quantity: d("0.5"), now: desk.time)
        #expect(desk.position?.size == d("1.5"))
        try desk.exchange.reversePosition(Desk.market, clientOrderID: "turn", now: desk.time)
        #expect(desk.position?.side == .short)
        #expect(desk.position?.size == d("1.5"))
        #expect(desk.position?.leverage == 3)
        // Requested again over a bad connection, nothing turns a second time.
        try desk.exchange.reversePosition(Desk.market, clientOrderID: "turn", now: desk.time)
        #expect(desk.position?.side == .short)
        try desk.exchange.closePosition(Desk.market, now: desk.time)
        #expect(desk.position == nil)
        #expect(throws: TradingRejection.self) { try desk.exchange.closePosition(Desk.market, now: desk.time) }
    }

    @Test("a client order id of another order closes nothing, and that is reported")
    func closeUnderUsedID() throws {
        var desk = Desk()
        desk.trade(100, 100)
        desk.order(.buy, "2")
        let resting = OrderRequest(
            clientOrderID: "rest", symbol: Desk.market, side: .buy, type: .limit, quantity: d("1"), limitPrice: d("50"))
        desk.exchange.place(resting, now: desk.time)
        try desk.exchange.closePosition(Desk.market, quantity: d("0.5"), clientOrderID: "part", now: desk.time)
        for id in ["rest", "part"] {
            let refused = #expect(throws: TradingRejection.self) {
                try desk.exchange.reversePosition(Desk.market, clientOrderID: id, now: desk.time)
            }
            #expect(refused?.code == .duplicateClientOrderID)
        }
        #expect(throws: TradingRejection.self) {
            try desk.exchange.closePosition(Desk.market, clientOrderID: "rest", now: desk.time)
        }
        #expect(desk.position?.size == d("1.5"))
        // A quantity that cannot be is wrong under every id.
        for (quantity, id) in [("-1", "part"), ("0", "part"), ("-1", nil), ("0", "new")] {
            let refused = #expect(throws: TradingRejection.self) {
                try desk.exchange.closePosition(
                    Desk.market, quantity: d(quantity), clientOrderID: id, now: desk.time)
            }
            #expect(refused == TradingRejection(.invalid, field: "quantity", "must be above 0"))
        }
        // The same request again is the same order.
        try desk.exchange.closePosition(Desk.market, quantity: d("0.5"), clientOrderID: "part", now: desk.time)
        #expect(desk.position?.size == d("1.5"))
    }

    @Test("slippage makes takers pay, rounds against them and stops at the limit")
    func slippage() throws {
        var settings = Desk.plain
        settings.slippageModel = .basisPoints(10)
        var desk = Desk(settings)
        desk.trade(100, 10)
        desk.order(.buy, "1")
        desk.order(.sell, "1")
        desk.order(.buy, "1", .limit, limit: "100.04")
        #expect(desk.fills == ["100.1 x 1", "99.9 x 1", "100.04 x 1"])
        #expect(desk.log.compactMap(\.event.fill).map(\.receipt.slippage) == [d("0.1"), d("0.1"), d("0.04")])

        settings.slippageModel = .volumeImpact(basisPoints: 10)
        desk = Desk(settings)
        desk.trade(100, 10)
        desk.order(.buy, "5")
        #expect(desk.fills == ["100.05 x 5"])
    }

    @Test("fees are those of the maker or the taker, rounded up, or so much a fill")
    func fees() throws {
        var settings = Desk.plain
        settings.feeModel = .rates(maker: d("0.0002"), taker: d("0.0005"))
        var desk = Desk(settings)
        desk.trade(100, 10)
        desk.order(.buy, "1")
        desk.order(.buy, "1", .limit, limit: "90")
        desk.trade(89, 5)
        desk.trade(33.333333, 5)
        desk.order(.buy, "0.00000001")
        #expect(desk.log.compactMap(\.event.fill).map(\.fee.amount) == [d("0.05"), d("0.018"), d("0.00000001")])
        #expect(desk.portfolio.fees == d("0.06800001"))
        settings.feeModel = .perFill(d("1.5"))
        desk = Desk(settings)
        desk.trade(100, 1)
        desk.order(.buy, "2")
        desk.trade(100, 1)
        #expect(desk.portfolio.fees == 3)
    }

    @Test("with latency an order meets the market as it is when it arrives")
    func latency() throws {
        var settings = Desk.plain
        settings.latency = .fixed(1.5)
        var desk = Desk(settings)
        desk.trade(100, 10)
        let market = desk.order(.buy, "1")
        let postOnly = desk.order(.buy, "1", .limit, limit: "99", postOnly: true)
        desk.trade(98, 10)
        #expect(desk.status(market) == .new)
        desk.trade(97, 10)
        #expect(desk.fills == ["98 x 1"])
        #expect(desk.log.compactMap(\.event.fill).first?.receipt.latency == 1.5)
        #expect(desk.status(postOnly) == .rejected)
        let cancelled = desk.order(.buy, "1")
        try desk.exchange.cancel(cancelled, now: desk.time)
        desk.trade(90, 10)
        #expect(desk.fills.count == 1)
    }
}
