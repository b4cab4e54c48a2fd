import MarketModel
import StreamCore

/// Reads Binance's spot and futures streams, raw or combined (`{"stream":..,"data":{..}}`).
///
/// `trade` and `aggTrade` are trades, `kline` is a candle, `bookTicker` and `24hrTicker` are quotes. Keys differ by case only (`t` is a
/// trade's id, `T` its time in milliseconds), hence the exact comparison.
/// Source: binance-spot-api-docs, web-socket-streams.md.
enum BinanceParser: VenueParser {
    /// Reads a message with its keys in any order.
    static func parseAnyLayout(
        _ bytes: UnsafeRawBufferPointer, into batch: inout VenueBatch
    ) throws(VenueParseError) -> VenueMessageKind {
        var fields = BinanceFields()
        do throws(JSONError) {
            var scanner = VenueScanner(bytes)
            try fields.read(&scanner, isInner: false)
            try scanner.json.end()
        } catch {
            throw .json(error)
        }
        switch fields.event {
        case .trade, .aggregate:
            let isAggregate = fields.event == .aggregate
            fields.trade.id = isAggregate ? fields.aggregateID : fields.trade.id
            var trade = try fields.trade.trade(isAggregate ? aggregateNames : tradeNames)
            trade.stream = isAggregate ? .aggregates : .trades
            batch.trades.append(trade)
            return .trades
        case .kline:
            guard let symbol = fields.trade.symbol else { throw .missingField("s") }
            batch.candles.append(try fields.kline.candle(of: symbol))
            return .candles
        case .depth: return .book
        case .other: return .other
        case .day:
            guard let symbol = fields.trade.symbol else { throw .missingField("s") }
            batch.quotes.append(fields.day(of: symbol))
            return .quotes
        case .quote, .none: break
        }
        if fields.isRefusal { return .refusal }
        if fields.isAnswer { return .acknowledgement }
        // On the spot market quotes have neither type nor time.
        if let symbol = fields.trade.symbol, let bid = fields.bid, let ask = fields.ask {
            batch.quotes.append(VenueQuote(bid: bid, ask: ask, timestamp: fields.trade.time, symbol: symbol))
            return .quotes
        }
        return .other
    }

    private static let tradeNames = TradeFields.Names(symbol: "s", price: "p", volume: "q", time: "T", id: "t")
    private static let aggregateNames = TradeFields.Names(symbol: "s", price: "p", volume: "q", time: "T", id: "a")

    /// The layout of spot trades, raw and combined.
    @inline(__always)
    static func parseLayout(_ bytes: UnsafeRawBufferPointer, into batch: inout VenueBatch) -> Bool {
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
