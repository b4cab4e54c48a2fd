/// The server's documents, as far as tables show them. Decimals are text and stay as they are.

/// An exact decimal: the server writes text; a number is taken, too.
struct DecimalText {
    let text: String
}

extension DecimalText: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.text = text
        } else if let number = try? container.decode(Int.self) {
            text = "\(number)"
        } else {
            text = "\(try container.decode(Double.self))"
        }
    }
}

struct OrderDocument: Decodable {
    struct Trail: Decodable {
        var amount: DecimalText?
        var percent: DecimalText?
    }

    var id: String
    var clientOrderId: String?
    var account: String?
    var symbol: String
    var side: String
    var type: String
    var timeInForce: String?
    var status: String
    var quantity: DecimalText
    var filledQuantity: DecimalText
    var averageFillPrice: DecimalText?
    var limitPrice: DecimalText?
    var stopPrice: DecimalText?
    var trail: Trail?
    var leverage: Int?
    var postOnly: Bool?
    var reduceOnly: Bool?
    var reason: String?
    var createdAt: Double
    var version: Int?
}

struct OrdersDocument: Decodable {
    var account: String
    var orders: [OrderDocument]
}

struct PreviewDocument: Decodable {
    struct Problem: Decodable {
        var field: String?
        var message: String
    }

    var cost: DecimalText
    var margin: DecimalText
    var fee: DecimalText
    var estimatedPrice: DecimalText?
    var liquidationPrice: DecimalText?
    var availableAfter: DecimalText?
    var currency: String
    var problems: [Problem]
}

struct PositionDocument: Decodable {
    var symbol: String
    var side: String
    var size: DecimalText
    var entryPrice: DecimalText
    var markPrice: DecimalText
    var unrealizedPnl: DecimalText
    var unrealizedPnlPercent: DecimalText
    var pricePercent: DecimalText
    var leverage: Int
    var margin: DecimalText
    var liquidationPrice: DecimalText?
    var takeProfit: DecimalText?
    var stopLoss: DecimalText?
    var currency: String?
}

struct PositionsDocument: Decodable {
    var account: String
    var positions: [PositionDocument]
}

struct PortfolioDocument: Decodable {
    struct Portfolio: Decodable {
        var currency: String
        var equity: DecimalText
        var availableBalance: DecimalText
        var usedMargin: DecimalText
        var heldMargin: DecimalText?
        var unrealizedPnl: DecimalText
        var realizedPnl: DecimalText
        var fees: DecimalText
        var initialCapital: DecimalText
    }

    var account: String
    var portfolios: [Portfolio]
}

struct EquityDocument: Decodable {
    struct Point: Decodable {
        var timestamp: Double
        var equity: DecimalText
    }

    var points: [Point]
}

struct FillDocument: Decodable {
    struct Receipt: Decodable {
        var model: String
        var tradePrice: DecimalText
        var tradeVolume: DecimalText
        var tradeTime: Double
        var tradeUsed: DecimalText
        var slippage: DecimalText
        var latency: Double
        var rule: String
    }

    var id: String
    var orderId: String
    var symbol: String
    var side: String
    var price: DecimalText
    var quantity: DecimalText
    var fee: DecimalText
    var feeCurrency: String?
    var liquidity: String
    var realizedPnl: DecimalText
    var timestamp: Double
    var receipt: Receipt?
}

struct FillsDocument: Decodable {
    var fills: [FillDocument]
}

struct EventDocument: Decodable {
    var id: String
    var type: String
    var symbol: String?
    var message: String
    var timestamp: Double
}

struct EventsDocument: Decodable {
    var events: [EventDocument]
}

struct AccountDocument: Decodable {
    var id: String
    var name: String?
    var createdAt: Double?
    var portfolios: [PortfolioDocument.Portfolio]
}

struct AccountsDocument: Decodable {
    var accounts: [AccountDocument]
}
