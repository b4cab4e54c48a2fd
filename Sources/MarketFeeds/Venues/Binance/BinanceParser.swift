import MarketModel
import StreamCore

/// Reads Binance's spot and futures streams, raw or combined (`{"stream":..,"data":{..}}`). `trade` and `aggTrade` are
/// trades, `kline` is a candle, `bookTicker` and `24hrTicker` are quotes. Keys differ by case only (`t` is a trade's
/// id, `T` its time in milliseconds), hence the exact comparison. Source: binance-spot-api-docs, web-socket-streams.md.
enum BinanceParser: VenueParser {
    static func parseAnyLayout(_ bytes: Bytes, into batch: inout VenueBatch) throws(ParseError) -> VenueMessageKind {
        var fields = BinanceFields()
        do throws(JSONError) {
            var scanner = VenueScanner(bytes)
            try fields.read(&scanner, isInner: false)
            try scanner.json.end()
        } catch { throw .json(error) }
        switch fields.event {
        case .trade, .aggregate:
            let isAggregate = fields.event == .aggregate
            fields.trade.id = isAggregate ? fields.aggregateID : fields.trade.id
            var trade = try fields.trade.trade(isAggregate ? aggregateNames : tradeNames)
            trade.stream = isAggregate ? .aggregates : .trades
            batch.trades.append(trade)
            return .trades
        case .kline:
            batch.candles.append(try fields.kline.candle(of: try fields.trade.symbol.required("s")))
            return .candles
        case .depth: return .book
        case .other: return .other
        case .day:
            let symbol = try fields.trade.symbol.required("s")
            batch.quotes.append(fields.quote.quote(of: symbol, at: fields.eventTime.map { $0 / 1000 }))
            return .quotes
        case .quote, .none: break
        }
        if fields.isRefusal { return .refusal }
        if fields.isAnswer { return .acknowledgement }
        // On the spot market quotes have neither type nor time.
        guard var quote = fields.quote.both(of: fields.trade.symbol, at: fields.trade.time) else { return .other }
        quote.day = nil
        batch.quotes.append(quote)
        return .quotes
    }

    private static let tradeNames = TradeFields.Names(symbol: "s", price: "p", volume: "q", time: "T", id: "t")
    private static let aggregateNames = TradeFields.Names(symbol: "s", price: "p", volume: "q", time: "T", id: "a")

    @inline(__always)
    static func parseLayout(_ bytes: Bytes, into batch: inout VenueBatch) -> Bool {
        guard var reader = LayoutReader(bytes) else { return false }
        let isCombined = reader.match("{\"stream\":\"")
        if isCombined {
            guard reader.skipString(), reader.match(",\"data\":{") else { return false }
        } else {
            guard reader.match("{") else { return false }
        }
        guard reader.match("\"e\":\"trade\",\"E\":"), reader.unsigned() != nil, reader.match(",\"s\":\""),
            let symbol = reader.string(), reader.match(",\"t\":"), let id = reader.unsigned(),
            reader.match(",\"p\":\""), let price = reader.quotedDecimal(), reader.match(",\"q\":\""),
            let quantity = reader.quotedDecimal(), reader.match(",\"T\":"), let time = reader.unsigned(),
            time.value <= 1 << 53, reader.match(",\"m\":"), let isSale = reader.bool(), reader.match(",\"M\":"),
            reader.bool() != nil, reader.match("}"), !isCombined || reader.match("}"), reader.isAtEnd
        else { return false }
        batch.trades.append(
            VenueTrade(
                symbol, at: Double(time.value) / 1000, price: price, volume: quantity, side: isSale ? .sell : .buy,
                id: id))
        return true
    }
}
