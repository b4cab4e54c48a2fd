import MarketModel
import StreamCore

/// Reads Bitfinex's WebSocket interface, version 2: data are arrays `[channel, ..]`, everything else objects with an `event`.
///
/// A channel's number is explained by its `subscribed` message only. A trade is `[id, milliseconds, amount, price]`, the
/// amount negative where the one who came second sold; it is told as `te` and once more as `tu`, and a channel begins with
/// the last 30, newest first. Numbers may have exponents (`1.1e-7`). Ids grow over all markets together, so that a missing
/// trade cannot be seen.
/// Source: docs.bitfinex.com, WebSocket public channels, and a recorded session.
enum BitfinexParser {
    static func parse(
        _ bytes: UnsafeRawBufferPointer, into batch: inout VenueBatch, _ channels: inout BitfinexChannels,
        _ ledger: inout TradeLedger
    ) throws(VenueParseError) -> VenueMessageKind {
        if let trade = BitfinexTradeLayout.parse(bytes, channels) {
            batch.trades.append(trade)
            return .trades
        }
        return try parseAnyLayout(bytes, into: &batch, &channels, &ledger)
    }

    static func parseAnyLayout(
        _ bytes: UnsafeRawBufferPointer, into batch: inout VenueBatch, _ channels: inout BitfinexChannels,
        _ ledger: inout TradeLedger
    ) throws(VenueParseError) -> VenueMessageKind {
        var scanner = VenueScanner(bytes)
        do throws(JSONError) {
            if try scanner.json.kind() == .object { return try event(&scanner, &channels, &ledger) }
        } catch {
            throw .json(error)
        }
        let message: Message
        do throws(JSONError) { message = try Message(&scanner) } catch { throw .json(error) }
        if let word = message.word, word.equals("hb") { return .heartbeat }
        guard let channel = channels[message.channel] else { throw .unknownChannel }
        if channel.kind == .trades, channel.slot >= 0, let payload = message.payload {
            scanner.json = payload
            do throws(JSONError) {
                try trades(&scanner, message.word, channel.slot, into: &batch)
            } catch {
                throw .json(error)
            }
        }
        return kind(of: channel, message.word, batch)
    }

    private static func event(
        _ scanner: inout VenueScanner, _ channels: inout BitfinexChannels, _ ledger: inout TradeLedger
    ) throws(JSONError) -> VenueMessageKind {
        var event: JSONText?
        var channel: JSONText?
        var symbol: JSONText?
        var number: UInt64?
        try scanner.json.beginObject()
        while let key = try scanner.json.nextKey() {
            if key.equals("event") {
                event = try scanner.json.string()
            } else if key.equals("channel") {
                channel = try scanner.json.string()
            } else if key.equals("symbol") {
                symbol = try scanner.json.string()
            } else if key.equals("chanId") {
                number = try scanner.unsigned().value
            } else {
                try scanner.json.skipValue()
            }
        }
        try scanner.json.end()
        guard let event else { return .other }
        if event.equals("subscribed"), let channel, let number {
            let kind = kind(channel)
            let slot = kind == .trades ? symbol.map { ledger.slot(of: $0) } : nil
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

    private static func kind(_ channel: JSONText) -> BitfinexChannels.Kind {
        if channel.equals("trades") { return .trades }
        if channel.equals("ticker") { return .ticker }
        if channel.equals("book") { return .book }
        return channel.equals("candles") ? .candles : .other
    }

    /// The parts of `[channel, word or data, ..]`, checked as a whole; a connection may be asked to number its messages at
    /// the end.
    private struct Message {
        var channel: UInt64
        /// `hb`, `te`, `tu`, `cs`.
        var word: JSONText?
        /// The data, which stand behind the word where there is one.
        var payload: JSONScanner?

        init(_ scanner: inout VenueScanner) throws(JSONError) {
            try scanner.json.beginArray()
            try next(&scanner)
            channel = try scanner.unsigned().value
            try next(&scanner)
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
        of channel: BitfinexChannels.Channel, _ word: JSONText?, _ batch: VenueBatch
    ) -> VenueMessageKind {
        switch channel.kind {
        case .trades: batch.trades.isEmpty ? .other : .trades
        case .ticker: .quotes
        case .book: word == nil ? .book : .other
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
        try next(&scanner)
        let id = try scanner.unsigned()
        try next(&scanner)
        let milliseconds = try scanner.json.number()
        try next(&scanner)
        let amount = try scanner.decimal()
        try next(&scanner)
        let price = try scanner.decimal()
        while try scanner.json.nextElement() { try scanner.json.skipValue() }
        let isSale = amount.value < 0
        var trade = VenueTrade(
            tick: Tick(timestamp: milliseconds / 1000, price: price.value, volume: amount.value.magnitude),
            side: isSale ? .sell : .buy, name: id.text, price: price.text,
            volume: isSale ? amount.text.dropFirst(1) : amount.text, symbol: .none, id: id.value,
            priceDecimals: price.decimals)
        trade.slot = slot
        return trade
    }

    private static func next(_ scanner: inout VenueScanner) throws(JSONError) {
        guard try scanner.json.nextElement() else { throw JSONError(.wrongType, at: scanner.json.offset) }
    }
}
