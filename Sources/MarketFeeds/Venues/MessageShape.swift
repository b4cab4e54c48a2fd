import StreamCore

/// What a message looks like from outside: its keys, and the words that say what it is.
struct MessageShape {
    struct Keys: OptionSet {
        let rawValue: Int
        static let stream = Keys(rawValue: 1 << 0)
        static let data = Keys(rawValue: 1 << 1)
        static let s = Keys(rawValue: 1 << 2)
        static let product = Keys(rawValue: 1 << 3)
        static let symbol = Keys(rawValue: 1 << 4)
        static let timeframe = Keys(rawValue: 1 << 5)
        static let price = Keys(rawValue: 1 << 6)
        static let method = Keys(rawValue: 1 << 7)
        static let success = Keys(rawValue: 1 << 8)
        static let timeIn = Keys(rawValue: 1 << 9)
        static let eventID = Keys(rawValue: 1 << 10)
        static let events = Keys(rawValue: 1 << 11)
        static let topic = Keys(rawValue: 1 << 12)
        static let connection = Keys(rawValue: 1 << 13)
        static let channelNumber = Keys(rawValue: 1 << 14)
        static let version = Keys(rawValue: 1 << 15)
        static let payload = Keys(rawValue: 1 << 16)
    }

    private(set) var count = 0
    /// `e`, as Binance calls it.
    private(set) var kind: String?
    private(set) var event: String?
    private(set) var type: String?
    private(set) var channel: String?
    private var keys: Keys = []

    /// `nil` where the message is no JSON object.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var scanner = JSONScanner(bytes)
        do throws(JSONError) {
            try scanner.beginObject()
            while let key = try scanner.nextKey() {
                count += 1
                keys.formUnion(Self.known(key))
                let isText = try scanner.kind() == .string
                if isText, key.equals("e") {
                    kind = try scanner.string().string
                } else if isText, key.equals("event") {
                    event = try scanner.string().string
                } else if isText, key.equals("type") {
                    type = try scanner.string().string
                } else if isText, key.equals("channel") {
                    channel = try scanner.string().string
                } else {
                    try scanner.skipValue()
                }
            }
            try scanner.end()
        } catch {
            return nil
        }
    }

    func has(_ wanted: Keys...) -> Bool { wanted.allSatisfy(keys.contains) }

    private static func known(_ key: JSONText) -> Keys {
        for (name, bit) in names where key.equals(name) { return bit }
        return []
    }

    private static let names: [(StaticString, Keys)] = [
        ("stream", .stream), ("data", .data), ("s", .s), ("product_id", .product), ("channels", .product),
        ("symbol", .symbol), ("timeframe", .timeframe), ("price", .price), ("method", .method),
        ("success", .success), ("time_in", .timeIn), ("event_id", .eventID), ("events", .events), ("topic", .topic),
        ("conn_id", .connection), ("chanId", .channelNumber), ("version", .version), ("payload", .payload),
    ]
}
