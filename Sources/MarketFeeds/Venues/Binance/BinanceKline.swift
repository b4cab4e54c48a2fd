import MarketModel
import StreamCore

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

    func candle(of symbol: VenueText) throws(VenueParseError) -> ToldCandle {
        var candle = try bar.candle(Self.names)
        guard let end else { throw .missingField("T") }
        guard let seconds = Int(exactly: ((end - candle.timestamp + 1) / 1000).rounded()) else {
            throw .missingField("T")
        }
        candle.timestamp /= 1000
        return ToldCandle(
            symbol: symbol, state: isClosed ? .closed : .running, seconds: seconds,
            candle: candle, trades: trades, lastTrade: lastTrade)
    }

    private static let names = CandleFields.Names(start: "t", open: "o", high: "h", low: "l", close: "c", volume: "v")
}
