import MarketFeeds
import MarketModel
import StreamCore
import Testing

@Suite("A candlewire server as a venue")
struct CandlewireVenueTests {
    static func events(_ messages: [String]) -> (events: [VenueSession.Event], session: VenueSession) {
        var session = VenueSession(venue: .candlewire)
        let events = messages.map { message in
            Array(message.utf8).withUnsafeBytes { session.receive($0) }
        }
        return (events, session)
    }

    static func tick(_ offset: Int?, _ timeframe: String? = "1m", symbol: String = "BTC-USD", price: String = "67234.5")
        -> String
    {
        #"{"type":"tick","symbol":"\#(symbol)","timestamp":1732130000.123,"price":\#(price),"volume":0.25"#
            + (timeframe.map { #","timeframe":"\#($0)""# } ?? "") + (offset.map { ",\"offset\":\($0)" } ?? "") + "}"
    }

    static func candle(_ offset: Int, _ timeframe: String = "1m") -> String {
        #"{"type":"candle","symbol":"BTC-USD","timestamp":1732129980,"open":1,"high":1,"low":1,"close":1,"volume":1,"#
            + #""timeframe":"\#(timeframe)","final":false,"revision":0,"quality":"complete","offset":\#(offset)}"#
    }

    static func skipped(_ count: Int, _ timeframe: String = "1m") -> String {
        #"{"type":"skipped","symbol":"BTC-USD","timeframe":"\#(timeframe)","count":\#(count)}"#
    }

    @Test("ticks become ticks; candles take offsets; the other timeframes repeat the ticks")
    func ticks() {
        let (events, session) = Self.events([
            Self.tick(7), Self.tick(3, "5m"), Self.candle(8), Self.tick(9, price: "67234.25"), Self.tick(4, "5m"),
            Self.tick(1, "5m", symbol: "ETH-USD"),
        ])
        let tick = Tick(timestamp: 1_732_130_000.123, price: 67_234.5, volume: 0.25)
        #expect(events[0] == .tick(market: 0, tick, isNew: true))
        #expect(events[1] == .ignored && events[2] == .ignored && events[4] == .ignored)
        #expect(
            events[3] == .tick(market: 0, Tick(timestamp: tick.timestamp, price: 67_234.25, volume: 0.25), isNew: false)
        )
        #expect(events[5] == .tick(market: 1, tick, isNew: true))
        #expect(session.counts.trades == 3 && session.counts.missing == 0)
        #expect(session.priceDecimals == [2, 1])
        #expect(session.symbols.names == ["BTC-USD", "ETH-USD"])
    }

    @Test("a repeated offset is a duplicate, a hole is missing, what was skipped is missing once")
    func holes() {
        let (events, session) = Self.events([
            Self.tick(10), Self.tick(10), Self.tick(9), Self.tick(12), Self.skipped(5), Self.tick(18),
            Self.skipped(3, "5m"), Self.tick(19),
        ])
        #expect(events[1] == .duplicate && events[2] == .duplicate)
        #expect(session.counts.duplicates == 2)
        #expect(session.counts.missing == 1 + 5)
        #expect(session.counts.trades == 4)
    }

    @Test("a snapshot stands for what was before it, also where a new epoch counts from the beginning")
    func snapshot() {
        let (events, session) = Self.events([
            Self.tick(500),
            #"{"type":"snapshot","symbol":"BTC-USD","timeframe":"1m","candles":[],"epoch":"b","offset":3}"#,
            Self.tick(4),
        ])
        #expect(events[1] == .ignored)
        guard case .tick = events[2] else {
            Issue.record("the tick was dropped")
            return
        }
        #expect(session.counts.missing == 0 && session.counts.duplicates == 0)
    }

    @Test("a server that sends no offsets can be read, too")
    func plain() {
        let (_, session) = Self.events([Self.tick(nil, nil), Self.tick(nil, nil), Self.tick(nil, nil)])
        #expect(session.counts.trades == 3)
    }

    @Test(
        "what is no usable message costs itself only",
        arguments: [
            #"{"type":"tick","symbol":"A","timestamp":1,"price":"1","volume":1}"#,
            #"{"type":"tick","symbol":"A","timestamp":1,"volume":1}"#, #"{"type":"tick","price":1}"#, "[]", "{}",
            #"{"type":"skipped","symbol":"A"}"#, #"{"type":7}"#,
        ])
    func malformed(message: String) {
        let (events, session) = Self.events([message, Self.tick(1)])
        #expect(events[0] == .malformed)
        #expect(session.counts.malformed == 1 && session.counts.trades == 1)
    }

    @Test(
        "recognised by its messages, and not taken for another venue",
        arguments: [
            (Self.tick(1), Venue.candlewire), (Self.candle(2), .candlewire), (Self.tick(nil, nil), .candlewire),
            (
                #"{"type":"subscribed","symbol":"A","timeframe":"1m","epoch":"x","offset":1,"recovered":false}"#,
                .candlewire
            ),
            (#"{"type":"snapshot","product_id":"BTC-USD","bids":[],"asks":[]}"#, .coinbase),
            (#"{"type":"pong","id":1}"#, nil), (#"{"type":"trade","symbol":"BTCUSD","price":"1"}"#, nil),
        ] as [(String, Venue?)])
    func detected(message: String, venue: Venue?) {
        #expect(Array(message.utf8).withUnsafeBytes { Venue.recognise($0) } == venue)
    }
}
