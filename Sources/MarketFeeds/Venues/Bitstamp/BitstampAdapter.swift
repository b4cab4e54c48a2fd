import MarketModel
import StreamCore

extension Venue { public static let bitstamp = Venue("bitstamp") }

extension VenueDeclaration {
    static let bitstamp = VenueDeclaration(
        venue: .bitstamp, numbering: .unique,
        isEvidence: { message in
            guard let event = message["event"], let channel = message["channel"] else { return false }
            return event.hasPrefix("bts:")
                || (event == "trade" || event == "data") && message.has("data", .object)
                    && channels.contains { channel.hasPrefix($0) }
        },
        reader: BitstampParser.self,
        feeds: [BitstampAdapter()], history: BitstampHistory())

    private static let channels = ["live_", "order_book_", "detail_order_book_", "diff_order_book_"]
}

/// Bitstamp: a channel a market. Source: Bitstamp's WebSocket API v2 documentation and a recorded session.
/// `bts:request_reconnect` requests a new connection within a short time; `bts:heartbeat` is answered by the same.
struct BitstampAdapter: FeedAdapter {
    let venue = Venue.bitstamp
    let title = "Bitstamp"
    let endpoint = "wss://ws.bitstamp.net/"
    let exampleSymbol = "btcusd"
    let capabilities = FeedCapabilities(gaps: .outages)
    let limits = FeedLimits(symbolsPerConnection: 100, symbolsPerRequest: 1, messagesPerSecond: 5, messageBurst: 10)
    let liveness = FeedLiveness.ping(every: 15, text: "{\"event\":\"bts:heartbeat\"}")
    private static let prefix = "live_trades_"

    func isSymbol(_ text: String) -> Bool { text.isSymbol(\.isLowerSymbol) }

    func request(_ action: FeedAction, _ symbols: [String], number: Int) -> String? {
        let channel = FeedAnswerReader.quoted(Self.prefix + (symbols.first ?? ""))
        return "{\"event\":\"bts:\(action.rawValue)\",\"data\":{\"channel\":\(channel)}}"
    }

    func answers(to message: Bytes, _ kind: VenueMessageKind) -> [FeedAnswer] {
        guard let answer = FeedAnswerReader.read(message) else { return [] }
        var symbols: [String] = []
        if let channel = answer["channel"]?.text, channel.hasPrefix(Self.prefix) {
            symbols = [String(channel.dropFirst(Self.prefix.count))]
        }
        switch answer["event"]?.text {
        case "bts:subscription_succeeded": return symbols.isEmpty ? [] : [.subscribed(symbols)]
        case "bts:unsubscription_succeeded": return symbols.isEmpty ? [] : [.ended(symbols)]
        case "bts:error": return [.refusal(answer["data"]?["message"]?.text, symbols: symbols)]
        case "bts:request_reconnect": return [.goingAway("the venue requests a new connection")]
        default: return []
        }
    }
}

/// Bitstamp's candles (bitstamp.net/api, "OHLC data"): `data.ohlc`, objects whose values are texts, oldest first.
struct BitstampHistory: DeclaredHistory {
    let venue = Venue.bitstamp
    let endpoint = "https://www.bitstamp.net"
    let timeframes: [Timeframe] = [.m1, .m3, .m5, .m15, .m30, .h1, .h2, .h4, .h6, .h12, .d1]
    /// One less than the 1000 that the venue allows: whether the end is included, its documentation does not say.
    let rowsPerPage = 999
    let pace = RequestPacer.Configuration(rate: 5, burst: 5, minimumInterval: 0.1)
    let layout = HistoryLayout(candles: (.init("data", "ohlc", as: "list of candles"), .members(start: "timestamp")))

    func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        "/api/v2/ohlc/\(percentEncoded(symbol.lowercased()))/?step=\(Int(timeframe.seconds))&limit=\(rowsPerPage + 1)"
            + "&start=\(queryNumber(from))&end=\(queryNumber(to))"
    }
}
