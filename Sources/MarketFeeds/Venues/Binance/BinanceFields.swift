import MarketModel
import StreamCore

/// A Binance message while its fields are read. `e` may come after the fields that it explains, so all of them are read as
/// far as they have the type that one of the messages of interest gives them.
struct BinanceFields {
    enum Event { case trade, aggregate, kline, quote, day, depth, other }

    var event: Event?
    var trade = TradeFields()
    var aggregateID: (value: UInt64, text: VenueText)?
    var kline = BinanceKline()
    var quote = QuoteFields()
    /// When the message was made, milliseconds.
    var eventTime: Double?
    /// `{"result":null,"id":1}`
    var isAnswer = false
    /// `{"code":2,"msg":"..."}`, also inside `error`.
    var isRefusal = false

    mutating func read(_ scanner: inout VenueScanner, isInner: Bool) throws(JSONError) {
        try scanner.json.beginObject()
        while let key = try scanner.json.nextKey() {
            guard key.raw.count == 1 else {
                try readLong(key, &scanner, isInner: isInner)
                continue
            }
            switch key.raw[0] {
            case UInt8(ascii: "e"): event = try Self.event(scanner.json.string())
            case UInt8(ascii: "s"): if try scanner.isNext(.string) { trade.symbol = try scanner.text() }
            case UInt8(ascii: "p"): if try scanner.isNext(.string) { trade.price = try scanner.decimal() }
            case UInt8(ascii: "q"): if try scanner.isNext(.string) { trade.volume = try scanner.decimal() }
            case UInt8(ascii: "E"): if try scanner.isNext(.number) { eventTime = try scanner.json.number() }
            case UInt8(ascii: "o"): if try scanner.isNext(.string) { quote.open = try scanner.json.decimalString() }
            case UInt8(ascii: "h"): if try scanner.isNext(.string) { quote.high = try scanner.json.decimalString() }
            case UInt8(ascii: "l"): if try scanner.isNext(.string) { quote.low = try scanner.json.decimalString() }
            case UInt8(ascii: "v"): if try scanner.isNext(.string) { quote.volume = try scanner.json.decimalString() }
            case UInt8(ascii: "T"): if try scanner.isNext(.number) { trade.time = try scanner.json.number() / 1000 }
            case UInt8(ascii: "t"): if try scanner.isNext(.number) { trade.id = try scanner.unsigned() }
            // The best ask of a bookTicker, or an aggregate's number.
            case UInt8(ascii: "a"):
                switch try scanner.json.kind() {
                case .number: aggregateID = try scanner.unsigned()
                case .string: quote.ask = try scanner.json.decimalString()
                default: try scanner.json.skipValue()
                }
            case UInt8(ascii: "b"): if try scanner.isNext(.string) { quote.bid = try scanner.json.decimalString() }
            case UInt8(ascii: "m"):
                // The buyer is the maker: the taker sold.
                if try scanner.isNext(.bool) { trade.side = try scanner.json.bool() ? .sell : .buy }
            case UInt8(ascii: "k"): if try scanner.isNext(.object) { try kline.read(&scanner) }
            default: try scanner.json.skipValue()
            }
        }
    }

    private mutating func readLong(_ key: JSONText, _ scanner: inout VenueScanner, isInner: Bool) throws(JSONError) {
        if !isInner, key.equals("data"), try scanner.json.kind() == .object { return try read(&scanner, isInner: true) }
        if key.equals("result") { isAnswer = true }
        if key.equals("code") || key.equals("error") { isRefusal = true }
        try scanner.json.skipValue()
    }

    private static func event(_ type: JSONText) -> Event {
        if type.equals("trade") { return .trade }
        if type.equals("aggTrade") { return .aggregate }
        if type.equals("kline") { return .kline }
        if type.equals("bookTicker") { return .quote }
        if type.equals("24hrTicker") { return .day }
        if type.equals("depthUpdate") { return .depth }
        return .other
    }
}

/// The `k` of a kline message: `t` is the start, `T` the last millisecond inside, `x` whether it is closed.
struct BinanceKline {
    private var bar = CandleFields()
    private var end: Double?
    private var isClosed = false
    private var trades: UInt64?
    private var lastTrade: UInt64?

    mutating func read(_ scanner: inout VenueScanner) throws(JSONError) {
        try scanner.json.beginObject()
        while let key = try scanner.json.nextKey() {
            guard key.raw.count == 1 else {
                try scanner.json.skipValue()
                continue
            }
            switch key.raw[0] {
            case UInt8(ascii: "t"): bar.start = try scanner.json.number()
            case UInt8(ascii: "T"): end = try scanner.json.number()
            case UInt8(ascii: "o"): bar.open = try scanner.json.decimalString()
            case UInt8(ascii: "h"): bar.high = try scanner.json.decimalString()
            case UInt8(ascii: "l"): bar.low = try scanner.json.decimalString()
            case UInt8(ascii: "c"): bar.close = try scanner.json.decimalString()
            case UInt8(ascii: "v"): bar.volume = try scanner.json.decimalString()
            case UInt8(ascii: "x"): isClosed = try scanner.json.bool()
            case UInt8(ascii: "n"): trades = try scanner.unsigned().value
            // -1 where nothing traded.
            case UInt8(ascii: "L"): lastTrade = UInt64(exactly: try scanner.json.number())
            default: try scanner.json.skipValue()
            }
        }
    }

    func candle(of symbol: VenueText) throws(ParseError) -> MessageCandle {
        var candle = try bar.candle(Self.names)
        guard let end else { throw .missingField("T") }
        guard let seconds = Int(exactly: ((end - candle.timestamp + 1) / 1000).rounded()) else {
            throw .missingField("T")
        }
        candle.timestamp /= 1000
        return MessageCandle(
            symbol: symbol, state: isClosed ? .closed : .running, seconds: seconds,
            candle: candle, trades: trades, lastTrade: lastTrade)
    }

    private static let names = CandleFields.Names(start: "t", open: "o", high: "h", low: "l", close: "c", volume: "v")
}
