import MarketModel
import StreamCore

/// Reads Intrinio's legacy stream: Phoenix channels, `{"topic":..,"event":..,"payload":{..},"ref":..}`.
///
/// `quote` is three things by its `type`: `last` is a trade, `bid` and `ask` are one side of the best prices.
/// `price_update` (currencies) and `ticker` (cryptocurrencies) are both sides, where null means unchanged. Trades have
/// neither number nor side.
///
/// Source: readmes of the realtime SDKs of 2018 to 2020; no recorded session was found. The fields of a cryptocurrency's
/// `trade` are those that its other messages have.
enum IntrinioParser {
    static func parse(
        _ bytes: UnsafeRawBufferPointer, into batch: inout VenueBatch
    ) throws(VenueParseError) -> VenueMessageKind {
        if let trade = IntrinioTradeLayout.parse(bytes) {
            batch.trades.append(trade)
            return .trades
        }
        return try parseAnyLayout(bytes, into: &batch)
    }

    static func parseAnyLayout(
        _ bytes: UnsafeRawBufferPointer, into batch: inout VenueBatch
    ) throws(VenueParseError) -> VenueMessageKind {
        var event: JSONText?
        var topic: JSONText?
        var payload: JSONScanner?
        var scanner = VenueScanner(bytes)
        do throws(JSONError) {
            try scanner.json.beginObject()
            while let key = try scanner.json.nextKey() {
                if key.equals("event") {
                    event = try scanner.json.string()
                } else if key.equals("topic") {
                    if try scanner.isNext(.string) { topic = try scanner.json.string() }
                } else if key.equals("payload"), try scanner.json.kind() == .object {
                    payload = scanner.json
                    try scanner.json.skipValue()
                } else {
                    try scanner.json.skipValue()
                }
            }
            try scanner.json.end()
        } catch {
            throw .json(error)
        }
        guard let event else { throw .missingField("event") }
        if event.equals("phx_error") || event.equals("phx_close") { return .status }
        if event.equals("book_update") { return .book }
        guard
            event.equals("quote") || event.equals("price_update") || event.equals("ticker") || event.equals("trade")
                || event.equals("phx_reply")
        else { return .other }
        guard let payload else { throw .missingField("payload") }
        scanner.json = payload
        var fields = IntrinioPayload()
        do throws(JSONError) { try fields.read(&scanner) } catch { throw .json(error) }
        if event.equals("phx_reply") {
            guard fields.isOK else { return .refusal }
            return topic?.equals("phoenix") == true ? .heartbeat : .acknowledgement
        }
        if event.equals("trade") || event.equals("quote") && fields.type == .last {
            batch.trades.append(try fields.trade())
            return .trades
        }
        if event.equals("quote") {
            guard let quote = try fields.oneSidedQuote() else { return .other }
            batch.quotes.append(quote)
        } else {
            batch.quotes.append(try fields.quote())
        }
        return .quotes
    }
}
