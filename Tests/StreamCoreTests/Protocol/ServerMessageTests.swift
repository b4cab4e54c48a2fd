import MarketModel
import StreamCore
import Testing

@Suite("Server messages")
struct ServerMessageTests {
    static let symbol = ServerMessageWriter.symbolJSON("BTC-USD")
    static let candle = Candle(timestamp: 1_732_129_980, open: 1.5, high: 2, low: 1, close: 1.25, volume: 0.1)

    static func decode(_ text: String) throws -> ServerMessage {
        try text.bytes { try ServerMessage.decode($0) }
    }

    @Test("messages look as the protocol defines them, to the letter")
    func shapes() {
        #expect(
            written {
                ServerMessageWriter.tick(
                    Tick(timestamp: 1732130000.123, price: 67234.5, volume: 0.25), symbol: Self.symbol,
                    timeframe: .m1, offset: 813,
                    into: &$0)
            }
                == #"{"type":"tick","symbol":"BTC-USD","timestamp":1732130000.123,"price":67234.5,"volume":0.25,"timeframe":"1m","offset":813}"#
        )
        #expect(
            written {
                ServerMessageWriter.candle(
                    Bar(timeframe: .m1, candle: Self.candle, isFinal: false, revision: 0, quality: .complete),
                    symbol: Self.symbol, offset: 814, into: &$0)
            }
                == #"{"type":"candle","symbol":"BTC-USD","timestamp":1732129980,"open":1.5,"high":2,"low":1,"close":1.25,"volume":0.1,"timeframe":"1m","final":false,"revision":0,"quality":"complete","offset":814}"#
        )
        #expect(
            written {
                ServerMessageWriter.subscribed(
                    id: RequestID(1), symbol: Self.symbol, timeframe: .m1,
                    position: StreamPosition(epoch: "k3x9", offset: 812), recovered: true, into: &$0)
            }
                == #"{"type":"subscribed","id":1,"symbol":"BTC-USD","timeframe":"1m","epoch":"k3x9","offset":812,"recovered":true}"#
        )
        #expect(
            written { ServerMessageWriter.closing(reconnectAfter: 3.5, into: &$0) }
                == #"{"type":"closing","reconnect_after":3.5}"#)
        #expect(
            written { ServerMessageWriter.skipped(symbol: Self.symbol, timeframe: .m1, count: 17, into: &$0) }
                == #"{"type":"skipped","symbol":"BTC-USD","timeframe":"1m","count":17}"#)
        #expect(
            written { ServerMessageWriter.stale(symbol: Self.symbol, age: 15.5, into: &$0) }
                == #"{"type":"stale","symbol":"BTC-USD","age":15.5}"#)
        #expect(written { ServerMessageWriter.authenticated(into: &$0) } == #"{"type":"authenticated"}"#)
        #expect(written { ServerMessageWriter.pong(id: RequestID(2), into: &$0) } == #"{"type":"pong","id":2}"#)
    }

    @Test("what is written is read again", arguments: CandleQuality.allCases)
    func roundTrip(quality: CandleQuality) throws {
        let bar = Bar(timeframe: .h4, candle: Self.candle, isFinal: true, revision: 3, quality: quality)
        #expect(
            try Self.decode(written { ServerMessageWriter.candle(bar, symbol: Self.symbol, offset: 5, into: &$0) })
                == .candle(symbol: "BTC-USD", bar, offset: 5))
        let position = StreamPosition(epoch: "e", offset: 9)
        #expect(
            try Self.decode(
                written {
                    ServerMessageWriter.snapshot(
                        symbol: Self.symbol, timeframe: .m1, candles: [Self.candle, Self.candle], position: position,
                        into: &$0)
                })
                == .snapshot(
                    symbol: "BTC-USD", timeframe: .m1, candles: [Self.candle, Self.candle], position: position))
        #expect(
            try Self.decode(written { ServerMessageWriter.stale(symbol: Self.symbol, age: 20, into: &$0) })
                == .stale(symbol: "BTC-USD", age: 20))
        #expect(try Self.decode(written { ServerMessageWriter.authenticated(into: &$0) }) == .authenticated)
        let error = WireError(.unknownSymbol, field: "symbol", message: "no \"X\"", requestID: RequestID(4))
        #expect(
            try Self.decode(written { ServerMessageWriter.error(error, into: &$0) })
                == .error(code: "unknown_symbol", message: "no \"X\"", field: "symbol", id: RequestID(4)))
    }

    @Test(
        "every error has a name of its own",
        arguments: [
            (WireError.Code.unauthorized, "unauthorized"), (.forbidden, "forbidden"),
            (.unknownChannel, "unknown_channel"), (.unknownAccount, "unknown_account"),
            (.unavailable, "unavailable"),
            (.tooManyMessages, "too_many_messages"), (.tooManySubscriptions, "too_many_subscriptions"),
        ])
    func errorNames(code: WireError.Code, name: String) throws {
        #expect(
            try Self.decode(written { ServerMessageWriter.error(WireError(code, message: "x"), into: &$0) })
                == .error(code: name, message: "x", field: nil, id: nil))
    }

    @Test("the four fields a simple server sends are enough")
    func minimal() throws {
        #expect(
            try Self.decode(#"{"volume":1,"price":2.0,"timestamp":3,"symbol":"A","type":"tick"}"#)
                == .tick(symbol: "A", timeframe: nil, Tick(timestamp: 3, price: 2, volume: 1), offset: nil))
        // A candle of a timeframe from the future must not land in another one's series.
        let foreign =
            #"{"type":"candle","symbol":"A","timeframe":"10m","timestamp":3,"open":1,"high":1,"low":1,"close":1,"volume":1}"#
        #expect(try Self.decode(foreign) == .unknown(type: "candle"))
        #expect(try Self.decode(#"{"type":"news","headline":"x"}"#) == .unknown(type: "news"))
    }

    @Test(
        "what is missing is named",
        arguments: [
            (#"{"type":"tick","symbol":"A","timestamp":3,"volume":1}"#, "price"),
            (#"{"type":"tick","timestamp":3,"price":1,"volume":1}"#, "symbol"),
            (#"{"type":"candle","symbol":"A","timestamp":3,"open":1,"high":1,"close":1,"volume":1}"#, "low"),
            (#"{"symbol":"A"}"#, "type"),
            (#"{"type":"tick","symbol":"A","timestamp":"3","price":1,"volume":1}"#, "timestamp"),
        ])
    func missing(text: String, field: String) {
        #expect {
            try Self.decode(text)
        } throws: {
            ($0 as? WireError)?.field == field
        }
    }
}
