import StreamCore

extension Venue {
    /// Recognises a venue by the shape of one of its messages; `nil` where the message could be anybody's.
    public static func recognise(_ bytes: UnsafeRawBufferPointer) -> Venue? {
        var scanner = JSONScanner(bytes)
        var hasStream = false
        var hasData = false
        var event: String?
        var type: String?
        var hasSymbol = false
        var hasProduct = false
        var hasName = false
        var hasTimeframe = false
        var hasPrice = false
        do throws(JSONError) {
            try scanner.beginObject()
            while let key = try scanner.nextKey() {
                if key.equals("stream") { hasStream = true }
                if key.equals("data") { hasData = true }
                if key.equals("s") { hasSymbol = true }
                if key.equals("product_id") || key.equals("channels") { hasProduct = true }
                if key.equals("symbol") { hasName = true }
                if key.equals("timeframe") { hasTimeframe = true }
                if key.equals("price") { hasPrice = true }
                let kind = try scanner.kind()
                if key.equals("e"), kind == .string {
                    event = try scanner.string().string
                } else if key.equals("type"), kind == .string {
                    type = try scanner.string().string
                } else {
                    try scanner.skipValue()
                }
            }
        } catch {
            return nil
        }
        if hasStream && hasData { return .binance }
        if event != nil && hasSymbol { return .binance }
        if let type, hasProduct, coinbaseTypes.contains(type) { return .coinbase }
        if let type, hasName, candlewireTypes.contains(type), hasTimeframe || type == "tick" && hasPrice {
            return .candlewire
        }
        return nil
    }

    private static let candlewireTypes: Set<String> = ["tick", "candle", "snapshot", "subscribed", "skipped"]

    private static let coinbaseTypes: Set<String> = [
        "subscriptions", "snapshot", "l2update", "ticker", "match", "last_match", "heartbeat", "status", "received",
        "open", "done", "change", "activate",
    ]
}
