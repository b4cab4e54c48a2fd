import Foundation
import MarketModel
import MarketServices
import Testing
import TradingCore

/// The models as they are on the wire.
@Suite("Service models", .timeLimit(.minutes(15)))
struct WireTests {
    static func keys(_ value: some Encodable) throws -> Set<String> {
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
        return Set(try #require(object as? [String: Any]).keys)
    }

    static func roundTrip<V: Codable & Equatable>(_ value: V) throws -> Bool {
        try JSONDecoder().decode(V.self, from: JSONEncoder().encode(value)) == value
    }

    @Test("a market's fields, by their names on the wire")
    func market() async throws {
        let market = try await Simulation().services.markets.fetchMarket(symbol: "BTC-USD")
        let wanted: Set = [
            "symbol", "base", "quote", "price", "change_24h", "change_percent_24h", "volume_24h", "high_24h", "low_24h",
            "sparkline", "precision", "timestamp", "open_24h", "bid", "ask", "max_leverage",
        ]
        #expect(try Self.keys(market) == wanted)
        #expect(market.id == "BTC-USD" && market.baseCurrency == "BTC" && market.quoteCurrency == "USD")
        #expect(try Self.roundTrip(market))
    }

    @Test("a market's name and trading session, where the venue reports them, and what its price is compared with")
    func session() throws {
        let text =
            #"{"symbol":"AAPL","name":"Apple Inc","base":"AAPL","quote":"USD","precision":3,"price":213.31,"#
            + #""timestamp":null,"open_24h":210,"high_24h":214,"low_24h":205,"volume_24h":1200,"change_24h":3.31,"#
            + #""change_percent_24h":1.5762,"sparkline":[],"session":{"date":"2024-08-08","open":213.11,"#
            + #""high":213.9,"low":208.83,"change":0.2,"change_percent":0.0938}}"#
        var market = try JSONDecoder().decode(MarketInfo.self, from: Data(text.utf8))
        let session = MarketSession(
            date: "2024-08-08", open: 213.11, high: 213.9, low: 208.83, change: 0.2, changePercent: 0.0938)
        #expect((market.name, market.session) == ("Apple Inc", session))
        #expect(try Self.roundTrip(market))
        let ofSession = ComparisonPeriod(
            kind: .session, open: 213.11, high: 213.9, low: 208.83, change: 0.2, changePercent: 0.0938)
        #expect(market.comparison == ofSession)
        market.session = nil
        let ofDay = ComparisonPeriod(
            kind: .last24Hours, open: 210, high: 214, low: 205, change: 3.31, changePercent: 1.5762)
        #expect(market.comparison == ofDay)
    }

    @Test("a position's, a portfolio's and an order's fields")
    func trading() async throws {
        let services = try Simulation().services
        let position = try #require(try await services.trading.fetchPositions().first)
        let positionFields: Set = [
            "id", "symbol", "side", "size", "entry_price", "mark_price", "unrealized_pnl", "unrealized_pnl_percent",
            "leverage", "created_at",
        ]
        #expect(try Self.keys(position).isSuperset(of: positionFields))
        #expect(try Self.roundTrip(position))
        let portfolio = try #require(try await services.portfolio.fetchPortfolio().first)
        let portfolioFields: Set = [
            "equity", "available_balance", "used_margin", "unrealized_pnl", "realized_pnl", "initial_capital",
            "last_updated",
        ]
        #expect(try Self.keys(portfolio).isSuperset(of: portfolioFields))
        #expect(try Self.roundTrip(portfolio))
        let order = try #require(try await services.trading.fetchOrders(OrderFilter(status: .active)).first)
        let orderFields: Set = [
            "id", "symbol", "side", "type", "status", "limit_price", "quantity", "filled_quantity", "created_at",
            "updated_at",
        ]
        #expect(try Self.keys(order).isSuperset(of: orderFields))
        #expect(try Self.roundTrip(order))
    }

    @Test("an event's fields; metadata and symbol may be missing")
    func event() throws {
        let event = ServiceEvent(
            id: "1", type: .risk, symbol: "BTC-USD", message: "m", timestamp: 5, metadata: ["a": "b"])
        #expect(try Self.keys(event) == ["id", "type", "symbol", "message", "timestamp", "metadata"])
        #expect(try Self.roundTrip(event))
        let short = #"{"id":"2","type":"signal","message":"m","timestamp":1}"#
        let read = try JSONDecoder().decode(ServiceEvent.self, from: Data(short.utf8))
        #expect(read.symbol == nil && read.metadata == nil && read.type == .signal)
    }

    @Test("a type of a later version is kept as it is, and written back as it came")
    func unknownType() throws {
        let text = #"{"id":"2","type":"dividend","message":"m","timestamp":1}"#
        let read = try JSONDecoder().decode(ServiceEvent.self, from: Data(text.utf8))
        #expect(read.type == .unknown("dividend"))
        #expect(String(decoding: try JSONEncoder().encode(read.type), as: UTF8.self) == "\"dividend\"")
        for type in ServiceEventType.known { #expect(ServiceEventType(rawValue: type.rawValue) == type) }
    }
}
