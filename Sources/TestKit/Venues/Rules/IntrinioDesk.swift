/// Intrinio's REST side, but for candles (`IntrinioREST`): the token, the search, reference prices. One account: `demo` is the
/// user, the password, the key and the public key.
enum IntrinioDesk {
    /// With characters that must be encoded in an address.
    static let token = "SFMyNTY.demo+/=&%"

    /// Path and query of an accepted handshake.
    static let target = "/socket/websocket?vsn=1.0.0&token=SFMyNTY.demo%2B%2F%3D%26%25"

    static func answer(_ request: VenueRequest) -> VenueResponse? {
        switch request.path {
        case "/auth":
            guard isKnown(request) else { return refused }
            return VenueResponse(headers: [("Content-Type", "text/plain")], body: token)
        case "/companies":
            guard isKnown(request) else { return refused }
            return companies(request.query["query"] ?? "")
        case "/prices":
            guard isKnown(request) else { return refused }
            return prices(request.query["identifier"] ?? "")
        default: return nil
        }
    }

    /// The status that a WebSocket is refused with; Phoenix has no other one for a token it does not take.
    static func refusal(of target: String) -> Int? {
        let query = VenueRequest(target: target).query
        return query["token"] == token && query["vsn"] == "1.0.0" ? nil : 403
    }

    static let refused = VenueResponse(status: 401, body: #"{"errors":[{"human":"Not authorised"}]}"#)

    static func isKnown(_ request: VenueRequest) -> Bool {
        switch request.headers["authorization"] {
        case "Basic ZGVtbzpkZW1v", "Bearer demo", "Public demo": true
        case .some: false
        case nil: request.query["api_key"] == "demo" || request.headers["x-authorization-public-key"] == "demo"
        }
    }

    private static let listed = [
        ("Apple Inc", "AAPL", "0000320193"), ("General Electric Co", "GE", "0000040545"),
        ("Microsoft Corp", "MSFT", "0000789019"),
    ]

    private static func companies(_ text: String) -> VenueResponse {
        let rows = listed.filter { "\($0.0) \($0.1)".lowercased().contains(text.lowercased()) }.map {
            #"{"name":"\#($0.0)","ticker":"\#($0.1)","cik":"\#($0.2)"}"#
        }
        return VenueResponse(body: #"{"data":[\#(rows.joined(separator: ","))],"result_count":\#(rows.count)}"#)
    }

    private static func prices(_ ticker: String) -> VenueResponse {
        guard let index = listed.firstIndex(where: { $0.1 == ticker }) else {
            return VenueResponse(status: 404, body: #"{"errors":[{"human":"Identifier not found"}]}"#)
        }
        let open = 100 * (index + 1)
        return VenueResponse(
            body: #"{"data":[{"date":"2024-08-08","open":\#(open).0,"high":\#(open + 5).5,"low":\#(open - 2).25,"#
                + #""close":\#(open + 5).0,"volume":51234567.0}],"result_count":1}"#)
    }
}
