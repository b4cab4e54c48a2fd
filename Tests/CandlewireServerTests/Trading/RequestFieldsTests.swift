import MarketModel
import Testing
import TradingCore

@testable import CandlewireServer

@Suite("An order's JSON")
struct RequestFieldsTests {
    private let registry = MarketRegistry([
        Market(symbol: "BTC-USD", baseCurrency: "BTC", quoteCurrency: "USD", precision: 2)
    ])

    private func read(_ json: String) throws -> OrderRequest {
        try OrderRequest(RequestFields(json, allowed: OrderRequest.fields + ["account"]), registry)
    }

    @Test("is read digit by digit, decimals as strings or numbers, with what is left out at its default")
    func reads() throws {
        let order = try read(
            """
            {"client_order_id":"a\\u0062","symbol":"BTC-USD","side":"sell","type":"trailing_stop","quantity":0.1,\
            "trail":{"percent":"1.50"},"limit_price":null,"account":"paper-main"}
            """)
        #expect(
            order
                == OrderRequest(
                    clientOrderID: "ab", symbol: "BTC-USD", side: .sell, type: .trailingStop,
                    quantity: ExactDecimal("0.1")!, trail: .percent(ExactDecimal("1.5")!)))
        let small = try read(
            #"{"symbol":"BTC-USD","side":"buy","type":"limit","quantity":"0.0000000000000001","limit_price":12345678901234.12}"#
        )
        #expect(small.quantity.description == "0.0000000000000001")
        #expect(small.limitPrice?.description == "12345678901234.12")
    }

    @Test(
        "a field that is there twice is refused by its name, however it is written",
        arguments: [
            (#"{"quantity":"1","quantity":"2"}"#, "quantity"), (#"{"quantity":"1","qu\u0061ntity":"1"}"#, "quantity"),
            (#"{"side":"buy","quantity":"1","side":null}"#, "side"),
            (#"{"trail":{"amount":1,"amount":2}}"#, "trail.amount"),
        ])
    func duplicates(json: String, field: String) {
        let error = #expect(throws: APIError.self) {
            let fields = try RequestFields(json, allowed: OrderRequest.fields)
            _ = try fields.object("trail", allowed: ["amount", "percent"])
        }
        #expect(error?.statusCode == 400 && error?.field == field, "\(error?.message ?? "accepted")")
        #expect(error?.message.contains("more than once") == true)
    }

    @Test("a field that is not there is refused with those that are, or that there are none")
    func unknownFields() {
        for (allowed, words) in [(["side", "type"], "allowed are side, type."), ([], "none is allowed.")] {
            let error = #expect(throws: APIError.self) { _ = try RequestFields(#"{"a":1}"#, allowed: allowed) }
            #expect(error?.message == "There is no field \"a\" here; \(words)" && error?.field == "a")
        }
    }

    @Test(
        "has words in letters of either case, which are answered in lower case",
        arguments: [
            ("BUY", "MARKET", "IOC"), ("Sell", "Market", "Gtc"), ("buy", "Stop_Limit", "Day"), ("sELL", "lIMIT", "fok"),
        ])
    func words(side: String, type: String, time: String) throws {
        let order = try read(
            #"{"symbol":"BTC-USD","side":"\#(side)","type":"\#(type)","quantity":"1","time_in_force":"\#(time)"}"#)
        #expect(order.side.rawValue == side.lowercased() && Side.known.contains(order.side))
        #expect(order.type.rawValue == type.lowercased() && OrderType.known.contains(order.type))
        #expect(order.timeInForce.rawValue == time.lowercased() && TimeInForce.known.contains(order.timeInForce))
    }

    @Test("gets a client order id where it has none, a new one each time; an empty one stays, to be refused")
    func clientOrderID() throws {
        let rest = #""symbol":"BTC-USD","side":"buy","type":"market","quantity":"1"}"#
        let made = try [read("{" + rest), read("{" + rest), read(#"{"client_order_id":null,"# + rest)].map(
            \.clientOrderID)
        #expect(Set(made).count == 3)
        #expect(made.allSatisfy { $0.hasPrefix("server-") && $0.utf8.count <= 64 })
        #expect(try read(#"{"client_order_id":"","# + rest).clientOrderID == "")
    }

    @Test("names a leverage, or leaves the market's as it is")
    func leverage() throws {
        let rest = #""symbol":"BTC-USD","side":"buy","type":"market","quantity":"1"}"#
        #expect(try read("{" + rest).leverage == nil)
        #expect(try read(#"{"leverage":1,"# + rest).leverage == 1)
    }

    @Test(
        "names the field that is wrong",
        arguments: [
            (#"{"side":"buy","type":"market","quantity":"1"}"#, "symbol", 422),
            (#"{"symbol":"DOGE","side":"buy","type":"market","quantity":"1"}"#, "symbol", 422),
            (#"{"symbol":"BTC-USD","type":"market","quantity":"1"}"#, "side", 422),
            (#"{"symbol":"BTC-USD","side":"hold","type":"market","quantity":"1"}"#, "side", 422),
            (#"{"symbol":"BTC-USD","side":"buy","type":"MARKETS","quantity":"1"}"#, "type", 422),
            (#"{"symbol":"BTC-USD","side":"buy","type":"market"}"#, "quantity", 422),
            (#"{"symbol":"BTC-USD","side":"buy","type":"market","quantity":"one"}"#, "quantity", 400),
            (#"{"symbol":"BTC-USD","side":"buy","type":"market","quantity":true}"#, "quantity", 400),
            (#"{"symbol":"BTC-USD","side":"buy","type":"market","quantity":"0.00000000000000001"}"#, "quantity", 400),
            (
                #"{"symbol":"BTC-USD","side":"buy","type":"market","quantity":"1","time_in_force":"gtd"}"#,
                "time_in_force", 422
            ),
            (#"{"symbol":"BTC-USD","side":"buy","type":"market","quantity":"1","leverage":"5"}"#, "leverage", 400),
            (#"{"symbol":"BTC-USD","side":"buy","type":"market","quantity":"1","leverage":2.5}"#, "leverage", 400),
            (#"{"symbol":"BTC-USD","side":"buy","type":"market","quantity":"1","post_only":1}"#, "post_only", 400),
            (#"{"symbol":"BTC-USD","side":"buy","type":"market","quantity":"1","trail":{}}"#, "trail", 400),
            (
                #"{"symbol":"BTC-USD","side":"buy","type":"market","quantity":"1","trail":{"amount":1,"percent":1}}"#,
                "trail", 400
            ),
            (#"{"symbol":"BTC-USD","side":"buy","type":"market","quantity":"1","stop_lost":"5"}"#, "stop_lost", 400),
        ])
    func names(json: String, field: String, status: Int) throws {
        let error = try #require(throws: APIError.self) { try read(json) }
        #expect(error.field == field, "\(error)")
        #expect(error.statusCode == status, "\(error)")
    }

    @Test("is refused where it is no object", arguments: ["[]", "{", "nonsense", "{\"a\":1}x", "\u{0}"])
    func notJSON(text: String) throws {
        let error = try #require(throws: APIError.self) { try read(text) }
        #expect(error.code == "invalid_json" || error.field != nil)
        #expect(error.statusCode == 400)
    }
}
