import MarketModel
import StreamCore

/// A trade while its fields are read, in whatever order they come.
struct TradeFields {
    /// What a venue calls them, to say which one is missing.
    struct Names {
        var symbol: StaticString
        var price: StaticString
        var volume: StaticString
        var time: StaticString
        var id: StaticString
    }

    var symbol: VenueText?
    var price: VenueDecimal?
    var volume: VenueDecimal?
    /// Seconds since 1970 UTC.
    var time: Double?
    var id: (value: UInt64, text: VenueText)?
    var side = VenueTrade.Side.unknown

    func trade(_ names: Names) throws(ParseError) -> VenueTrade {
        try VenueTrade(
            symbol.required(names.symbol), at: time.required(names.time), price: price.required(names.price),
            volume: volume.required(names.volume), side: side, id: id.required(names.id))
    }
}

/// A venue's own candle while its fields are read, in whatever order they come.
struct CandleFields {
    /// What a venue calls them, to say which one is missing.
    struct Names {
        var start: StaticString
        var open: StaticString = "open"
        var high: StaticString = "high"
        var low: StaticString = "low"
        var close: StaticString = "close"
        var volume: StaticString = "volume"
    }

    /// In the venue's unit of time.
    var start: Double?
    var open: Double?
    var high: Double?
    var low: Double?
    var close: Double?
    var volume: Double?

    /// With `start` as its timestamp.
    func candle(_ names: Names) throws(ParseError) -> Candle {
        try Candle(
            timestamp: start.required(names.start), open: open.required(names.open), high: high.required(names.high),
            low: low.required(names.low), close: close.required(names.close), volume: volume.required(names.volume))
    }

    /// Reads one member of an object that calls prices and volume by their usual names.
    /// - Parameter start: what it calls the time.
    mutating func read(_ key: JSONText, _ scanner: inout JSONScanner, start name: StaticString) throws(JSONError) {
        switch key {
        case name: start = try scanner.decimalString()
        case "open": open = try scanner.decimalString()
        case "high": high = try scanner.decimalString()
        case "low": low = try scanner.decimalString()
        case "close": close = try scanner.decimalString()
        case "volume": volume = try scanner.decimalString()
        default: try scanner.skipValue()
        }
    }
}

extension Optional {
    /// A value that a message must have.
    @inline(__always)
    func required(_ name: StaticString) throws(ParseError) -> Wrapped {
        guard let self else { throw .missingField("\(name)") }
        return self
    }
}
