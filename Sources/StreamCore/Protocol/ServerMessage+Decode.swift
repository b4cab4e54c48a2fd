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
                fields.current == nil ? .invalidJSON : .invalidField, field: fields.current.map { "\($0)" },
                message: "\(error.problem.sentence) at byte \(error.offset)")
        }
        if fields.isOfChannel, fields.hasSkipped, let message = ServerFields.channelMessage(bytes) { return message }
        return try fields.message()
    }
}

private struct ServerFields {
    var type: String?
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
    var current: StaticString?

    mutating func read(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        var scanner = JSONScanner(bytes)
        try scanner.beginObject()
        while let key = try scanner.nextKey() {
            if isOfChannel || readsHeadOnly {
                try readChannelField(key, &scanner)
            } else if try !prices.read(key, &scanner, &current) {
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
        guard (try? fields.read(bytes)) != nil, fields.isOfChannel, fields.type != "error" else { return nil }
        return try? fields.message()
    }

    private mutating func readChannelField(_ key: JSONText, _ scanner: inout JSONScanner) throws(JSONError) {
        if key.equals("type", noting: &current) {
            type = try scanner.string().string
        } else if key.equals("account", noting: &current) {
            if try !scanner.skipNull() { account = try scanner.string().string }
        } else if key.equals("sequence", noting: &current) {
            if try !scanner.skipNull() { sequence = try scanner.integer64() }
        } else if key.equals("channel") || key.equals("id") || type == "error" {
            try readRareField(key, &scanner)
        } else {
            try scanner.skipValue()
        }
    }

    private mutating func readField(_ key: JSONText, _ scanner: inout JSONScanner) throws(JSONError) {
        if key.equals("type", noting: &current) {
            type = try scanner.string().string
        } else if key.equals("symbol", noting: &current) {
            symbol = try scanner.string().string
        } else if key.equals("price", noting: &current) {
            price = try scanner.number()
        } else if key.equals("offset", noting: &current) {
            offset = try scanner.integer64()
        } else if key.equals("timeframe", noting: &current) {
            timeframe = Timeframe(rawValue: try scanner.string().string)
            isForeign = timeframe == nil
        } else if key.equals("final", noting: &current) {
            isFinal = try scanner.bool()
        } else if key.equals("revision", noting: &current) {
            revision = try scanner.integer()
        } else if key.equals("quality", noting: &current) {
            let text = try scanner.string()
            // A quality that this version does not know means at least that something is unusual.
            quality = CandleQuality.allCases.first { text.equals($0.name) } ?? .partial
        } else if key.equals("candles", noting: &current) {
            candles = try Self.candles(&scanner)
        } else {
            try readRareField(key, &scanner)
        }
    }

    private mutating func readRareField(_ key: JSONText, _ scanner: inout JSONScanner) throws(JSONError) {
        if key.equals("epoch", noting: &current) {
            epoch = try scanner.string().string
        } else if key.equals("recovered", noting: &current) {
            recovered = try scanner.bool()
        } else if key.equals("count", noting: &current) {
            count = try scanner.integer()
        } else if key.equals("age", noting: &current) {
            age = try scanner.number()
        } else if key.equals("code", noting: &current) {
            code = try scanner.string().string
        } else if key.equals("message", noting: &current) {
            text = try scanner.string().string
        } else if key.equals("field", noting: &current) {
            field = try scanner.string().string
        } else if key.equals("id", noting: &current) {
            id = RequestID(raw: try scanner.rawValue())
        } else if key.equals("channel", noting: &current) {
            channel = StreamChannel(try scanner.string())
            isOfChannel = true
        } else if key.equals("reconnect_after", noting: &current) {
            reconnectAfter = try scanner.number()
        } else {
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
            var ignored: StaticString?
            try scanner.beginObject()
            while let key = try scanner.nextKey() {
                if try !fields.read(key, &scanner, &ignored) { try scanner.skipValue() }
            }
            guard let candle = fields.candle else { throw JSONError(.wrongType, at: start) }
            candles.append(candle)
        }
        return candles
    }

    private var position: StreamPosition? {
        guard let epoch, let offset else { return nil }
        return StreamPosition(epoch: epoch, offset: offset)
    }

    func message() throws(WireError) -> ServerMessage {
        guard let type else { throw missing("type") }
        if isOfChannel, type != "error" {
            guard let channel else { return .unknown(type: type) }
            return .channel(
                ChannelHead(type: type, channel: channel, account: account, sequence: sequence, id: id))
        }
        if isForeign { return .unknown(type: type) }
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
        default: return .unknown(type: type)
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
    mutating func read(
        _ key: JSONText, _ scanner: inout JSONScanner, _ current: inout StaticString?
    ) throws(JSONError) -> Bool {
        if key.equals("timestamp", noting: &current) {
            timestamp = try scanner.number()
        } else if key.equals("open", noting: &current) {
            open = try scanner.number()
        } else if key.equals("high", noting: &current) {
            high = try scanner.number()
        } else if key.equals("low", noting: &current) {
            low = try scanner.number()
        } else if key.equals("close", noting: &current) {
            close = try scanner.number()
        } else if key.equals("volume", noting: &current) {
            volume = try scanner.number()
        } else {
            return false
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
