/// Kraken's WebSocket interface, version 2 (`feeds/kraken.md`): a `status` at the beginning, one answer a symbol,
/// heartbeats every second once anything was requested, granted or not. Errors leave the connection as it is.
struct KrakenRules: VenueRules {
    static let facts = VenueFacts(
        // The path is documented as /v2; the pace at which requests become too many is not.
        paths: ["/v2"], heartbeatInterval: 1, clientMessages: (perSecond: 100, burst: 100, countsControls: false))

    private static let channels = ["ticker", "trade", "ohlc", "book", "instrument"]
    private static let snapshotTrades = 50

    private let market: VenueMarket
    private let connection: Int
    private var hasRequested = false

    init(_ market: VenueMarket, connection: Int) {
        self.market = market
        self.connection = connection
    }

    static func sort(_ message: [UInt8]) -> RecordedPart {
        guard let channel = peek(message, "channel"), channel != "heartbeat", channel != "status",
            let symbol = peek(message, "data", "0", "symbol")
        else { return .own }
        let topic = VenueTopic(channel, symbol)
        return peek(message, "type") == "snapshot" ? .first(topic) : .data([topic])
    }

    static func trades(in message: [UInt8], _ part: RecordedPart, of session: RecordedSession) -> [RecordedTrade] {
        guard peek(message, "channel") == "trade", let rows = VenueJSON(message)?["data"]?.array else { return [] }
        return rows.compactMap { RecordedTrade($0, members) }
    }

    static let members: RecordedTrade.Members? = .init(
        symbol: "symbol", number: "trade_id", price: "price", size: "qty", time: "timestamp", side: "side", buy: "buy")

    mutating func opened(target: String, at moment: VenueMoment) -> [VenueReply] {
        // Beyond Int64, as most of the recorded ones are.
        let id = 16_763_580_994_566_763_544 + UInt64(connection)
        return [
            .send(
                #"{"channel":"status","type":"update","data":[{"version":"2.0.10","system":"online","api_version":"v2","#
                    + #""connection_id":\#(id),"upcoming_maintenance":[],"emergency":[]}]}"#)
        ]
    }

    mutating func received(_ json: VenueJSON?, at moment: VenueMoment) -> [VenueReply] {
        let request = Request(json, at: moment, bookDepth: bookDepth)
        guard json != nil else { return [request.refused("Malformed request", symbol: nil)] }
        switch request.method {
        case "ping": return [request.answered(nil)]
        case "subscribe", "unsubscribe":
            hasRequested = true
            return change(request)
        default: return [request.refused("Unsupported method", symbol: nil)]
        }
    }

    /// Levels of the recorded books, which is how many there are, whatever is requested; near the beginning their answers say it.
    private var bookDepth: String? {
        market.session.messages.prefix(200).lazy.filter { peek($0, "result", "channel") == "book" }
            .compactMap { peek($0, "result", "depth") }.first
    }

    private func change(_ request: Request) -> [VenueReply] {
        let isSubscribe = request.method == "subscribe"
        guard !isSubscribe || Self.channels.contains(request.channel) else {
            return [request.refused("Channel \(request.channel) not supported", symbol: nil)]
        }
        return request.symbols.flatMap { symbol -> [VenueReply] in
            guard market.symbols.contains(symbol) else {
                return [request.refused("Currency pair not supported \(symbol)", symbol: symbol)]
            }
            let (topic, answer) = (VenueTopic(request.channel, symbol), request.answered(symbol))
            return isSubscribe
                ? [answer, .subscribe(topic, withFirst: request.wantsSnapshot)] : [.unsubscribe(topic), answer]
        }
    }

    mutating func exceededRate() -> [VenueReply] { [.send(#"{"Error":"Exceeded msg rate"}"#)] }

    mutating func heartbeat(isQuiet: Bool, at moment: VenueMoment) -> [VenueReply] {
        hasRequested ? [.send(#"{"channel":"heartbeat"}"#)] : []
    }

    func first(_ topic: VenueTopic, at moment: VenueMoment) -> [UInt8]? {
        let rows: [String]
        if topic.channel == "trade" {
            rows = market.played(topic.symbol, until: moment, newest: Self.snapshotTrades).map {
                String(decoding: market.moved($0, $0.trade.json, at: moment), as: UTF8.self)
            }
        } else {
            rows = played(topic, at: moment).map {
                String(decoding: market.shift.moved(Array($0.utf8), bySeconds: moment.shift), as: UTF8.self)
            }
        }
        guard !rows.isEmpty else { return nil }
        return Array(
            #"{"channel":"\#(topic.channel)","type":"snapshot","data":[\#(rows.joined(separator: ","))]}"#.utf8)
    }

    /// What this round sent of a market, in the recording's times.
    private func played(_ topic: VenueTopic, at moment: VenueMoment) -> [String] {
        guard moment.position > 0 else { return [] }
        let trades = market.known(topic.symbol, before: moment.position).map(\.trade)
        let snapshot = KrakenSnapshot(symbol: topic.symbol, trades: trades)
        switch topic.channel {
        case "ohlc":
            return snapshot.candles(
                VenueBook(market: market, rounds: [.init(position: moment.position, shift: 0)], clock: 0))
        case "ticker": return snapshot.ticker.map { [$0] } ?? []
        default: return []
        }
    }
}

/// A request of version 2, and how it is answered: members in alphabetical order, `req_id` where one was given.
private struct Request {
    let method: String
    let channel: String
    let symbols: [String]
    let wantsSnapshot: Bool
    private let id: String
    private let parameters: VenueJSON?
    private let times: String
    private let bookDepth: String

    /// - Parameter bookDepth: what books have, of any other depth than the requested one; `nil`: that.
    init(_ json: VenueJSON?, at moment: VenueMoment, bookDepth: @autoclosure () -> String?) {
        method = json?["method"]?.string ?? ""
        parameters = json?["params"]
        channel = parameters?["channel"]?.string ?? ""
        symbols = parameters?["symbol"]?.strings ?? []
        self.bookDepth = (channel == "book" ? bookDepth() : nil) ?? "\(parameters?["depth"]?.integer ?? 10)"
        // Trades come without what was before, unless it is requested.
        wantsSnapshot = parameters?["snapshot"]?.bool ?? (channel != "trade")
        id = json?["req_id"]?.integer.map { #""req_id":\#($0),"# } ?? ""
        let out = VenueTime.rfc3339(moment.time + 42_000)
        times = #""time_in":"\#(VenueTime.rfc3339(moment.time))","time_out":"\#(out)""#
    }

    func answered(_ symbol: String?) -> VenueReply {
        guard let symbol else { return .answer(#"{"method":"pong",\#(id)\#(times)}"#) }
        return .answer(#"{"method":"\#(method)",\#(id)"result":\#(result(symbol)),"success":true,\#(times)}"#)
    }

    func refused(_ error: String, symbol: String?) -> VenueReply {
        let named = symbol.map { #","symbol":"# + quoted($0) } ?? ""
        return .answer(
            #"{"error":\#(quoted(error)),"method":\#(quoted(method)),\#(id)"success":false"# + named + ",\(times)}")
    }

    private func result(_ symbol: String) -> String {
        var members = [#""channel":\#(quoted(channel))"#]
        if channel == "book" { members.append(#""depth":\#(bookDepth)"#) }
        if channel == "ticker" {
            members.append(#""event_trigger":\#(quoted(parameters?["event_trigger"]?.string ?? "trades"))"#)
        }
        if channel == "ohlc" { members.append(#""interval":\#(parameters?["interval"]?.integer ?? 1)"#) }
        if method == "subscribe" { members.append(#""snapshot":\#(wantsSnapshot)"#) }
        members.append(#""symbol":\#(quoted(symbol))"#)
        if channel == "ohlc" { members.append(#""warnings":["timestamp is deprecated, use interval_begin"]"#) }
        return "{" + members.joined(separator: ",") + "}"
    }
}
