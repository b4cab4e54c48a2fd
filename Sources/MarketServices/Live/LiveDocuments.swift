internal import TradingCore

/// The answers of the server's REST interface, as far as the services need them. Unknown members are ignored.
struct MarketsDocument: Decodable {
    var markets: [MarketInfo]
}

struct OrdersDocument<Mode: TradingMode>: Decodable {
    var orders: [Order<Mode>]
}

struct PositionsDocument<Mode: TradingMode>: Decodable {
    var positions: [Position<Mode>]
}

struct FillsDocument<Mode: TradingMode>: Decodable {
    var fills: [Fill<Mode>]
}

struct PortfoliosDocument: Decodable {
    var mode: String?
    var portfolios: [Portfolio]
}

struct EventsDocument: Decodable {
    var events: [ServiceEvent]
}

/// An answer of which only the status counts.
struct AnyDocument: Decodable {
    init(from decoder: any Decoder) throws {}
}

/// A message of one of the stream's channels. Which members it has depends on the channel.
struct ChannelDocument<Mode: TradingMode>: Decodable {
    struct Feed: Decodable {
        var state: String?
    }

    var type: String
    var orders: [Order<Mode>]?
    var order: Order<Mode>?
    var fills: [Fill<Mode>]?
    var fill: Fill<Mode>?
    var positions: [Position<Mode>]?
    var portfolios: [Portfolio]?
    var markets: [MarketInfo]?
    var events: [ServiceEvent]?
    var event: ServiceEvent?
    var feed: Feed?
    var ledger: String?
}

// MARK: What is sent

/// The body of a request that places or previews an order: the order's own members, and whose it is.
struct PlaceBody: Encodable, Sendable {
    var request: OrderRequest
    var account: String

    enum CodingKeys: String, CodingKey { case account }

    func encode(to encoder: any Encoder) throws {
        try request.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(account, forKey: .account)
    }
}

/// The body of a request that closes or reverses a position.
struct CloseBody: Encodable, Sendable {
    var quantity: ExactDecimal?
    var clientOrderID: String

    enum CodingKeys: String, CodingKey {
        case quantity
        case clientOrderID = "client_order_id"
    }
}

/// Both members are always there: `null` takes an order away.
struct BracketBody: Encodable, Sendable {
    var takeProfit: ExactDecimal?
    var stopLoss: ExactDecimal?

    enum CodingKeys: String, CodingKey {
        case takeProfit = "take_profit"
        case stopLoss = "stop_loss"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(takeProfit, forKey: .takeProfit)
        try container.encode(stopLoss, forKey: .stopLoss)
    }
}
