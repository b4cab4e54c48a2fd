import MarketModel
import StreamCore

/// The values of a message whose places are known.
extension ProviderReader {
    mutating func trade(_ rule: ProviderMapping.Rule, _ bytes: Bytes, into batch: inout VenueBatch) throws(ParseError) {
        let symbol = try required(rule, .symbol, bytes)
        // Messages of other symbols are not looked at.
        guard let slot = slot(of: symbol) else { return }
        var tick = ProviderTick()
        tick.symbol = VenueText(symbol, from: bytes.start)
        tick.time = try time(rule, bytes)
        tick.price = try decimal(rule, .price, bytes)
        if rule.place(.volume) != .nowhere { tick.volume = try decimal(rule, .volume, bytes) }
        if let text = optional(rule, .side, bytes) { tick.side = rule.side(text) }
        if rule.place(.id) != .nowhere {
            let id = try required(rule, .id, bytes)
            tick.name = VenueText(id, from: bytes.start)
            tick.id = Self.number(of: id.raw)
        }
        batch.trades.append(VenueTrade(tick, slot: slot))
    }

    /// Accepts a trade that was read by its layout.
    mutating func accept(_ tick: ProviderTick, _ bytes: Bytes, into batch: inout VenueBatch) {
        guard let slot = slot(of: tick.symbol.read(in: bytes)) else { return }
        batch.trades.append(VenueTrade(tick, slot: slot))
    }

    /// The slot of a wanted symbol, -1 where any may be meant; `nil`, and counted, where it is another one.
    private mutating func slot(of symbol: JSONText) -> Int? {
        guard let wanted else { return -1 }
        guard let market = wanted.find(symbol) else {
            counts.otherSymbols += 1
            return nil
        }
        return market
    }

    /// A trade's name as a number: itself, or its hash.
    static func number(of id: Bytes) -> UInt64 { VenueScanner.unsigned(id) ?? FNV1a(id).value }

    mutating func candle(
        _ rule: ProviderMapping.Rule, _ bytes: Bytes, into batch: inout VenueBatch
    ) throws(ParseError) {
        let symbol = try required(rule, .symbol, bytes)
        guard slot(of: symbol) != nil else { return }
        let timeframe = try timeframe(rule, bytes)
        let time = try time(rule, bytes)
        // A time that is out of the world has no bucket, and is out of place in any.
        guard time > 0, time <= Tick.latestTimestamp else { throw .badValue }
        let candle = Candle(
            timestamp: timeframe.bucketStart(of: time), open: try decimal(rule, .open, bytes).value,
            high: try decimal(rule, .high, bytes).value, low: try decimal(rule, .low, bytes).value,
            close: try decimal(rule, .close, bytes).value,
            volume: rule.place(.volume) == .nowhere ? 0 : try decimal(rule, .volume, bytes).value)
        guard candle.isWellFormed else { throw .badValue }
        batch.candles.append(
            MessageCandle(
                symbol: VenueText(symbol, from: bytes.start), state: state(rule, bytes),
                seconds: Int(timeframe.seconds), candle: candle, trades: nil, lastTrade: nil))
    }

    private func state(_ rule: ProviderMapping.Rule, _ bytes: Bytes) -> MessageCandle.State {
        guard let text = optional(rule, .final, bytes) else { return .unknown }
        return text.equals("true") || text.equals("1") ? .closed : .running
    }

    private mutating func time(_ rule: ProviderMapping.Rule, _ bytes: Bytes) throws(ParseError) -> Double {
        let text = try required(rule, .timestamp, bytes)
        guard let time = mapping.unit.seconds(text.raw) else { throw .badValue }
        return time
    }

    private mutating func timeframe(_ rule: ProviderMapping.Rule, _ bytes: Bytes) throws(ParseError) -> Timeframe {
        guard let text = optional(rule, .timeframe, bytes) else { return mapping.timeframe }
        for at in mapping.timeframes.indices where text.equals(mapping.timeframes[at].name) {
            return mapping.timeframes[at].timeframe
        }
        throw .badValue
    }

    private mutating func decimal(
        _ rule: ProviderMapping.Rule, _ field: ProviderField, _ bytes: Bytes
    ) throws(ParseError) -> VenueDecimal {
        let raw = try required(rule, field, bytes).raw
        guard let (value, length, fractionDigits) = DecimalParser.parseFraction(raw), length == raw.count else {
            throw .badValue
        }
        return VenueDecimal(
            value: value, text: VenueText(raw, from: bytes.start),
            decimals: VenueDecimal.decimals(of: raw, fractionDigits: fractionDigits))
    }

    /// A value that must be there; without it the message is of no use.
    private mutating func required(
        _ rule: ProviderMapping.Rule, _ field: ProviderField, _ bytes: Bytes
    ) throws(ParseError) -> JSONText {
        if let text = optional(rule, field, bytes) { return text }
        counts.missing.add(field)
        throw .missingField(field.word)
    }

    func optional(_ rule: ProviderMapping.Rule, _ field: ProviderField, _ bytes: Bytes) -> JSONText? {
        switch rule.place(field) {
        case .nowhere: nil
        case .message(let node): found[node] < 0 ? nil : bytes.scalar(at: found[node])
        case .row(let node): foundInRow[node] < 0 ? nil : bytes.scalar(at: foundInRow[node])
        }
    }
}

extension Bytes {
    /// A string's inside, or a number or truth value as it stands; `nil` for everything else, `null` too.
    func scalar(at start: Int) -> JSONText? {
        var scanner = scanner(from: start)
        switch try? scanner.kind() {
        case .string: return try? scanner.string()
        case .number, .bool:
            guard let raw = try? scanner.rawValue() else { return nil }
            return JSONText(raw: raw, hasEscapes: false)
        case .object, .array, .null, nil: return nil
        }
    }
}

extension VenueTrade {
    fileprivate init(_ tick: ProviderTick, slot: Int) {
        self.init(
            tick.symbol, at: tick.time, price: tick.price, volume: tick.volume, side: tick.side,
            id: (tick.id, tick.name))
        self.slot = slot
    }
}

extension VenueTrade.Side {
    /// By the usual words.
    init(_ text: JSONText) {
        switch text {
        case "buy", "BUY", "Buy", "b", "B": self = .buy
        case "sell", "SELL", "Sell", "s", "S": self = .sell
        default: self = .unknown
        }
    }
}

extension ProviderTimeUnit {
    /// Seconds since 1970 UTC; `nil` where the text is not a time of this unit.
    func seconds(_ text: Bytes) -> Double? {
        guard self != .iso8601 else { return RFC3339.seconds(text) }
        // 19 digits, as nanoseconds have: exact, and without a detour over a string.
        if perSecond > 1, let whole = VenueScanner.unsigned(text) {
            let (seconds, rest) = whole.quotientAndRemainder(dividingBy: perSecond)
            return Double(seconds) + Double(rest) / Double(perSecond)
        }
        return DecimalParser.parseWhole(text).map { $0 / Double(perSecond) }
    }
}
