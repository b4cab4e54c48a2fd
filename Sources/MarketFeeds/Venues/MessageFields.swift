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

    func trade(_ names: Names) throws(VenueParseError) -> VenueTrade {
        guard let symbol else { throw .missingField(names.symbol) }
        guard let price else { throw .missingField(names.price) }
        guard let volume else { throw .missingField(names.volume) }
        guard let time else { throw .missingField(names.time) }
        guard let id else { throw .missingField(names.id) }
        return VenueTrade(symbol, at: time, price: price, volume: volume, side: side, id: id)
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
    func candle(_ names: Names) throws(VenueParseError) -> Candle {
        guard let start else { throw .missingField(names.start) }
        guard let open else { throw .missingField(names.open) }
        guard let high else { throw .missingField(names.high) }
        guard let low else { throw .missingField(names.low) }
        guard let close else { throw .missingField(names.close) }
        guard let volume else { throw .missingField(names.volume) }
        return Candle(timestamp: start, open: open, high: high, low: low, close: close, volume: volume)
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
