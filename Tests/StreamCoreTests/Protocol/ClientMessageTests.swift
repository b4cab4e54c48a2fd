import MarketModel
import StreamCore
import Testing

@Suite("Client messages")
struct ClientMessageTests {
    static func decode(_ text: String) throws -> ClientMessage {
        try text.bytes { try ClientMessage.decode($0) }
    }

    static func error(_ text: String) -> WireError? {
        do {
            _ = try decode(text)
            return nil
        } catch {
            return error as? WireError
        }
    }

    @Test("three fields are enough to subscribe, in any order, among unknown ones")
    func subscribes() throws {
        let expected = ClientMessage.subscribe(SubscribeRequest(symbol: "BTC-USD", timeframe: .m1))
        #expect(try Self.decode(#"{"action":"subscribe","symbol":"BTC-USD","timeframe":"1m"}"#) == expected)
        #expect(
            try Self.decode(#" {"x":[{"y":1}], "timeframe":"1m","\u0073ymbol":"BTC\u002dUSD" ,"action":"subscribe"} "#)
                == expected)
    }

    @Test("every field of a subscription is read")
    func fullSubscription() throws {
        let text = #"""
            {"action":"subscribe","symbol":"BTC/USD","timeframe":"1M","id":"a-1","history":0,"max_rate":2.5e0,
             "recover":{"offset":812,"epoch":"k3x9","later":true}}
            """#
        guard case .subscribe(let request) = try Self.decode(text) else {
            Issue.record("not a subscription")
            return
        }
        #expect(request.timeframe == .mo1)
        #expect(request.id?.json == Array("\"a-1\"".utf8))
        #expect(request.history == 0)
        #expect(request.maxRate == 2.5)
        #expect(request.recover == StreamPosition(epoch: "k3x9", offset: 812))
    }

    @Test(
        "what is written is read again",
        arguments: [
            ClientMessage.auth(token: "secret \"quoted\""), .ping(id: RequestID(7)), .ping(id: nil),
            .unsubscribe(symbol: "BTC-USD", timeframe: nil, id: nil),
            .unsubscribe(symbol: "é", timeframe: .w1, id: RequestID(1)),
            .subscribe(
                SubscribeRequest(
                    symbol: "a\nb", timeframe: .s1, id: RequestID(3), history: 5, maxRate: 0.25,
                    recover: StreamPosition(epoch: "e", offset: 0))),
        ])
    func roundTrip(message: ClientMessage) throws {
        #expect(try Self.decode(written { ClientMessageWriter.write(message, into: &$0) }) == message)
    }

    @Test(
        "errors name the field and what it may be",
        arguments: [
            (#"{"symbol":"BTC-USD"}"#, WireError.Code.missingField, "action", "subscribe"),
            (#"{"action":"sell"}"#, .unknownAction, "action", "allowed are auth, subscribe"),
            (#"{"action":"subscribe","timeframe":"1m","id":4}"#, .missingField, "symbol", "symbol"),
            (#"{"action":"subscribe","symbol":"X"}"#, .missingField, "timeframe", "1s, 5s"),
            (#"{"action":"subscribe","symbol":"X","timeframe":"7m"}"#, .unknownTimeframe, "timeframe", "\"7m\""),
            (#"{"action":"subscribe","symbol":5,"timeframe":"1m"}"#, .invalidField, "symbol", "a string"),
            (#"{"action":"subscribe","symbol":"X","timeframe":"1m","history":1001}"#, .invalidField, "history", "1000"),
            (#"{"action":"subscribe","symbol":"X","timeframe":"1m","history":1.5}"#, .invalidField, "history", "whole"),
            (
                #"{"action":"subscribe","symbol":"X","timeframe":"1m","max_rate":0}"#, .invalidField, "max_rate",
                "from 0.01"
            ),
            (
                #"{"action":"subscribe","symbol":"X","timeframe":"1m","recover":{"epoch":"a"}}"#, .invalidField,
                "recover", "epoch"
            ),
            (#"{"action":"ping","id":[1]}"#, .invalidField, "id", "number or a string"),
        ])
    func errors(text: String, code: WireError.Code, field: String, part: String) {
        let error = Self.error(text)
        #expect(error?.code == code)
        #expect(error?.field == field)
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    }

    @Test(
        "broken JSON is reported with its place",
        arguments: ["", "[]", "{", "{\"action\"}", "{\"action\":\"ping\"} x", "nonsense", "{\"symbol\":\"abc"])
    func broken(text: String) {
        #expect(Self.error(text)?.code == .invalidJSON)
        #expect(Self.error(text)?.message.contains("at byte") == true)
    }

    @Test("an error carries the id of the request it answers")
    func errorID() {
        #expect(Self.error(#"{"id":9,"action":"subscribe","symbol":"X","timeframe":"7m"}"#)?.requestID?.number == 9)
    }
}
