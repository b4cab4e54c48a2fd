import MarketModel
import StreamCore

/// The `k` of a kline message: `t` is the start, `T` the last millisecond inside, `x` whether it is closed.
struct BinanceKline {
    private var start: Double?
    private var end: Double?
    private var open: Double?
    private var high: Double?
    private var low: Double?
    private var close: Double?
    private var volume: Double?
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
            case UInt8(ascii: "t"): start = try scanner.json.number()
            case UInt8(ascii: "T"): end = try scanner.json.number()
            case UInt8(ascii: "o"): open = try scanner.json.decimalString()
            case UInt8(ascii: "h"): high = try scanner.json.decimalString()
            case UInt8(ascii: "l"): low = try scanner.json.decimalString()
            case UInt8(ascii: "c"): close = try scanner.json.decimalString()
            case UInt8(ascii: "v"): volume = try scanner.json.decimalString()
            case UInt8(ascii: "x"): isClosed = try scanner.json.bool()
            case UInt8(ascii: "n"): trades = try scanner.unsigned().value
            // -1 where nothing traded.
            case UInt8(ascii: "L"): lastTrade = UInt64(exactly: try scanner.json.number())
            default: try scanner.json.skipValue()
            }
        }
    }

    func candle(of symbol: VenueText) throws(VenueParseError) -> ToldCandle {
        guard let start else { throw .missingField("t") }
        guard let end else { throw .missingField("T") }
        guard let open else { throw .missingField("o") }
        guard let high else { throw .missingField("h") }
        guard let low else { throw .missingField("l") }
        guard let close else { throw .missingField("c") }
        guard let volume else { throw .missingField("v") }
        guard let seconds = Int(exactly: ((end - start + 1) / 1000).rounded()) else { throw .missingField("T") }
        return ToldCandle(
            symbol: symbol, state: isClosed ? .closed : .running, seconds: seconds,
            candle: Candle(
                timestamp: start / 1000, open: open, high: high, low: low, close: close, volume: volume),
            trades: trades, lastTrade: lastTrade)
    }
}
