import MarketModel

/// Bitfinex, version 2: channels have numbers, data are arrays, and where the client requests it each array ends with its
/// number on the connection. A quiet channel says `hb` every 15 seconds.
struct BitfinexRules: VenueRules {
    static let facts = VenueFacts(paths: ["/ws/2", "/ws"], heartbeatInterval: 15)

    private static let channels = ["ticker", "trades", "book", "candles", "status"]
    /// The flag of `conf` that numbers frames.
    private static let numbersFrames = 65_536

    private let market: VenueMarket
    private var open: [(id: Int, topic: VenueTopic)] = []
    private var isNumbered = false
    private var sequence = 0

    init(_ market: VenueMarket, connection: Int) { self.market = market }

    /// What a channel's number means was said in its ack.
    static func channels(_ session: RecordedSession) -> [VenueTopic: Int] {
        var channels: [VenueTopic: Int] = [:]
        for message in session.messages where message.first == UInt8(ascii: "{") {
            guard peek(message, "event") == "subscribed", let channel = peek(message, "channel"),
                let id = peek(message, "chanId").flatMap({ Int($0) }),
                let symbol = peek(message, "symbol") ?? peek(message, "key")
            else { continue }
            channels[VenueTopic(channel, symbol)] = id
        }
        return channels
    }

    static func parts(_ session: RecordedSession, _ channels: [VenueTopic: Int]) -> [RecordedPart] {
        let topics = Dictionary(channels.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        return session.messages.map { message in
            guard message.first == UInt8(ascii: "["), let id = peek(message, "0").flatMap({ Int($0) }),
                let topic = topics[id], peek(message, "1") != "hb"
            else { return .own }
            // A list of rows is a snapshot.
            return peek(message, "1", "0")?.first == "[" ? .first(topic) : .data([topic])
        }
    }

    static func trades(in message: [UInt8], _ part: RecordedPart, of session: RecordedSession) -> [RecordedTrade] {
        switch part {
        case .first(let topic) where topic.channel == "trades":
            return (VenueJSON(message)?[1]?.array ?? []).compactMap { trade($0, topic.symbol) }
        // `tu` sends the same trade a second time.
        case .data(let topics) where topics[0].channel == "trades" && peek(message, "1") == "te":
            return [VenueJSON(message)?[2].flatMap { trade($0, topics[0].symbol) }].compactMap { $0 }
        default: return []
        }
    }

    private static func trade(_ row: VenueJSON, _ symbol: String) -> RecordedTrade? {
        guard let time = row[1]?.digits.flatMap(VenueTime.nanoseconds), let amount = row[2]?.digits,
            let price = row[3]?.digits
        else { return nil }
        return RecordedTrade(
            symbol: symbol, number: row[0]?.digits.flatMap { UInt64($0) }, price: price,
            size: amount.hasPrefix("-") ? String(amount.dropFirst()) : amount, time: time,
            isBuy: !amount.hasPrefix("-"), json: row)
    }

    static func repeatsTrade(_ message: [UInt8]) -> Bool {
        message.first == UInt8(ascii: "[") && peek(message, "1") == "tu"
    }

    /// The number of a trade is the first value of its row.
    static func renumbered(
        _ message: [UInt8], _ numbering: TradeNumbers, symbol: String, kind: String, round: Int
    ) -> [UInt8] {
        var result: [UInt8] = []
        var at = 0
        while at < message.count {
            result.append(message[at])
            at += 1
            // The first bracket is the message's.
            guard at > 1, message[at - 1] == UInt8(ascii: "[") else { continue }
            let digits = message[at...].prefix { $0 &- 0x30 < 10 }
            guard let number = UInt64(String(decoding: digits, as: UTF8.self)) else { continue }
            let moved = number &+ numbering.offset(symbol, kind, round)
            result.append(contentsOf: String(moved).utf8)
            at += digits.count
        }
        return result
    }

    /// Without the number it had on the recorded connection.
    mutating func frame(_ message: [UInt8]) -> [UInt8] {
        guard message.first == UInt8(ascii: "["), let comma = message.lastIndex(of: UInt8(ascii: ",")),
            comma > 0, message[comma - 1] == UInt8(ascii: "]") || message[comma - 1] == UInt8(ascii: "\""),
            message.count > comma + 2, message[(comma + 1)..<(message.count - 1)].allSatisfy({ $0 &- 0x30 < 10 })
        else { return message }
        return Array(message[..<comma]) + [UInt8(ascii: "]")]
    }

    mutating func stamp(_ message: [UInt8]) -> [UInt8] {
        guard isNumbered, message.first == UInt8(ascii: "["), message.last == UInt8(ascii: "]") else { return message }
        sequence += 1
        return Array(message.dropLast()) + Array(",\(sequence)]".utf8)
    }

    mutating func opened(target: String, at moment: VenueMoment) -> [VenueReply] {
        [
            .send(
                #"{"event":"info","version":2,"serverId":"083bd8d4-aca7-4690-a573-eabfc8103de8","#
                    + #""platform":{"status":1}}"#)
        ]
    }

    mutating func received(_ json: VenueJSON?, at moment: VenueMoment) -> [VenueReply] {
        switch json?["event"]?.string {
        case "conf":
            let flags = json?["flags"]?.integer ?? 0
            isNumbered = flags & Self.numbersFrames != 0
            return [.answer(#"{"event":"conf","status":"OK","flags":\#(flags)}"#)]
        case "ping":
            let id = json?["cid"].map { #","cid":\#($0.text)"# } ?? ""
            return [.answer(#"{"event":"pong","ts":\#(moment.time / 1_000_000)\#(id)}"#)]
        case "subscribe": return subscribe(json)
        case "unsubscribe":
            guard let id = json?["chanId"]?.digits.flatMap({ Int($0) }),
                let index = open.firstIndex(where: { $0.id == id })
            else { return [.answer(#"{"event":"error","msg":"unsubscribe: invalid","code":10400}"#)] }
            let topic = open.remove(at: index).topic
            return [.unsubscribe(topic), .answer(#"{"event":"unsubscribed","status":"OK","chanId":\#(id)}"#)]
        default: return [.answer(#"{"event":"error","msg":"event: invalid","code":10000}"#)]
        }
    }

    private mutating func subscribe(_ json: VenueJSON?) -> [VenueReply] {
        let channel = json?["channel"]?.string ?? ""
        let requested = json?["symbol"]?.string ?? json?["key"]?.string ?? ""
        // Pairs may be requested without the letter of trading pairs.
        let symbol = market.symbols.contains(requested) ? requested : "t\(requested)"
        let about = #""channel":\#(quoted(channel)),"symbol":\#(quoted(requested))"#
        guard Self.channels.contains(channel) else {
            return [.answer(#"{\#(about),"event":"error","msg":"channel: unknown","code":10302}"#)]
        }
        guard market.symbols.contains(symbol) else {
            return [.answer(#"{\#(about),"event":"error","msg":"symbol: invalid","code":10300}"#)]
        }
        let topic = VenueTopic(channel, symbol)
        guard !open.contains(where: { $0.topic == topic }) else {
            return [.answer(#"{\#(about),"event":"error","msg":"subscribe: dup","code":10301}"#)]
        }
        let id = market.channels[topic] ?? 900_000 + open.count
        open.append((id, topic))
        let details = ["prec", "freq", "len"].compactMap { name in
            json?[name]?.digits.map { #""\#(name)":\#(quoted($0)),"# }
        }
        return [
            .answer(
                #"{"event":"subscribed","channel":\#(quoted(channel)),"chanId":\#(id),"#
                    + #""symbol":\#(quoted(symbol)),\#(details.joined())"#
                    + #""pair":\#(quoted(String(symbol.dropFirst())))}"#),
            .subscribe(topic),
        ]
    }

    mutating func heartbeat(isQuiet: Bool, at moment: VenueMoment) -> [VenueReply] {
        open.map { .send("[\($0.id),\"hb\"]") }
    }
}

/// Bitfinex: `[ms, open, close, high, low, volume]`; errors begin with `"error"`.
enum BitfinexREST: VenueREST {
    static let pace = (perSecond: 0.5, burst: 10.0)

    static func answer(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse? {
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.count == 4, parts[0] == "v2", parts[1] == "candles", parts[3] == "hist" else { return nil }
        let key = parts[2].split(separator: ":", maxSplits: 2).map(String.init)
        guard key.count == 3, key[0] == "trade", book.symbols.contains(key[2]) else {
            return VenueResponse(status: 500, body: #"["error",10020,"symbol: invalid"]"#)
        }
        guard let timeframe = Timeframe(rawValue: key[1] == "1D" ? "1d" : key[1]) else {
            return VenueResponse(status: 500, body: #"["error",10020,"time_interval: invalid"]"#)
        }
        let limit = request.limit(120, max: 10_000)
        let rows = request.rows(book.candles(key[2], timeframe), unit: 1000)
        let shown = request.query["sort"] == "1" ? Array(rows.prefix(limit)) : rows.suffix(limit).reversed()
        return VenueResponse(
            body: list(
                shown.map { row in
                    let candle = row.candle
                    return list(
                        [candle.timestamp * 1000, candle.open, candle.close, candle.high, candle.low, candle.volume]
                            .map(number))
                }))
    }

    static var refusal: VenueResponse { tooMany(#"["error",11010,"ratelimit: error"]"#) }
}
