public import MarketModel

/// Writes the server's messages, protocol version 1: compact JSON, snake_case keys.
///
/// The four fields a simple client needs come first in each message; everything after them is additive.
public enum ServerMessageWriter {
    /// `{"type":"tick",...}`
    /// - Parameters:
    ///   - symbol: the symbol as JSON, quotes included, so that it is escaped once and not per tick.
    @inlinable
    ///   - timeframe: the stream's: a reader of two timeframes must know whose offset this is.
    public static func tick(
        _ tick: Tick, symbol: [UInt8], timeframe: Timeframe, offset: Int64, into sink: inout some ByteSink
    ) {
        sink.json("{\"type\":\"tick\",\"symbol\":")
        symbol.withUnsafeBytes { sink.append($0) }
        sink.number(",\"timestamp\":", tick.timestamp)
        sink.number(",\"price\":", tick.price)
        sink.number(",\"volume\":", tick.volume)
        sink.json(",\"timeframe\":\"")
        for byte in timeframe.rawValue.utf8 { sink.append(byte) }
        sink.integer("\",\"offset\":", offset)
        sink.json("}")
    }

    /// `{"type":"candle",...}`
    public static func candle(_ bar: Bar, symbol: [UInt8], offset: Int64, into sink: inout some ByteSink) {
        sink.json("{\"type\":\"candle\",\"symbol\":")
        symbol.withUnsafeBytes { sink.append($0) }
        sink.json(",")
        prices(bar.candle, into: &sink)
        sink.json(",\"timeframe\":\"")
        for byte in bar.timeframe.rawValue.utf8 { sink.append(byte) }
        sink.bool("\",\"final\":", bar.isFinal)
        sink.integer(",\"revision\":", bar.revision)
        sink.json(",\"quality\":\"")
        sink.json(bar.quality.name)
        sink.integer("\",\"offset\":", offset)
        sink.json("}")
    }

    /// `"timestamp":..,"open":..` without braces.
    static func prices(_ candle: Candle, into sink: inout some ByteSink) {
        sink.number("\"timestamp\":", candle.timestamp)
        sink.number(",\"open\":", candle.open)
        sink.number(",\"high\":", candle.high)
        sink.number(",\"low\":", candle.low)
        sink.number(",\"close\":", candle.close)
        sink.number(",\"volume\":", candle.volume)
    }

    /// `[{"timestamp":..,"open":..},...]`, also the answer of `GET /v1/candles`.
    public static func candles(_ candles: some Collection<Candle>, into sink: inout some ByteSink) {
        sink.list(candles) { sink, candle in
            sink.json("{")
            prices(candle, into: &sink)
            sink.json("}")
        }
    }

    /// `{"type":"snapshot",...}`
    public static func snapshot(
        symbol: [UInt8], timeframe: Timeframe, candles: some Collection<Candle>, position: StreamPosition,
        into sink: inout some ByteSink
    ) {
        sink.json("{\"type\":\"snapshot\"")
        stream(symbol, timeframe, into: &sink)
        sink.json(",\"candles\":")
        self.candles(candles, into: &sink)
        self.position(position, into: &sink)
        sink.json("}")
    }

    /// `{"type":"subscribed",...}`
    public static func subscribed(
        id: RequestID?, symbol: [UInt8], timeframe: Timeframe, position: StreamPosition, recovered: Bool,
        into sink: inout some ByteSink
    ) {
        sink.json("{\"type\":\"subscribed\"")
        sink.requestID(id)
        stream(symbol, timeframe, into: &sink)
        self.position(position, into: &sink)
        sink.bool(",\"recovered\":", recovered)
        sink.json("}")
    }

    /// `{"type":"unsubscribed",...}`
    public static func unsubscribed(
        id: RequestID?, symbol: [UInt8], timeframe: Timeframe, into sink: inout some ByteSink
    ) {
        sink.json("{\"type\":\"unsubscribed\"")
        sink.requestID(id)
        stream(symbol, timeframe, into: &sink)
        sink.json("}")
    }

    /// `{"type":"skipped",...}`: this many messages were left out directly before the next one of this stream, because
    /// the reader, or its `max_rate`, is slower than the market.
    public static func skipped(symbol: [UInt8], timeframe: Timeframe, count: Int, into sink: inout some ByteSink) {
        sink.json("{\"type\":\"skipped\"")
        stream(symbol, timeframe, into: &sink)
        sink.integer(",\"count\":", count)
        sink.json("}")
    }

    /// `{"type":"stale",...}`: no tick for this many seconds, although the feed should be live.
    public static func stale(symbol: [UInt8], age: Double, into sink: inout some ByteSink) {
        sink.json("{\"type\":\"stale\",\"symbol\":")
        symbol.withUnsafeBytes { sink.append($0) }
        sink.number(",\"age\":", age)
        sink.json("}")
    }

    /// `{"type":"authenticated"}`: the token was accepted, first or renewed.
    public static func authenticated(into sink: inout some ByteSink) { sink.json("{\"type\":\"authenticated\"}") }

    /// `{"type":"error",...}`
    public static func error(_ error: WireError, into sink: inout some ByteSink) {
        sink.json("{\"type\":\"error\",\"code\":\"")
        sink.json(error.code.name)
        sink.string("\",\"message\":", error.message)
        if let field = error.field { sink.string(",\"field\":", field) }
        sink.requestID(error.requestID)
        sink.json("}")
    }

    /// `{"type":"pong",...}`
    public static func pong(id: RequestID?, into sink: inout some ByteSink) {
        sink.json("{\"type\":\"pong\"")
        sink.requestID(id)
        sink.json("}")
    }

    /// `{"type":"closing",...}`: the server is about to go; come back after this many seconds.
    public static func closing(reconnectAfter: Double, into sink: inout some ByteSink) {
        sink.number("{\"type\":\"closing\",\"reconnect_after\":", reconnectAfter)
        sink.json("}")
    }

    /// `{"type":"subscribed","channel":..,"account":..,"id":..,"sequence":..}`
    public static func subscribed(
        id: RequestID?, to key: ChannelKey, sequence: Int64?, into sink: inout some ByteSink
    ) {
        channelHead("subscribed", key, id: id, sequence: sequence, into: &sink)
        sink.json("}")
    }

    /// `{"type":"unsubscribed","channel":..,"account":..,"id":..}`
    public static func unsubscribed(id: RequestID?, from key: ChannelKey, into sink: inout some ByteSink) {
        channelHead("unsubscribed", key, id: id, into: &sink)
        sink.json("}")
    }

    /// What each message of a channel begins with, without the closing brace: its members follow, each behind a comma.
    ///
    /// ```swift
    /// ServerMessageWriter.channelHead("order", key, sequence: 17, into: &sink)
    /// sink.json(",\"order\":")
    /// order.write(into: &sink)
    /// sink.json("}")
    /// ```
    public static func channelHead(
        _ type: StaticString, _ key: ChannelKey, id: RequestID? = nil, sequence: Int64? = nil,
        into sink: inout some ByteSink
    ) {
        sink.json("{\"type\":\"")
        sink.json(type)
        sink.json("\",\"channel\":\"")
        sink.json(key.channel.name)
        sink.json("\"")
        if let account = key.account, !key.hidesAccounts { sink.string(",\"account\":", account) }
        sink.requestID(id)
        if let sequence { sink.integer(",\"sequence\":", sequence) }
    }

    /// A symbol in the form that the writers above expect.
    public static func symbolJSON(_ symbol: String) -> [UInt8] {
        var json: [UInt8] = []
        json.string(symbol)
        return json
    }

    private static func stream(_ symbol: [UInt8], _ timeframe: Timeframe, into sink: inout some ByteSink) {
        sink.json(",\"symbol\":")
        symbol.withUnsafeBytes { sink.append($0) }
        sink.json(",\"timeframe\":\"")
        for byte in timeframe.rawValue.utf8 { sink.append(byte) }
        sink.json("\"")
    }

    private static func position(_ position: StreamPosition, into sink: inout some ByteSink) {
        sink.string(",\"epoch\":", position.epoch)
        sink.integer(",\"offset\":", position.offset)
    }
}
