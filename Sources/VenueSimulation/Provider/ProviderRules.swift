import MarketModel

/// A provider of JSON messages, as `SimulatedProvider` describes it: subscribe and unsubscribe, errors on unknown symbols,
/// its heartbeat, its candles over HTTP.
struct ProviderRules: VenueRules {
    static let facts = VenueFacts()
    /// Its only channel.
    static let channel = "prices"

    private let market: VenueMarket
    private let provider: SimulatedProvider

    init(_ market: VenueMarket, connection: Int) {
        self.market = market
        provider = Self.provider(market.session)
    }

    private static func provider(_ session: RecordedSession) -> SimulatedProvider { session.provider ?? .mute }

    static func parts(_ session: RecordedSession, _ channels: [VenueTopic: Int]) -> [RecordedPart] {
        let messages = ProviderMessages(provider: provider(session))
        return session.messages.map { part($0, messages) }
    }

    private static func part(_ message: [UInt8], _ messages: ProviderMessages) -> RecordedPart {
        let provider = messages.provider
        guard let json = VenueJSON(message) else { return .own }
        let rows = messages.rows(json, [provider.sorts["tick"], provider.sorts["candle"], provider.sorts["snapshot"]])
        var topics: [VenueTopic] = []
        for row in rows {
            guard let symbol = row.value("symbol")?.digits else { continue }
            let topic = VenueTopic(channel, symbol)
            if !topics.contains(topic) { topics.append(topic) }
        }
        guard let first = topics.first else { return .own }
        // What a subscription begins with.
        if let snapshot = provider.sorts["snapshot"], rows.allSatisfy({ $0.sort == snapshot }) { return .first(first) }
        return .data(topics)
    }

    static func trades(in message: [UInt8], _ part: RecordedPart, of session: RecordedSession) -> [RecordedTrade] {
        let messages = ProviderMessages(provider: provider(session))
        guard let json = VenueJSON(message) else { return [] }
        return messages.rows(json, [messages.provider.sorts["tick"]]).compactMap { row in
            guard let symbol = row.value("symbol")?.digits, let price = row.value("price")?.digits,
                let time = ProviderMessages.time(row.value("timestamp"), messages.provider.unit)
            else { return nil }
            return RecordedTrade(
                symbol: symbol, number: row.value("id")?.digits.flatMap { UInt64($0) }, price: price,
                size: row.value("volume")?.digits ?? "0", time: time,
                isBuy: row.value("side")?.string == messages.provider.buy, json: row.row)
        }
    }

    static func tradeNumbers(of session: RecordedSession) -> [String] {
        provider(session).sorts["tick"]?.fields["id"]?.path.last.map { [$0] } ?? []
    }

    mutating func received(_ json: VenueJSON?, at moment: VenueMoment) -> [VenueReply] {
        guard let json else { return [error("a request is JSON", "")] }
        if let heartbeat = provider.heartbeat, VenueJSON(heartbeat.text).flatMap(json.places) != nil {
            let sort = SimulatedProvider.Sort(types: [heartbeat.type], rows: nil, fields: [:])
            return [.send(ProviderMessages(provider: provider).message(sort, [[:]]))]
        }
        if let symbols = symbols(json, provider.subscribe) { return subscribe(symbols) }
        if let template = provider.unsubscribe, let symbols = symbols(json, template) {
            return symbols.map { .unsubscribe(VenueTopic(Self.channel, $0)) }
        }
        return [error("unknown request", "")]
    }

    private func symbols(_ json: VenueJSON, _ template: String) -> [String]? {
        guard let places = VenueJSON(template).flatMap(json.places) else { return nil }
        return places["symbols"] ?? places["symbol"] ?? []
    }

    private func subscribe(_ symbols: [String]) -> [VenueReply] {
        var replies: [VenueReply] = []
        for symbol in symbols {
            guard market.symbols.contains(symbol) else {
                replies.append(error("unknown symbol \(symbol)", symbol))
                continue
            }
            if let accepted = provider.sorts["accepted"] {
                replies.append(
                    .answer(ProviderMessages(provider: provider).message(accepted, [["symbol": .string(symbol)]])))
            }
            replies.append(.subscribe(VenueTopic(Self.channel, symbol)))
        }
        return replies
    }

    private func error(_ reason: String, _ symbol: String) -> VenueReply {
        guard let sort = provider.sorts["error"] else { return .answer(#"{"error":\#(quoted(reason))}"#) }
        var values = ["message": VenueJSON.string(reason)]
        if !symbol.isEmpty { values["symbol"] = .string(symbol) }
        return .answer(ProviderMessages(provider: provider).message(sort, [values]))
    }

    static func answer(_ request: VenueRequest, _ market: VenueMarket, shift: Int64, now: Double) -> VenueResponse? {
        let provider = provider(market.session)
        guard let history = provider.history, let places = Self.places(of: history.path, in: request) else {
            return nil
        }
        let symbol = places["symbol"]?.first ?? ""
        guard market.symbols.contains(symbol) else {
            return VenueResponse(status: 404, body: #"{"error":{"code":"unknown_symbol","message":"unknown symbol"}}"#)
        }
        let length = places["timeframe"]?.first.map { provider.timeframes[$0] } ?? provider.timeframe
        guard let length, length >= 60, length % 60 == 0 else {
            return VenueResponse(
                status: 400, body: #"{"error":{"code":"unknown_timeframe","message":"unknown timeframe"}}"#)
        }
        let limit = max(1, min(places["limit"]?.first.flatMap { Int($0) } ?? 1000, 1000))
        let fields = history.sort.fields.sorted { $0.key < $1.key }
        let candles = ProviderPast(market, shift: shift).candles(symbol, length: length, limit: limit, now: now)
        let list = VenueJSON.array(
            candles.map { candle in
                let values: [String: VenueJSON] = [
                    "timestamp": ProviderMessages.written(Int64(candle.timestamp) * 1_000_000_000, history.unit),
                    "open": .number("\(candle.open)"), "high": .number("\(candle.high)"),
                    "low": .number("\(candle.low)"), "close": .number("\(candle.close)"),
                    "volume": .number("\(candle.volume)"),
                ]
                return fields.reduce(VenueJSON.null) { row, field in
                    values[field.key].map { row.placing($0, at: field.value.path) } ?? row
                }
            })
        return VenueResponse(body: (history.sort.rows.map { VenueJSON.null.placing(list, at: $0) } ?? list).text)
    }

    private static func places(of template: String, in request: VenueRequest) -> [String: [String]]? {
        let wanted = VenueRequest(target: template)
        guard var places = request.path.places(of: wanted.path) else { return nil }
        for (name, value) in wanted.query {
            guard let more = request.query[name]?.places(of: value) else { return nil }
            places.merge(more) { $0 + $1 }
        }
        return places
    }
}
