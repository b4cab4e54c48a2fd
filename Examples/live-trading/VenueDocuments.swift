import MarketServices
import TradingCore

/// An order as the venue has it. Numbers are texts, and stay exact.
struct VenueOrder: Decodable, Sendable {
    var symbol: String
    var orderId: Int
    var clientOrderId: String
    var price: ExactDecimal
    var origQty: ExactDecimal
    var executedQty: ExactDecimal
    var cummulativeQuoteQty: ExactDecimal
    var status: String
    var timeInForce: String
    var type: String
    var side: String
    var time: Double
    var updateTime: Double

    /// The venue's status in our words; a word that we do not have stays the venue's.
    var ourStatus: OrderStatus {
        switch status {
        case "NEW", "PENDING_NEW": .new
        case "PARTIALLY_FILLED": .partiallyFilled
        case "FILLED": .filled
        case "CANCELED": .cancelled
        case "REJECTED": .rejected
        case "EXPIRED", "EXPIRED_IN_MATCH": .expired
        default: .unknown(status)
        }
    }

    /// The same as an order of ours, for one that was placed elsewhere or before a restart.
    func order(_ id: OrderID<Live>, currency: String) -> Order<Live> {
        let isLimit = type == "LIMIT"
        let request = OrderRequest(
            clientOrderID: clientOrderId, symbol: symbol, side: side == "BUY" ? .buy : .sell,
            type: type == "MARKET" ? .market : isLimit ? .limit : .unknown(type),
            timeInForce: TimeInForce(rawValue: timeInForce.lowercased()), quantity: origQty,
            limitPrice: isLimit ? price : nil)
        return Order(
            id: id, request: request, currency: currency, status: .new, referencePrice: price, time: time / 1000)
    }

    /// Brings an order of ours up to date.
    /// - Returns: whether anything is new.
    func update(_ order: inout Order<Live>) -> Bool {
        // What is over stays over, and what is filled stays filled: an answer may be older than what is known.
        guard !order.status.isDone, executedQty >= order.filledQuantity,
            ourStatus != order.status || executedQty != order.filledQuantity
        else { return false }
        order.status = ourStatus
        order.filledQuantity = executedQty
        order.filledCost = cummulativeQuoteQty
        order.averageFillPrice = executedQty.isPositive ? try? cummulativeQuoteQty.divided(by: executedQty) : nil
        order.updatedAt = updateTime / 1000
        order.version += 1
        return true
    }
}

/// A trade of an order.
struct VenueTrade: Decodable, Sendable {
    var id: Int
    var orderId: Int
    var symbol: String
    var price: ExactDecimal
    var qty: ExactDecimal
    var commission: ExactDecimal
    var commissionAsset: String
    var time: Double
    var isBuyer: Bool
    var isMaker: Bool

    func fill(_ order: OrderID<Live>) -> Fill<Live> {
        Fill(
            id: FillID(account: order.account, number: id), orderID: order, symbol: symbol,
            side: isBuyer ? .buy : .sell,
            price: price, quantity: qty, fee: Money(commission, commissionAsset), liquidity: isMaker ? .maker : .taker,
            realizedPnL: Money(.zero, commissionAsset), time: time / 1000,
            receipt: FillReceipt(
                model: "venue", tradePrice: price, tradeVolume: qty, tradeTime: time / 1000, tradeUsed: qty,
                slippage: .zero, latency: 0, rule: "The venue's trade \(id)."))
    }
}
