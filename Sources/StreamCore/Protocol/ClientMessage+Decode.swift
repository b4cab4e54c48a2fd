public import MarketModel

extension ClientMessage {
    /// Reads one text frame.
    ///
    /// Keys may come in any order; unknown ones are ignored. An error names the field and what it may be, and carries
    /// the request's id where it could be read.
    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> ClientMessage {
        var fields = ClientFields()
        do {
            try fields.read(bytes)
        } catch {
            throw fields.wireError(error)
        }
        return try fields.message()
    }
}

/// The fields of any client message, as far as they were read.
private struct ClientFields {
    var action: String?
    var symbol: String?
    var timeframe: String?
    var channel: String?
    var account: String?
    var token: String?
    var id: RequestID?
    var history: Int?
    var maxRate: Double?
    var recover: StreamPosition?
    var cancelsOnDisconnect = false
    /// The key of the field being read, for the error message; `nil` for one that is ignored.
    var current: JSONText?
    var isInsideObject = false

    mutating func read(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        var scanner = JSONScanner(bytes)
        try scanner.beginObject()
        isInsideObject = true
        while let key = try scanner.nextKey() {
            current = key
            try readField(key, &scanner)
            current = nil
        }
        try scanner.end()
    }

    private mutating func readField(_ key: JSONText, _ scanner: inout JSONScanner) throws(JSONError) {
        switch key {
        case "action": action = try scanner.string().string
        case "symbol": symbol = try scanner.string().string
        case "timeframe": if try !scanner.skipNull() { timeframe = try scanner.string().string }
        case "id": if try !scanner.skipNull() { id = try Self.requestID(&scanner) }
        case "history": if try !scanner.skipNull() { history = try scanner.integer() }
        case "max_rate": if try !scanner.skipNull() { maxRate = try scanner.number() }
        case "recover": if try !scanner.skipNull() { recover = try Self.position(&scanner) }
        case "channel": if try !scanner.skipNull() { channel = try scanner.string().string }
        case "account": if try !scanner.skipNull() { account = try scanner.string().string }
        case "cancel_on_disconnect": if try !scanner.skipNull() { cancelsOnDisconnect = try scanner.bool() }
        case "token": token = try scanner.string().string
        default:
            current = nil
            try scanner.skipValue()
        }
    }

    private static func requestID(_ scanner: inout JSONScanner) throws(JSONError) -> RequestID {
        let kind = try scanner.kind()
        let offset = scanner.offset
        guard kind == .number || kind == .string, let id = RequestID(raw: try scanner.rawValue()) else {
            throw JSONError(.wrongType, at: offset)
        }
        return id
    }

    private static func position(_ scanner: inout JSONScanner) throws(JSONError) -> StreamPosition {
        let offset = scanner.offset
        var epoch: String?
        var number: Int64?
        try scanner.beginObject()
        while let key = try scanner.nextKey() {
            switch key {
            case "epoch": epoch = try scanner.string().string
            case "offset": number = try scanner.integer64()
            default: try scanner.skipValue()
            }
        }
        guard let epoch, let number else { throw JSONError(.wrongType, at: offset) }
        return StreamPosition(epoch: epoch, offset: number)
    }

    /// What a field may be, for the error message.
    private static func allowed(_ field: String) -> StaticString {
        switch field {
        case "history": "a whole number from 0 to 1000"
        case "max_rate": "a number from 0.01 to 10000, in messages per second"
        case "recover": "an object {\"epoch\": string, \"offset\": whole number}"
        case "id": "a number or a string of at most 64 bytes"
        case "channel": "one of markets, positions, orders, portfolio, events, health"
        case "cancel_on_disconnect": "true or false"
        case "account": "an account's id, or left out for \"paper-main\""
        default: "a string"
        }
    }

    func wireError(_ error: JSONError) -> WireError {
        guard let field = current?.string, error.problem == .wrongType || error.problem == .invalidNumber else {
            let what = isInsideObject || error.problem != .wrongType ? error.problem.sentence : "it is not an object"
            return WireError(
                .invalidJSON, message: "The message is not valid JSON: \(what) at byte \(error.offset).", requestID: id)
        }
        return invalid(
            field, "must be \(Self.allowed(field)); found \(error.problem.sentence) at byte \(error.offset).")
    }

    func message() throws(WireError) -> ClientMessage {
        guard let action else { throw missing("action", "one of auth, subscribe, unsubscribe, ping") }
        switch action {
        case "subscribe":
            if let key = try channelKey() {
                guard !cancelsOnDisconnect || key.channel == .orders else {
                    throw invalid("cancel_on_disconnect", "belongs to the channel orders.")
                }
                return .subscribeChannel(key, id: id, cancelsOnDisconnect: cancelsOnDisconnect)
            }
            return .subscribe(try subscribeRequest())
        case "unsubscribe":
            if let key = try channelKey() { return .unsubscribeChannel(key, id: id) }
            guard let symbol else { throw missingStream }
            return .unsubscribe(symbol: symbol, timeframe: try parsedTimeframe(), id: id)
        case "ping": return .ping(id: id)
        case "auth":
            guard let token else { throw missing("token", "a string") }
            return .auth(token: token)
        default:
            throw error(
                .unknownAction, "action",
                "Unknown action \"\(action)\"; allowed are auth, subscribe, unsubscribe, ping.")
        }
    }

    private func subscribeRequest() throws(WireError) -> SubscribeRequest {
        guard let symbol else { throw missingStream }
        guard let timeframe = try parsedTimeframe() else { throw missing("timeframe", Timeframe.allowedNames) }
        let history = history ?? SubscribeRequest.defaultHistory
        guard history >= 0, history <= SubscribeRequest.maximumHistory else {
            throw invalid("history", "must be a whole number from 0 to \(SubscribeRequest.maximumHistory).")
        }
        if let maxRate, !SubscribeRequest.rateRange.contains(maxRate) {
            throw invalid("max_rate", "must be a number from 0.01 to 10000, in messages per second.")
        }
        return SubscribeRequest(
            symbol: symbol, timeframe: timeframe, id: id, history: history, maxRate: maxRate, recover: recover)
    }

    /// The channel that a message is about; `nil` where it names none.
    private func channelKey() throws(WireError) -> ChannelKey? {
        guard let channel else { return nil }
        guard symbol == nil, timeframe == nil else {
            throw invalid(
                "channel",
                "cannot stand beside \"symbol\" or \"timeframe\": a message is about a stream (symbol and timeframe) "
                    + "or about a channel, one of \(StreamChannel.allowedNames).")
        }
        guard let known = StreamChannel(name: channel) else {
            throw error(
                .unknownChannel, "channel",
                "Unknown channel \"\(channel)\"; allowed are \(StreamChannel.allowedNames).")
        }
        if let account, account.isEmpty || account.utf8.count > ChannelKey.maximumAccountBytes {
            throw invalid(
                "account",
                "must be an account's id of 1 to \(ChannelKey.maximumAccountBytes) bytes; left out it is "
                    + "\"\(ChannelKey.defaultAccount)\".")
        }
        return ChannelKey(known, account: account)
    }

    private var missingStream: WireError {
        missing("symbol", "a market's symbol; or \"channel\" one of \(StreamChannel.allowedNames)")
    }

    private func parsedTimeframe() throws(WireError) -> Timeframe? {
        guard let timeframe else { return nil }
        guard let parsed = Timeframe(rawValue: timeframe) else {
            throw error(
                .unknownTimeframe, "timeframe",
                "Unknown timeframe \"\(timeframe)\"; allowed are \(Timeframe.allowedNames).")
        }
        return parsed
    }

    private func missing(_ field: String, _ allowed: String) -> WireError {
        error(.missingField, field, "Field \"\(field)\" is missing; it must be \(allowed).")
    }

    private func invalid(_ field: String, _ problem: String) -> WireError {
        error(.invalidField, field, "Field \"\(field)\" \(problem)")
    }

    private func error(_ code: WireError.Code, _ field: String, _ message: String) -> WireError {
        WireError(code, field: field, message: message, requestID: id)
    }
}

extension Timeframe {
    /// All raw values, for error messages: `1s, 5s, ... 1M`.
    public static let allowedNames = allCases.map { $0.rawValue }.joined(separator: ", ")
}
