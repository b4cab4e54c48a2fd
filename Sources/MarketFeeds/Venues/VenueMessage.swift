public import MarketModel
public import StreamCore

/// One message of a venue, as far as candles need it. Valid while the message's bytes are.
public enum VenueMessage {
    case trade(VenueTrade)
    /// Something else that the venue sends: books, tickers, acknowledgements.
    case other
}

/// A trade as a venue tells it.
public struct VenueTrade {
    /// Which stream it came in; a venue may tell the same trade in two of them.
    public enum Stream: UInt8, Sendable { case trades, aggregates }

    public var symbol: JSONText
    public var tick: Tick
    /// Counts up by one within a market and stream.
    public var id: Int
    public var stream: Stream
    /// Decimals of the price as written, without trailing zeros.
    public var priceDecimals: Int
}

/// A message that claims to be a trade, but is not a usable one.
public enum VenueParseError: Error, Equatable {
    case json(JSONError)
    case missingField(StaticString)

    public static func == (a: VenueParseError, b: VenueParseError) -> Bool {
        switch (a, b) {
        case (.json(let a), .json(let b)): a == b
        case (.missingField(let a), .missingField(let b)): a.description == b.description
        default: false
        }
    }
}

/// A venue's number, which it writes as a string: `"61837.63000000"`.
struct VenueDecimal {
    var value: Double
    var decimals: Int

    init(value: Double, decimals: Int) {
        self.value = value
        self.decimals = decimals
    }

    @inline(__always)
    init(_ scanner: inout JSONScanner) throws(JSONError) {
        let text = try scanner.decimalText()
        value = text.value
        decimals = Self.decimals(of: text.raw)
    }

    /// Digits after the point, trailing zeros left out.
    @inline(__always)
    static func decimals(of text: UnsafeRawBufferPointer) -> Int {
        var end = text.count
        while end > 0, text[end - 1] == UInt8(ascii: "0") { end -= 1 }
        var at = end
        while at > 0, text[at - 1] != UInt8(ascii: ".") { at -= 1 }
        return at == 0 ? 0 : end - at
    }
}
