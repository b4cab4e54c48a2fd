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
        return VenueTrade(
            tick: Tick(timestamp: time, price: price.value, volume: volume.value), side: side, name: id.text,
            price: price.text, volume: volume.text, symbol: symbol, id: id.value, priceDecimals: price.decimals)
    }
}
