import MarketModel
import StreamCore

/// Reads Bitfinex's WebSocket interface, version 2: data are arrays `[channel, ..]`, everything else objects with an
/// `event`. A channel's number is explained by its `subscribed` message only. A trade is `[id, milliseconds, amount,
/// price]`, the amount negative where the taker sold; it is sent as `te` and once more as `tu`, and a channel begins
/// with the last 30, newest first. Numbers may have exponents (`1.1e-7`). Ids grow over all markets together, so that a
/// missing trade cannot be seen. Source: docs.bitfinex.com, WebSocket public channels, and a recorded session.
enum BitfinexParser: VenueReader {
    static func read(
        _ session: inout VenueSession, _ message: Bytes, _ connection: Int
    ) throws(ParseError) -> VenueMessageKind {
        let place = session.channels.place(of: connection)
        return try parse(message, into: &session.batch, &session.channels[place], &session.ledger)
    }

    static func parse(
        _ bytes: Bytes, into batch: inout VenueBatch, _ channels: inout NumberedChannels,
        _ ledger: inout TradeLedger
    ) throws(ParseError) -> VenueMessageKind {
        if let trade = tradeByLayout(bytes, channels) {
            batch.trades.append(trade)
            return .trades
        }
        return try parseAnyLayout(bytes, into: &batch, &channels, &ledger)
    }

    static func parseAnyLayout(
        _ bytes: Bytes, into batch: inout VenueBatch, _ channels: inout NumberedChannels,
        _ ledger: inout TradeLedger
    ) throws(ParseError) -> VenueMessageKind {
        var scanner = VenueScanner(bytes)
        do throws(JSONError) {
            if try scanner.json.kind() == .object { return try event(&scanner, &channels, &ledger) }
        } catch { throw .json(error) }
        let message: Message
        do throws(JSONError) { message = try Message(&scanner) } catch { throw .json(error) }
        if let word = message.word, word.equals("hb") { return .heartbeat }
        guard let channel = channels[message.channel] else { throw .unknownChannel }
        if channel.kind == .trades, channel.slot >= 0, let payload = message.payload {
            scanner.json = payload
            do throws(JSONError) {
                try trades(&scanner, message.word, channel.slot, into: &batch)
            } catch { throw .json(error) }
        }
        return kind(of: channel, message.word, batch)
    }

    private static func event(
        _ scanner: inout VenueScanner, _ channels: inout NumberedChannels, _ ledger: inout TradeLedger
    ) throws(JSONError) -> VenueMessageKind {
        var event: JSONText?
        var channel: JSONText?
        var symbol: JSONText?
        var precision: JSONText?
        var number: UInt64?
        try scanner.members { (key, scanner) throws(JSONError) in
            switch key {
            case "event": event = try scanner.json.string()
            case "channel": channel = try scanner.json.string()
            case "symbol": symbol = try scanner.json.string()
            case "prec": precision = try scanner.json.string()
            case "chanId": number = try scanner.unsigned().value
            default: try scanner.json.skipValue()
            }
        }
        try scanner.json.end()
        guard let event else { return .other }
        if event.equals("subscribed"), let channel, let number {
            var kind = NumberedChannels.Kind(rawValue: channel.string) ?? .other
            if kind == .book, precision?.equals("R0") == true { kind = .orders }
            let slot = kind == .trades || kind == .book || kind == .orders ? symbol.map { ledger.slot(of: $0) } : nil
            channels.open(number, .init(kind: kind, slot: slot ?? -1))
            return .acknowledgement
        }
        if event.equals("unsubscribed") {
            if let number { channels.close(number) }
            return .acknowledgement
        }
        if event.equals("conf") { return .acknowledgement }
        if event.equals("info") { return .status }
        if event.equals("pong") { return .heartbeat }
        return event.equals("error") ? .refusal : .other
    }

    /// The parts of `[channel, word or data, ..]`, checked as a whole; a connection may number its messages at
    /// the end where that is requested.
    private struct Message {
        var channel: UInt64
        /// `hb`, `te`, `tu`, `cs`.
        var word: JSONText?
        /// The data, which stand behind the word where there is one.
        var payload: JSONScanner?

        init(_ scanner: inout VenueScanner) throws(JSONError) {
            try scanner.json.beginArray()
            try scanner.element()
            channel = try scanner.unsigned().value
            try scanner.element()
            if try scanner.json.kind() == .string {
                word = try scanner.json.string()
            } else {
                payload = try scanner.json.kind() == .array ? scanner.json : nil
                try scanner.json.skipValue()
            }
            while try scanner.json.nextElement() {
                if word != nil, payload == nil, try scanner.json.kind() == .array { payload = scanner.json }
                try scanner.json.skipValue()
            }
            try scanner.json.end()
        }
    }

    private static func kind(
        of channel: NumberedChannels.Channel, _ word: JSONText?, _ batch: VenueBatch
    ) -> VenueMessageKind {
        switch channel.kind {
        case .trades: batch.trades.isEmpty ? .other : .trades
        case .ticker: .quotes
        case .book, .orders: word.map { $0.equals("cs") } ?? true ? .book : .other
        case .candles: .candles
        case .other: .other
        }
    }

    /// One trade behind `te` or `tu`, or a snapshot of many.
    private static func trades(
        _ scanner: inout VenueScanner, _ word: JSONText?, _ slot: Int, into batch: inout VenueBatch
    ) throws(JSONError) {
        try scanner.json.beginArray()
        if let word {
            guard word.equals("te") || word.equals("tu") else { return }
            batch.trades.append(try trade(&scanner, slot))
            return
        }
        while try scanner.json.nextElement() {
            try scanner.json.beginArray()
            batch.trades.append(try trade(&scanner, slot))
        }
        batch.isNewestFirst = true
    }

    /// The inside of `[id, milliseconds, amount, price]`.
    private static func trade(_ scanner: inout VenueScanner, _ slot: Int) throws(JSONError) -> VenueTrade {
        try scanner.element()
        let id = try scanner.unsigned()
        try scanner.element()
        let milliseconds = try scanner.json.number()
        try scanner.element()
        let amount = try scanner.decimal()
        try scanner.element()
        let price = try scanner.decimal()
        while try scanner.json.nextElement() { try scanner.json.skipValue() }
        return trade(slot, at: milliseconds, price, amount, id)
    }

    @inline(__always)
    private static func trade(
        _ slot: Int, at milliseconds: Double, _ price: VenueDecimal, _ amount: VenueDecimal,
        _ id: (value: UInt64, text: VenueText)
    ) -> VenueTrade {
        let isSale = amount.value < 0
        let volume = VenueDecimal(
            value: amount.value.magnitude, text: amount.text.dropFirst(isSale ? 1 : 0), decimals: amount.decimals)
        var trade = VenueTrade(
            .none, at: milliseconds / 1000, price: price, volume: volume, side: isSale ? .sell : .buy, id: id)
        trade.slot = slot
        return trade
    }

    /// A trade by its layout, with or without a number behind: `[7,"te",[1,1618677027100,-0.5,60000],3]`.
    /// - Returns: `nil` where the message is laid out differently, or is of no channel of trades.
    @inline(__always)
    static func tradeByLayout(_ bytes: Bytes, _ channels: NumberedChannels) -> VenueTrade? {
        guard var reader = LayoutReader(bytes), reader.match("["), let channel = reader.unsigned(),
            reader.match(",\"te\",[") || reader.match(",\"tu\",["), let id = reader.unsigned(), reader.match(","),
            let time = reader.unsigned(), time.value <= 1 << 53, reader.match(","), let amount = reader.decimal(),
            reader.match(","), let price = reader.decimal(), reader.match("]")
        else { return nil }
        if reader.match(","), reader.unsigned() == nil { return nil }
        guard reader.match("]"), reader.isAtEnd, let channel = channels[channel.value], channel.kind == .trades,
            channel.slot >= 0
        else { return nil }
        return trade(channel.slot, at: Double(time.value), price, amount, id)
    }
}
