import MarketModel

extension ServerMessage {
    /// Reads one text frame. Keys may come in any order; unknown keys are ignored, unknown types returned as such.
    ///
    /// A tick needs symbol, timestamp, price and volume; a candle its six numbers; an error names what is missing. Of a
    /// message with a `channel` the head is read, and the rest only checked for being JSON.
    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> ServerMessage {
        var fields = ServerFields()
        do {
            try fields.read(bytes)
        } catch {
            // What stood before its `channel` may be of other types than a stream's fields of the same name.
            if fields.current != nil, let message = ServerFields.channelMessage(bytes) { return message }
            throw WireError(
                fields.current == nil ? .invalidJSON : .invalidField, field: fields.current?.string,
                message: "\(error.problem.sentence) at byte \(error.offset)")
        }
        if fields.isOfChannel, fields.hasSkipped, let message = ServerFields.channelMessage(bytes) { return message }
        return try fields.message()
    }
}

private struct ServerFields {
    var type: JSONText?
    var symbol: String?
    var timeframe: Timeframe?
    /// The message is about a timeframe that this version does not know.
    var isForeign = false
    var prices = CandleFields()
    var price: Double?
    var isFinal = false
    var revision = 0
    var quality = CandleQuality.complete
    var offset: Int64?
    var epoch: String?
    var candles: [Candle]?
    var recovered = false
    var count: Int?
    var age: Double?
    var code: String?
    var text: String?
    var field: String?
    var id: RequestID?
    var reconnectAfter: Double?
    var channel: StreamChannel?
    /// The message belongs to a channel, known or not: its other fields mean what they mean there.
    var isOfChannel = false
    /// It is known already that it belongs to one.
    var readsHeadOnly = false
    /// Fields were skipped that are a head's, if `channel` comes after them.
    var hasSkipped = false
    var account: String?
    var sequence: Int64?
    /// The key of the field being read; `nil` for one that is ignored.
    var current: JSONText?

    @_optimize(speed)
    mutating func read(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        var scanner = JSONScanner(bytes)
        try scanner.beginObject()
        while let key = try scanner.nextKey() {
            current = key
            if isOfChannel || readsHeadOnly {
                try readChannelField(key, &scanner)
            } else if try !prices.read(key, &scanner) {
                try readField(key, &scanner)
            }
            current = nil
        }
        try scanner.end()
    }

    /// The message by its head alone, wherever in it that stands; `nil` where it belongs to no channel.
    static func channelMessage(_ bytes: UnsafeRawBufferPointer) -> ServerMessage? {
        var fields = ServerFields()
        fields.readsHeadOnly = true
        guard (try? fields.read(bytes)) != nil, fields.isOfChannel, !fields.isError else { return nil }
        return try? fields.message()
    }

    private mutating func readChannelField(_ key: JSONText, _ scanner: inout JSONScanner) throws(JSONError) {
        switch key {
        case "type": type = try scanner.string()
        case "account": if try !scanner.skipNull() { account = try scanner.string().string }
        case "sequence": if try !scanner.skipNull() { sequence = try scanner.integer64() }
        case "channel", "id": try readRareField(key, &scanner)
        case _ where isError: try readRareField(key, &scanner)
        default:
            current = nil
            try scanner.skipValue()
        }
    }

    @_optimize(speed)
    private mutating func readField(_ key: JSONText, _ scanner: inout JSONScanner) throws(JSONError) {
        switch key {
        case "type": type = try scanner.string()
        case "symbol": symbol = try scanner.string().string
        case "price": price = try scanner.number()
        case "offset": offset = try scanner.integer64()
        case "timeframe":
            timeframe = Self.timeframe(try scanner.string())
            isForeign = timeframe == nil
        case "final": isFinal = try scanner.bool()
        case "revision": revision = try scanner.integer()
        case "quality":
            let text = try scanner.string()
            // A quality that this version does not know means at least that something is unusual.
            quality = CandleQuality.allCases.first { text.equals($0.name) } ?? .partial
        case "candles": candles = try Self.candles(&scanner)
        default: try readRareField(key, &scanner)
        }
    }

    /// By its raw value; it stands in every message, and a string would cost more than the rest of it.
    private static func timeframe(_ text: JSONText) -> Timeframe? {
        switch text {
        case "1m": .m1
        case "1s": .s1
        case "5s": .s5
        case "15s": .s15
        case "3m": .m3
        case "5m": .m5
        case "15m": .m15
        case "30m": .m30
        case "1h": .h1
        case "2h": .h2
        case "4h": .h4
        case "6h": .h6
        case "12h": .h12
        case "1d": .d1
        case "1w": .w1
        case "1M": .mo1
        default: nil
        }
    }

    private mutating func readRareField(_ key: JSONText, _ scanner: inout JSONScanner) throws(JSONError) {
        switch key {
        case "epoch": epoch = try scanner.string().string
        case "recovered": recovered = try scanner.bool()
        case "count": count = try scanner.integer()
        case "age": age = try scanner.number()
        case "code": code = try scanner.string().string
        case "message": text = try scanner.string().string
        case "field": field = try scanner.string().string
        case "id": id = RequestID(raw: try scanner.rawValue())
        case "channel":
            channel = StreamChannel(try scanner.string())
            isOfChannel = true
        case "reconnect_after": reconnectAfter = try scanner.number()
        default:
            current = nil
            hasSkipped = true
            try scanner.skipValue()
        }
    }

    private static func candles(_ scanner: inout JSONScanner) throws(JSONError) -> [Candle] {
        var candles: [Candle] = []
        try scanner.beginArray()
        while try scanner.nextElement() {
            let start = scanner.offset
            var fields = CandleFields()
            try scanner.beginObject()
            while let key = try scanner.nextKey() {
                if try !fields.read(key, &scanner) { try scanner.skipValue() }
            }
            guard let candle = fields.candle else { throw JSONError(.wrongType, at: start) }
            candles.append(candle)
        }
        return candles
    }

    private var isError: Bool { type?.equals("error") == true }

    private var position: StreamPosition? {
        guard let epoch, let offset else { return nil }
        return StreamPosition(epoch: epoch, offset: offset)
    }

    func message() throws(WireError) -> ServerMessage {
        guard let type else { throw missing("type") }
        if isOfChannel, !isError {
            guard let channel else { return .unknown(type: type.string) }
            return .channel(
                ChannelHead(type: type.string, channel: channel, account: account, sequence: sequence, id: id))
        }
        if isForeign { return .unknown(type: type.string) }
        switch type {
        case "tick":
            guard let timestamp = prices.timestamp else { throw missing("timestamp") }
            guard let price else { throw missing("price") }
            guard let volume = prices.volume else { throw missing("volume") }
            let tick = Tick(timestamp: timestamp, price: price, volume: volume)
            return .tick(symbol: try named(), timeframe: timeframe, tick, offset: offset)
        case "candle":
            guard let candle = prices.candle else { throw missing(prices.firstMissing) }
            let bar = Bar(
                timeframe: timeframe ?? .m1, candle: candle, isFinal: isFinal, revision: revision, quality: quality)
            return .candle(symbol: try named(), bar, offset: offset)
        case "snapshot":
            guard let candles else { throw missing("candles") }
            return .snapshot(symbol: try named(), timeframe: timeframe, candles: candles, position: position)
        case "subscribed":
            return .subscribed(
                id: id, symbol: try named(), timeframe: timeframe, position: position, recovered: recovered)
        case "unsubscribed": return .unsubscribed(id: id, symbol: try named(), timeframe: timeframe)
        case "skipped": return .skipped(symbol: try named(), timeframe: timeframe, count: count ?? 0)
        case "stale": return .stale(symbol: try named(), age: age ?? 0)
        case "error": return .error(code: code ?? "unknown", message: text ?? "", field: field, id: id)
        case "authenticated": return .authenticated
        case "pong": return .pong(id: id)
        case "closing": return .closing(reconnectAfter: reconnectAfter ?? 0)
        default: return .unknown(type: type.string)
        }
    }

    private func named() throws(WireError) -> String {
        guard let symbol else { throw missing("symbol") }
        return symbol
    }

    private func missing(_ field: String) -> WireError {
        WireError(.missingField, field: field, message: "Field \"\(field)\" is missing.")
    }
}

/// The six numbers of a candle, in any order.
private struct CandleFields {
    var timestamp: Double?
    var open: Double?
    var high: Double?
    var low: Double?
    var close: Double?
    var volume: Double?

    /// Reads the field's value if it is one of the six.
    @_optimize(speed)
    mutating func read(_ key: JSONText, _ scanner: inout JSONScanner) throws(JSONError) -> Bool {
        switch key {
        case "timestamp": timestamp = try scanner.number()
        case "open": open = try scanner.number()
        case "high": high = try scanner.number()
        case "low": low = try scanner.number()
        case "close": close = try scanner.number()
        case "volume": volume = try scanner.number()
        default: return false
        }
        return true
    }

    var candle: Candle? {
        guard let timestamp, let open, let high, let low, let close, let volume else { return nil }
        return Candle(timestamp: timestamp, open: open, high: high, low: low, close: close, volume: volume)
    }

    var firstMissing: String {
        if timestamp == nil { return "timestamp" }
        if open == nil { return "open" }
        if high == nil { return "high" }
        if low == nil { return "low" }
        if close == nil { return "close" }
        return "volume"
    }
}
