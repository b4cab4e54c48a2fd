import MarketModel
import StreamCore

/// Reads Intrinio's current equities stream: binary, little endian. A byte says how many items follow, back to back:
///
/// ```
/// type 1 | item's length 1 | symbol's length 1, symbol | sub-provider 1 | market centre 2 | price 4, float
///        | size 4 | time 8, nanoseconds since 1970 | day's volume 4, trades only | condition's length 1, condition
/// ```
///
/// A message whose lengths do not come out even is malformed as a whole: where one length lies, none can be trusted.
///
/// Source: intrinio/intrinio-realtime-python-sdk, version 6; no recorded session was found.
enum IntrinioEquitiesParser: VenueReader {
    static func read(
        _ session: inout VenueSession, _ message: Bytes, _ connection: Int
    ) throws(ParseError) -> VenueMessageKind {
        try parse(message, into: &session.batch)
    }

    private static let headBytes = 3
    /// Sub-provider, market centre, price, size, time, and the condition's length.
    private static let fixedBytes = 1 + 2 + 4 + 4 + 8 + 1
    private static let dayVolumeBytes = 4

    static func parse(_ bytes: Bytes, into batch: inout VenueBatch) throws(ParseError) -> VenueMessageKind {
        guard let count = bytes.first else { throw .badLength }
        var at = 1
        for _ in 0..<count { at += try item(bytes, at, into: &batch) }
        guard at == bytes.count else { throw .badLength }
        if !batch.trades.isEmpty { return .trades }
        return batch.quotes.isEmpty ? .other : .quotes
    }

    /// Calls `body` with each quote of a message whose lengths were checked: symbol, side, price, size, seconds since 1970.
    static func eachQuote(
        _ bytes: Bytes, _ body: (VenueText, BookSide, Float, UInt32, Double) -> Void
    ) throws(ParseError) {
        var at = 1
        while at < bytes.count {
            guard at + headBytes <= bytes.count else { throw .badLength }
            let (type, length, symbolBytes) = (bytes[at], Int(bytes[at + 1]), Int(bytes[at + 2]))
            let fields = at + headBytes + symbolBytes + 3
            guard length > 0, fields + 16 <= bytes.count else { throw .badLength }
            if type == 1 || type == 2 {
                body(
                    VenueText(start: at + headBytes, count: symbolBytes), type == 2 ? .bid : .ask,
                    Float(bitPattern: number(bytes, fields)), number(bytes, fields + 4),
                    seconds(number(bytes, fields + 8)))
            }
            at += length
        }
    }

    /// - Returns: the item's length.
    private static func item(_ bytes: Bytes, _ start: Int, into batch: inout VenueBatch) throws(ParseError) -> Int {
        guard start + headBytes <= bytes.count else { throw .badLength }
        let type = bytes[start]
        let length = Int(bytes[start + 1])
        let symbolBytes = Int(bytes[start + 2])
        let isTrade = type == 0
        let needed = headBytes + symbolBytes + fixedBytes + (isTrade ? dayVolumeBytes : 0)
        guard length >= needed, start + length <= bytes.count, needed + Int(bytes[start + needed - 1]) == length
        else { throw .badLength }
        let fields = start + headBytes + symbolBytes + 3
        let price = Float(bitPattern: number(bytes, fields))
        guard type <= 2, symbolBytes > 0, price.isFinite else { throw .badValue }
        let symbol = VenueText(start: start + headBytes, count: symbolBytes)
        let time = seconds(number(bytes, fields + 8))
        let (value, decimals) = IntrinioPrice.shortest(price)
        if isTrade {
            let size: UInt32 = number(bytes, fields + 4)
            batch.trades.append(
                VenueTrade(
                    symbol, at: time, price: VenueDecimal(value: value, text: .none, decimals: decimals),
                    volume: VenueDecimal(value: Double(size), text: .none, decimals: 0), side: .unknown))
        } else {
            batch.quotes.append(
                VenueQuote(
                    bid: type == 2 ? value : nil, ask: type == 1 ? value : nil, timestamp: time, symbol: symbol))
        }
        return length
    }

    private static func number<Value: FixedWidthInteger & BitwiseCopyable>(_ bytes: Bytes, _ at: Int) -> Value {
        Value(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: Value.self))
    }

    /// Whole seconds and the rest apart: a double has no room for nanoseconds of today.
    private static func seconds(_ nanoseconds: UInt64) -> Double {
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Double(whole) + Double(rest) / 1e9
    }
}

/// Prices that were sent as 32-bit floats.
enum IntrinioPrice {
    private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

    /// The decimal with the fewest digits after the point that is this float: 28.97 and not 28.969999313354492.
    static func shortest(_ price: Float) -> (value: Double, decimals: Int) {
        let exact = Double(price)
        for decimals in powers.indices {
            // A quotient of whole numbers is the double nearest to the decimal.
            let value = (exact * powers[decimals]).rounded() / powers[decimals]
            if Float(value) == price { return (value, decimals) }
        }
        return (exact, powers.count - 1)
    }
}
