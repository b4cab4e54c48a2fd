/// A request over HTTP.
public struct VenueRequest: Sendable, Equatable {
    public var method: String
    public var path: String
    /// Decoded; the last one of a name counts.
    public var query: [String: String]
    /// Names in lower case.
    public var headers: [String: String]
    let target: String

    /// - Parameter target: path and query as they stand in the request.
    public init(method: String = "GET", target: String, headers: [String: String] = [:]) {
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
}

/// An answer over HTTP; the body is JSON unless the headers say another thing.
public struct VenueResponse: Sendable, Equatable {
    public var status: Int
    public var headers: [(String, String)]
    public var body: String

    public init(status: Int = 200, headers: [(String, String)] = [], body: String) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public static func == (a: VenueResponse, b: VenueResponse) -> Bool {
        a.status == b.status && a.body == b.body && a.headers.elementsEqual(b.headers, by: ==)
    }
}
