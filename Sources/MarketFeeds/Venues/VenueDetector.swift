import StreamCore

extension Venue {
    /// Recognises a venue by the shape of one of its messages; `nil` where the message could be anybody's.
    public static func recognise(_ bytes: UnsafeRawBufferPointer) -> Venue? {
        guard let shape = MessageShape(bytes) else { return recogniseArray(bytes) }
        if shape.has(.stream, .data) || shape.kind != nil && shape.has(.s) { return .binance }
        if let type = shape.type {
            if shape.has(.product), coinbaseTypes.contains(type) { return .coinbase }
            if shape.has(.symbol), candlewireTypes.contains(type),
                shape.has(.timeframe) || type == "tick" && shape.has(.price)
            {
                return .candlewire
            }
            if type == "l2_updates" || type == "trade" && shape.has(.eventID) { return .gemini }
        }
        if shape.event != nil, shape.has(.topic, .payload) { return .intrinio }
        if let event = shape.event { return recogniseEvent(event, shape) }
        if shape.channel != nil, shape.has(.events) { return .coinbaseAdvanced }
        if isKraken(shape) { return .kraken }
        if shape.has(.topic, .data) || shape.has(.success, .connection) { return .bybit }
        return nil
    }

    /// Three venues say `event`.
    private static func recogniseEvent(_ event: String, _ shape: MessageShape) -> Venue? {
        if event.hasPrefix("bts:") || event == "trade" && shape.channel != nil && shape.has(.data) { return .bitstamp }
        if krakenEvents.contains(event) || event == "heartbeat" && shape.count == 1 { return .krakenArrays }
        return shape.has(.channelNumber) || event == "info" && shape.has(.version) ? .bitfinex : nil
    }

    /// Kraken's arrays end with the names of the channel and the pair, Bitfinex' have no texts but `hb`, `te` and `tu`.
    private static func recogniseArray(_ bytes: UnsafeRawBufferPointer) -> Venue? {
        var kinds: [JSONScanner.Kind] = []
        do throws(JSONError) {
            var scanner = JSONScanner(bytes)
            try scanner.beginArray()
            while kinds.count < 6, try scanner.nextElement() {
                kinds.append(try scanner.kind())
                try scanner.skipValue()
            }
        } catch {
            return nil
        }
        guard kinds.first == .number, (4...5).contains(kinds.count), kinds.suffix(2) == [.string, .string] else {
            return nil
        }
        return .krakenArrays
    }

    private static func isKraken(_ shape: MessageShape) -> Bool {
        if let channel = shape.channel, krakenChannels.contains(channel) {
            return shape.has(.data) || channel == "heartbeat" && shape.count == 1
        }
        return shape.has(.method, .success, .timeIn)
    }

    private static let candlewireTypes: Set<String> = ["tick", "candle", "snapshot", "subscribed", "skipped"]

    private static let coinbaseTypes: Set<String> = [
        "subscriptions", "snapshot", "l2update", "ticker", "match", "last_match", "heartbeat", "status", "received",
        "open", "done", "change", "activate",
    ]

    private static let krakenEvents: Set<String> = ["systemStatus", "subscriptionStatus"]

    private static let krakenChannels: Set<String> = [
        "status", "heartbeat", "trade", "ohlc", "ticker", "book", "level3", "instrument",
    ]
}
