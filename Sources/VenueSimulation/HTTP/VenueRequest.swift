import MarketModel

/// A request over HTTP.
package struct VenueRequest: Sendable, Equatable {
    package var method: String
    package var path: String
    /// Decoded; the last one of a name counts.
    package var query: [String: String]
    /// Names in lower case.
    package var headers: [String: String]
    let target: String

    /// - Parameter target: path and query as they stand in the request.
    package init(method: String = "GET", target: String, headers: [String: String] = [:]) {
        self.method = method
        self.headers = headers
        self.target = target
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = Self.decoded(parts[0])
        query = [:]
        for item in parts.count > 1 ? parts[1].split(separator: "&") : [] {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            query[Self.decoded(pair[0])] = pair.count > 1 ? Self.decoded(pair[1]) : ""
        }
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        let raw = Array(text.utf8)
        var at = 0
        while at < raw.count {
            if raw[at] == 0x25, at + 2 < raw.count,
                let byte = UInt8(String(decoding: raw[at + 1...at + 2], as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                at += 3
            } else {
                bytes.append(raw[at])
                at += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The rows whose start lies between two fields of the query, both included.
    /// - Parameter unit: of the fields, in a second.
    func rows(
        _ rows: [VenueBook.Row], from: String = "start", to: String = "end", unit: Double = 1
    ) -> [VenueBook.Row] {
        let first = query[from].flatMap(Double.init) ?? -.infinity
        let last = query[to].flatMap(Double.init) ?? .infinity
        return rows.filter { first <= $0.candle.timestamp * unit && $0.candle.timestamp * unit <= last }
    }

    /// How many rows are requested.
    func limit(_ usual: Int, max maximum: Int = .max) -> Int {
        max(0, min(query["limit"].flatMap { Int($0) } ?? usual, maximum))
    }
}

/// An answer over HTTP; the body is JSON unless the headers say another thing.
package struct VenueResponse: Sendable {
    package var status = 200
    package var headers: [(String, String)] = []
    package var body: String
    /// Whether the client never gets it.
    package var isLost = false
}
