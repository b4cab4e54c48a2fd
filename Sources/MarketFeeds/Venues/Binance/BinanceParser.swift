import MarketModel
import StreamCore

/// Reads Binance's spot and futures streams, raw or combined (`{"stream":..,"data":{..}}`).
///
/// `trade` and `aggTrade` become trades; everything else is `.other`. Keys differ by case only (`t` is the trade's id,
/// `T` its time in milliseconds), hence the exact comparison.
/// Source: binance-spot-api-docs, web-socket-streams.md, "Trade Streams" and "Aggregate Trade Streams".
public enum BinanceParser {
    public static func parse(_ bytes: UnsafeRawBufferPointer) throws(VenueParseError) -> VenueMessage {
        if let trade = BinanceTradeLayout.parse(bytes) { return .trade(trade) }
        return try parseAnyLayout(bytes)
    }

    /// Reads a message with its keys in any order.
    static func parseAnyLayout(_ bytes: UnsafeRawBufferPointer) throws(VenueParseError) -> VenueMessage {
        var fields = Fields()
        do throws(JSONError) {
            var scanner = JSONScanner(bytes)
            try fields.read(&scanner, isInner: false)
            try scanner.end()
        } catch {
            throw .json(error)
        }
        guard let stream = fields.stream else { return .other }
        guard let symbol = fields.symbol else { throw .missingField("s") }
        guard fields.price.decimals >= 0 else { throw .missingField("p") }
        guard let quantity = fields.quantity else { throw .missingField("q") }
        guard let milliseconds = fields.time else { throw .missingField("T") }
        guard let id = stream == .trades ? fields.tradeID : fields.aggregateID else {
            throw .missingField(stream == .trades ? "t" : "a")
        }
        return .trade(
            VenueTrade(
                symbol: symbol,
                tick: Tick(timestamp: milliseconds / 1000, price: fields.price.value, volume: quantity),
                id: id, stream: stream, priceDecimals: fields.price.decimals))
    }

    private struct Fields {
        var stream: VenueTrade.Stream?
        /// Set once `e` says that this is no trade: the rest need not be converted.
        var isOther = false
        var symbol: JSONText?
        var price: (value: Double, decimals: Int) = (0, -1)
        var quantity: Double?
        var time: Double?
        var tradeID: Int?
        var aggregateID: Int?

        mutating func read(_ scanner: inout JSONScanner, isInner: Bool) throws(JSONError) {
            try scanner.beginObject()
            while let key = try scanner.nextKey() {
                guard key.raw.count == 1 else {
                    if !isInner, key.equals("data"), try scanner.kind() == .object {
                        try read(&scanner, isInner: true)
                    } else {
                        try scanner.skipValue()
                    }
                    continue
                }
                if isOther {
                    try scanner.skipValue()
                    continue
                }
                switch key.raw[0] {
                case UInt8(ascii: "e"):
                    let type = try scanner.string()
                    if type.equals("trade") {
                        stream = .trades
                    } else if type.equals("aggTrade") {
                        stream = .aggregates
                    } else {
                        isOther = true
                    }
                case UInt8(ascii: "s"):
                    if try scanner.kind() == .string {
                        symbol = try scanner.string()
                    } else {
                        try scanner.skipValue()
                    }
                case UInt8(ascii: "p"):
                    if try scanner.kind() == .string {
                        let decimal = try VenueDecimal(&scanner)
                        price = (decimal.value, decimal.decimals)
                    } else {
                        try scanner.skipValue()
                    }
                case UInt8(ascii: "q"): quantity = try Self.number(&scanner)
                case UInt8(ascii: "T"): time = try Self.number(&scanner)
                case UInt8(ascii: "t"): tradeID = try Self.number(&scanner).flatMap(Self.whole)
                case UInt8(ascii: "a"): aggregateID = try Self.number(&scanner).flatMap(Self.whole)
                default: try scanner.skipValue()
                }
            }
        }

        /// A number in either form; `nil` where another message type uses the key for something else.
        @inline(__always)
        private static func number(_ scanner: inout JSONScanner) throws(JSONError) -> Double? {
            switch try scanner.kind() {
            case .number, .string: return try scanner.decimalString()
            default:
                try scanner.skipValue()
                return nil
            }
        }

        private static func whole(_ value: Double) -> Int? { Int(exactly: value) }
    }
}
