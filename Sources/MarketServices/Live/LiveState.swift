internal import Foundation
internal import MarketModel
internal import Synchronization
package import TradingCore

/// What the live services know, and the channels they publish it to: fed by the stream and by the answers to requests, which may cross
/// each other.
final class LiveState<Mode: TradingMode>: Sendable {
    private struct State {
        var orders: ServiceList<Order<Mode>>
        var fills: ServiceList<Fill<Mode>>
        var events: ServiceList<ServiceEvent>
        var feed: String?
        var ledger: String?
    }

    let channels = ServiceChannels<Mode>()

    private let state: Mutex<State>

    init(kept: Int) {
        state = Mutex(
            State(
                orders: ServiceList(limit: kept), fills: ServiceList(limit: kept), events: ServiceList(limit: kept)))
    }

    /// The server's own state, as it last reported it.
    var server: (feed: String?, ledger: String?) { state.withLock { ($0.feed, $0.ledger) } }

    // Everything is sent under the lock: two that send at the same time must not overtake each other.

    /// A message of a channel.
    /// - Throws: a decoding error, and then nothing has changed.
    func apply(_ bytes: some Sequence<UInt8>) throws {
        let message = try JSONDecoder().decode(ChannelDocument<Mode>.self, from: Data(bytes))
        state.withLock { state in
            if let orders = message.orders {
                state.orders.apply(.snapshot(orders, missed: 0))
                channels.orders.send(all: state.orders.items)
            }
            if let fills = message.fills {
                state.fills.apply(.snapshot(fills, missed: 0))
                channels.fills.send(all: state.fills.items)
            }
            if let events = message.events {
                state.events.apply(.snapshot(events, missed: 0))
                channels.events.send(all: state.events.items)
            }
            if let order = message.order { place(order, &state) }
            if let fill = message.fill, state.fills.place(fill) { channels.fills.send(fill, all: state.fills.items) }
            if let event = message.event, state.events.place(event) {
                channels.events.send(event, all: state.events.items)
            }
            if let feed = message.feed { state.feed = feed.state }
            if let ledger = message.ledger { state.ledger = ledger }
            if let positions = message.positions { channels.positions.send(positions) }
            if let portfolios = message.portfolios { channels.portfolio.send(portfolios) }
            if let markets = message.markets { channels.markets.send(markets) }
        }
    }

    /// An order from the answer to a request.
    func apply(_ order: Order<Mode>) { state.withLock { place(order, &$0) } }

    private func place(_ order: Order<Mode>, _ state: inout State) {
        if state.orders.place(order) { channels.orders.send(order, all: state.orders.items) }
    }
}

// The answers of the server's REST interface, as far as the services need them. Unknown members are ignored.

// Lists come as the one member of a document.
struct MarketsDocument: Decodable { var markets: [MarketInfo] }
struct OrdersDocument<Mode: TradingMode>: Decodable { var orders: [Order<Mode>] }
struct PositionsDocument<Mode: TradingMode>: Decodable { var positions: [Position<Mode>] }
struct FillsDocument<Mode: TradingMode>: Decodable { var fills: [Fill<Mode>] }
struct EquityDocument: Decodable { var points: [EquityPoint] }
struct EventsDocument: Decodable { var events: [ServiceEvent] }
struct AccountsDocument: Decodable { var accounts: [AccountInfo] }

struct PortfoliosDocument: Decodable {
    var mode: String?
    var portfolios: [Portfolio]
}

/// A candle of `GET /v1/candles`.
struct CandleDocument: Decodable {
    var timestamp: Double
    var open: Double
    var high: Double
    var low: Double
    var close: Double
    var volume: Double

    var candle: Candle { Candle(timestamp: timestamp, open: open, high: high, low: low, close: close, volume: volume) }
}

/// What an account was worth at a time.
package struct EquityPoint: Decodable, Hashable, Sendable {
    /// Seconds since 1970 UTC.
    package var timestamp: Double
    package var equity: ExactDecimal
}

/// An account of a server, of whichever mode.
package struct AccountInfo: Decodable, Hashable, Sendable {
    package var id: String
    /// Seconds since 1970 UTC.
    package var createdAt: Double?
    package var portfolios: [Portfolio]

    enum CodingKeys: String, CodingKey {
        case id, portfolios
        case createdAt = "created_at"
    }
}

/// A message of one of the stream's channels. Which members it has depends on the channel.
struct ChannelDocument<Mode: TradingMode>: Decodable {
    struct Feed: Decodable { var state: String? }

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

/// The body of a request that places or previews an order: the members that differ from what the server assumes, and the
/// account.
struct PlaceBody: Encodable, Sendable {
    var request: OrderRequest
    var account: String

    enum CodingKeys: CodingKey { case account }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(account, forKey: .account)
        try request.encode(to: encoder, omitsDefaults: true)
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

/// What becomes of one of the two orders that protect a position.
package enum BracketPrice: Hashable, Sendable {
    /// The order stays as it is.
    case unchanged
    /// The order is removed.
    case none
    case price(ExactDecimal)

    package init(_ price: ExactDecimal?) { self = price.map(Self.price) ?? .none }
}

/// An absent member leaves the order as it is; `null` removes it.
struct BracketBody: Encodable, Sendable {
    var takeProfit: BracketPrice
    var stopLoss: BracketPrice

    enum CodingKeys: String, CodingKey {
        case takeProfit = "take_profit"
        case stopLoss = "stop_loss"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        for (key, change) in [(CodingKeys.takeProfit, takeProfit), (.stopLoss, stopLoss)] {
            switch change {
            case .unchanged: break
            case .none: try container.encodeNil(forKey: key)
            case .price(let price): try container.encode(price, forKey: key)
            }
        }
    }
}

/// The body of a request that opens or resets an account.
struct AccountBody: Encodable, Sendable {
    var name: String?
    var currency: String?
    var capital: ExactDecimal?
}
