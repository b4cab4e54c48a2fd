/// Bybit's public streams, version 5, spot and linear: acks that do not say what they are about, all alike.
struct BybitRules: VenueRules {
    static let facts = VenueFacts(paths: ["/v5/public/spot", "/v5/public/linear", "/v5/public/inverse"])

    /// Topics in one request on the spot market.
    private static let spotArguments = 10

    private let market: VenueMarket
    private let id: String
    private var isSpot = true

    init(_ market: VenueMarket, connection: Int) {
        self.market = market
        let digits = String(connection, radix: 16)
        id = "1764937c-c1f0-4e2b-969d-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }

    static func sort(_ message: [UInt8]) -> RecordedPart {
        guard let topic = VenuePeek.string(message, "topic").flatMap(topic) else { return .own }
        // The book of one level is sent whole every time.
        let isBook = topic.channel.hasPrefix("orderbook.") && topic.channel != "orderbook.1"
        return isBook && VenuePeek.string(message, "type") == "snapshot" ? .first(topic) : .data([topic])
    }

    /// `orderbook.1.BTCUSDT`
    private static func topic(_ text: String) -> VenueTopic? {
        guard let dot = text.lastIndex(of: ".") else { return nil }
        return VenueTopic(String(text[..<dot]), String(text[text.index(after: dot)...]))
    }

    /// Of a trade, a number in the spot market; names of others are no numbers, and stay.
    static let tradeNumbers = ["i"]

    static func trades(in message: [UInt8], _ part: RecordedPart) -> [RecordedTrade] {
        guard case .data(let topics) = part, topics.first?.channel == "publicTrade",
            let rows = VenueJSON(message)?["data"]?.array
        else { return [] }
        return rows.compactMap { row in
            guard let symbol = row["s"]?.string, let price = row["p"]?.string, let size = row["v"]?.string,
                let time = row["T"]?.digits.flatMap(VenueTime.nanoseconds)
            else { return nil }
            return RecordedTrade(
                symbol: symbol, number: row["i"]?.digits.flatMap { UInt64($0) }, price: price, size: size, time: time,
                isBuy: row["S"]?.string == "Buy", json: row)
        }
    }

    mutating func opened(target: String, at moment: VenueMoment) -> [VenueReply] {
        isSpot = target.contains("/spot")
        return []
    }

    mutating func received(_ json: VenueJSON?, at moment: VenueMoment) -> [VenueReply] {
        let operation = json?["op"]?.string ?? ""
        switch operation {
        case "ping": return [answer(true, "pong", json, operation)]
        case "subscribe", "unsubscribe":
            let texts = json?["args"]?.strings ?? []
            guard !isSpot || texts.count <= Self.spotArguments else {
                return [answer(false, "args size >10", json, operation)]
            }
            var replies: [VenueReply] = []
            for text in texts {
                guard let topic = Self.topic(text), market.symbols.contains(topic.symbol) else {
                    return [answer(false, "error:handler not found,topic:\(text)", json, operation)]
                }
                replies.append(operation == "subscribe" ? .subscribe(topic) : .unsubscribe(topic))
            }
            return [answer(true, isSpot ? operation : "", json, operation)] + replies
        default: return [answer(false, "error:unknown op", json, operation)]
        }
    }

    /// Spot repeats an id only where there is one; the other markets always have the member.
    private func answer(_ success: Bool, _ message: String, _ json: VenueJSON?, _ operation: String) -> VenueReply {
        let given = json?["req_id"]?.string
        let request = isSpot && given == nil ? "" : #""req_id":\#(VenueJSON.quoted(given ?? "")),"#
        return .answer(
            #"{"success":\#(success),"ret_msg":\#(VenueJSON.quoted(message)),"conn_id":"\#(id)",\#(request)"#
                + #""op":\#(VenueJSON.quoted(operation))}"#)
    }
}
