import MarketModel

/// A provider of JSON messages, as `SimulatedProvider` describes it: subscribe and unsubscribe, errors on unknown symbols,
/// its heartbeat, its candles over HTTP and in the timeframes that were requested.
struct ProviderRules: VenueRules {
    static let facts = VenueFacts()
    /// Its trades, and its candles of all timeframes.
    private static let prices = "prices"
    private static let bars = "candles"
    /// Candles in a snapshot, and at most in what is sent at once.
    private static let candlesAtOnce = 10

    private let market: VenueMarket
    private let provider: SimulatedProvider
    /// What was requested, and of each where the last candle sent begins.
    private var requested: [String: [Requested]] = [:]

    private struct Requested {
        /// The provider's name.
        var timeframe: String
        /// Seconds.
        var length: Int
        var sentUpTo: Double
    }

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
            let topic = VenueTopic(row.sort == provider.sorts["candle"] ? bars : prices, symbol)
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
        // What was made for a provider without trades has their prices in its candles.
        let (isTraded, sorts) = (messages.provider.sorts["tick"] != nil, messages.provider.sorts)
        guard isTraded || session.isMade else { return [] }
        return messages.rows(json, [sorts[isTraded ? "tick" : "candle"]]).compactMap { row in
            guard let symbol = row.value("symbol")?.digits,
                let price = row.value(isTraded ? "price" : "close")?.digits,
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
        if let (symbols, timeframe) = places(json, provider.subscribe) {
            return subscribe(symbols, timeframe, at: moment)
        }
        if let template = provider.unsubscribe, let (symbols, timeframe) = places(json, template) {
            return symbols.flatMap { unsubscribe($0, timeframe) }
        }
        return [error("unknown request", "")]
    }

    private func places(_ json: VenueJSON, _ template: String) -> (symbols: [String], timeframe: String?)? {
        guard let places = VenueJSON(template).flatMap(json.places) else { return nil }
        return (places["symbols"] ?? places["symbol"] ?? [], places["timeframe"]?.first)
    }

    private mutating func unsubscribe(_ symbol: String, _ timeframe: String?) -> [VenueReply] {
        requested[symbol]?.removeAll { timeframe == nil || $0.timeframe == timeframe }
        guard requested[symbol]?.isEmpty != false else { return [] }
        requested[symbol] = nil
        return [.unsubscribe(VenueTopic(Self.prices, symbol)), .unsubscribe(VenueTopic(Self.bars, symbol))]
    }

    private mutating func subscribe(
        _ symbols: [String], _ timeframe: String?, at moment: VenueMoment
    ) -> [VenueReply] {
        let timeframe = timeframe ?? provider.timeframes.first { $0.value == provider.timeframe }?.key ?? ""
        guard let length = provider.timeframes[timeframe] ?? (timeframe.isEmpty ? provider.timeframe : nil) else {
            let names = provider.timeframes.sorted { $0.value < $1.value }.map(\.key).joined(separator: ", ")
            return [error("unknown timeframe \(timeframe); there are \(names)", symbols.first ?? "")]
        }
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
            let isFirst = requested[symbol] == nil
            let isRecorded = isFirst && !market.session.isMade && length == provider.timeframe
            replies.append(.subscribe(VenueTopic(Self.prices, symbol), withFirst: isRecorded))
            guard requested[symbol]?.contains(where: { $0.timeframe == timeframe }) != true else { continue }
            var next = moment
            next.position += 1
            // Older candles are in the snapshot only.
            let running = candles(symbol, length, at: next).last?.timestamp
            var added = Requested(timeframe: timeframe, length: length, sentUpTo: running ?? -.infinity)
            if !isRecorded, let snapshot = provider.sorts["snapshot"] {
                let candles = candles(symbol, length, at: moment)
                added.sentUpTo = candles.last?.timestamp ?? added.sentUpTo
                let rows = candles.map { values(of: $0, symbol, timeframe, provider.unit) }
                if !rows.isEmpty {
                    replies.append(.send(ProviderMessages(provider: provider).message(snapshot, rows)))
                }
            }
            requested[symbol, default: []].append(added)
            replies.append(.subscribe(VenueTopic(Self.bars, symbol)))
        }
        return replies
    }

    /// Of all that was played until a moment.
    private func candles(_ symbol: String, _ length: Int, at moment: VenueMoment) -> [Candle] {
        let times = market.session.times
        guard let first = times.first else { return [] }
        let recorded = moment.position > 0 ? times[min(moment.position, times.count) - 1] : first - 1000
        let until = Double(recorded) / 1e9 + Double(moment.shift)
        return ProviderPast(market, shift: moment.shift)
            .candles(symbol, length: length, limit: Self.candlesAtOnce, until: until)
    }

    /// A recorded candle goes to those who requested its timeframe. Candles of other timeframes, and all of a made session,
    /// are built from the trades.
    mutating func replaced(_ index: Int, at moment: VenueMoment) -> [[UInt8]]? {
        guard case .data(let topics) = market.parts[index], let sort = provider.sorts["candle"],
            topics.allSatisfy({ $0.channel == Self.bars }), let json = VenueJSON(market.session.messages[index])
        else { return nil }
        let messages = ProviderMessages(provider: provider)
        let name = messages.rows(json, [sort]).first?.value("timeframe")?.digits
        let recorded = market.session.isMade ? nil : name.flatMap { provider.timeframes[$0] } ?? provider.timeframe
        let times = market.session.times
        let nextRound = times[0] + Int64(market.session.period) * 1_000_000_000
        let following = index + 1 < times.count ? times[index + 1] : nextRound
        let next = Double(following) / 1e9 + Double(moment.shift)
        var found: [[UInt8]] = []
        for symbol in topics.map(\.symbol) {
            for (position, wanted) in (requested[symbol] ?? []).enumerated() {
                if wanted.length == recorded {
                    found.append(market.shift.moved(market.session.messages[index], bySeconds: moment.shift))
                    continue
                }
                for candle in candles(symbol, wanted.length, at: moment) where candle.timestamp >= wanted.sentUpTo {
                    var row = values(of: candle, symbol, wanted.timeframe, provider.unit)
                    row["final"] = .bool(candle.timestamp + Double(wanted.length) <= next)
                    found.append(Array(messages.message(sort, [row]).utf8))
                    requested[symbol]?[position].sentUpTo = candle.timestamp
                }
            }
        }
        return found
    }

    private func values(
        of candle: Candle, _ symbol: String, _ timeframe: String, _ unit: String
    ) -> [String: VenueJSON] {
        Self.values(of: candle, unit).merging(["symbol": .string(symbol), "timeframe": .string(timeframe)]) { $1 }
    }

    private static func values(of candle: Candle, _ unit: String) -> [String: VenueJSON] {
        [
            "timestamp": ProviderMessages.written(Int64(candle.timestamp) * 1_000_000_000, unit),
            "open": .number("\(candle.open)"), "high": .number("\(candle.high)"), "low": .number("\(candle.low)"),
            "close": .number("\(candle.close)"), "volume": .number("\(candle.volume)"),
        ]
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
        guard let length else {
            return VenueResponse(
                status: 400, body: #"{"error":{"code":"unknown_timeframe","message":"unknown timeframe"}}"#)
        }
        let limit = max(1, min(places["limit"]?.first.flatMap { Int($0) } ?? 1000, 1000))
        let fields = history.sort.fields.sorted { $0.key < $1.key }
        let candles = ProviderPast(market, shift: shift).candles(symbol, length: length, limit: limit, until: now)
        let list = VenueJSON.array(
            candles.map { candle in
                let values = values(of: candle, history.unit)
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
