internal import StreamCore
internal import TradingCore

extension Guide {
    /// Only proposed: it becomes a paper order when the user approves the card. The card has every part of the question, or
    /// there is none: an order without its stop is riskier than what was requested.
    static func order(_ question: GuideQuestion, _ snapshot: MarketSnapshot) -> GuideAnswer {
        let sentence = OrderSentence(question)
        guard let symbol = sentence.symbol ?? snapshot.focus else { return whichMarket }
        guard sentence.unclear.isEmpty else { return unclear(sentence.unclear, symbol) }
        guard let side = sentence.side else {
            return GuideAnswer("Buy or sell \(symbol)? For example: \"buy 0.1 \(symbol)\".")
        }
        guard let quantity = sentence.quantity else {
            return GuideAnswer("How much of \(symbol)? For example: \"buy 0.1 \(symbol) at 65000\".")
        }
        guard let quote = snapshot.quote(symbol) else { return GuideAnswer("\(symbol) has no price here.") }
        do {
            var plan = OrderPlan(side, quantity: quantity, quote, isStale: snapshot.isStale(quote))
            try plan.enter(sentence.entry ?? .market)
            try plan.protect(stopLoss: sentence.stopLoss, takeProfit: sentence.takeProfit)
            return card(plan, snapshot.sentence(quote))
        } catch let problem as OrderPlan.Problem {
            return GuideAnswer(problem.isStale ? "\(problem.reason) \(snapshot.sentence(quote))" : problem.reason)
        } catch {
            return GuideAnswer("I propose no order: a price in it is out of range.")
        }
    }

    private static func unclear(_ parts: [String], _ symbol: String) -> GuideAnswer {
        let named = parts.map { "“\($0.prefix(60))”" }.prefix(10).joined(separator: ", ")
        return GuideAnswer(
            """
            I propose no order, because I do not understand \(named); without that it could be riskier than what you want. \
            A card can have a side, a quantity in the base currency, a market or limit price, "when it falls to" a price, a \
            stop loss and a take profit, for example "buy 0.1 \(symbol) with stop loss 2 % below and take profit 4 % above".
            """)
    }

    private static func card(_ plan: OrderPlan, _ price: String) -> GuideAnswer {
        var arguments: [String: JSONValue] = [
            "name": .string(
                "\(plan.side.rawValue.capitalizedFirst) \(MarketSnapshot.grouped(plan.quantity)) \(plan.symbol)"),
            "symbol": .string(plan.symbol), "side": .string(plan.side.rawValue), "order_type": .string(plan.type),
            "quantity": .string(plan.quantity), "description": .string("\(plan.words). \(price)"),
        ]
        let prices = [
            ("limit_price", plan.limitPrice), ("stop_price", plan.stopPrice), ("stop_loss", plan.stopLoss),
            ("take_profit", plan.takeProfit),
        ]
        for (name, value) in prices { if let value { arguments[name] = .string(value.description) } }
        return GuideAnswer(
            "I propose a paper order: \(plan.words). Nothing is traded unless you approve the card. \(price)",
            calls: [ToolCall(name: "create_order_proposal", arguments: arguments)])
    }
}

/// An order of a sentence with its prices, computed from the market and rounded to its decimals.
struct OrderPlan {
    struct Problem: Error {
        var reason: String
        /// The market's last price is too old.
        var isStale = false
    }

    let symbol: String
    let side: OrderSentence.Side
    let quantity: String
    private(set) var type = "market"
    private(set) var limitPrice: ExactDecimal?
    private(set) var stopPrice: ExactDecimal?
    private(set) var stopLoss: ExactDecimal?
    private(set) var takeProfit: ExactDecimal?
    /// The order for people, without a full stop.
    private(set) var words: String

    private let precision: Int
    /// `nil`: there is none, or it is stale.
    private let market: ExactDecimal?
    /// The expected price of the order; legs in percent are computed from it.
    private var reference: ExactDecimal?

    init(_ side: OrderSentence.Side, quantity: String, _ quote: MarketSnapshot.Quote, isStale: Bool) {
        (self.side, self.quantity, symbol) = (side, quantity, quote.symbol)
        precision = min(max(0, quote.precision), 12)
        market = isStale ? nil : quote.price.flatMap { ExactDecimal(nearest: $0) }
        words = "\(side.rawValue) \(MarketSnapshot.grouped(quantity)) \(quote.symbol)"
    }

    mutating func enter(_ entry: OrderSentence.Entry) throws {
        switch entry {
        case .market:
            reference = try present()
            words += " at the market"
        case .limit(let level):
            let price = try resolve(level, from: market, "the limit price").price
            (type, limitPrice, reference) = ("limit", price, price)
            words += " at \(price.grouped)"
        case .reaches(let level, let named):
            let now = try present()
            let price = try resolve(level, from: now, "the price").price
            let direction: OrderSentence.Direction = price < now ? .down : .up
            guard price != now, named == nil || named == direction else {
                throw Problem(
                    reason:
                        "I propose no order: \(symbol) is at \(now.grouped), so it is not \(direction.rawValue) "
                        + "\(price.grouped) that it has to go. Name a price on the other side, or order at the market.")
            }
            // Better than now waits as a limit, worse than now as a stop.
            if (direction == .down) == (side == .buy) {
                (type, limitPrice) = ("limit", price)
            } else {
                (type, stopPrice) = ("stop", price)
            }
            reference = price
            words += " when it \(direction == .down ? "falls" : "rises") to \(price.grouped)"
        }
    }

    mutating func protect(stopLoss: OrderSentence.Level?, takeProfit: OrderSentence.Level?) throws {
        let isBuy = side == .buy
        if let stopLoss { self.stopLoss = try leg(stopLoss, "stop loss", below: isBuy) }
        if let takeProfit { self.takeProfit = try leg(takeProfit, "take profit", below: !isBuy) }
    }

    private mutating func leg(_ level: OrderSentence.Level, _ name: String, below: Bool) throws -> ExactDecimal {
        guard let reference else { throw stale }
        let (price, how) = try resolve(level, from: reference, "the \(name)", implied: below ? .down : .up)
        guard below ? price < reference : price > reference else {
            throw Problem(
                reason: "I propose no order: the \(name) of a \(side.rawValue) order must be "
                    + "\(below ? "below" : "above") its price, \(reference.grouped); it is \(price.grouped).")
        }
        // `stop loss of 500` at 67,000 is a distance or a mistake.
        if case .price = level {
            let ratio = try price.divided(by: reference, rounding: .down)
            guard try ratio.multiplied(by: 2, rounding: .down) >= 1, ratio <= 2 else {
                throw Problem(
                    reason:
                        "Is \(price.grouped) the price of the \(name), or its distance from \(reference.grouped)? For example: \"\(name) "
                        + "at \(reference)\" or \"\(name) \(price) \(below ? "below" : "above")\".")
            }
        }
        words += ", \(name) \(price.grouped)\(how)"
        return price
    }

    /// - Returns: the price, and how it was computed, for people.
    private func resolve(
        _ level: OrderSentence.Level, from reference: ExactDecimal?, _ name: String,
        implied: OrderSentence.Direction? = nil
    ) throws -> (price: ExactDecimal, how: String) {
        let price: ExactDecimal
        var how = ""
        switch level {
        case .price(let text): price = try amount(text, name)
        case .percent(let text, let direction):
            guard let reference else { throw stale }
            guard let direction = direction ?? implied else {
                throw Problem(reason: "Is \(name) \(text) % below or above the market?")
            }
            let percent = try amount(text, name)
            let part = try reference.multiplied(by: percent, rounding: .halfUp).divided(by: 100, rounding: .halfUp)
            price = try direction == .down ? reference - part : reference + part
            how = " (\(text) % \(direction.rawValue) \(reference.grouped))"
        case .distance(let text, let direction):
            guard let reference else { throw stale }
            let part = try amount(text, name)
            price = try direction == .down ? reference - part : reference + part
            how = " (\(MarketSnapshot.grouped(text)) \(direction.rawValue) \(reference.grouped))"
        }
        let rounded = try price.rounded(decimals: precision)
        guard rounded.isPositive else {
            throw Problem(reason: "I propose no order: \(name) must be above 0; it is \(rounded).")
        }
        return (rounded, how)
    }

    private func amount(_ text: String, _ name: String) throws -> ExactDecimal {
        guard let value = ExactDecimal(text), value.isPositive else {
            throw Problem(reason: "I propose no order: \(name) must be a number above 0; it is \(text).")
        }
        return value
    }

    private func present() throws -> ExactDecimal {
        guard let market else { throw stale }
        return market
    }

    private var stale: Problem { Problem(reason: "I propose no market order on a stale price.", isStale: true) }
}
