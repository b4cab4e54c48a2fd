extension Venue { public static let intrinioEquities = Venue("intrinio-equities") }

extension VenueDeclaration {
    static let intrinioEquities = VenueDeclaration(
        venue: .intrinioEquities, numbering: .none,
        isEvidence: { _ in false },
        reader: IntrinioEquitiesParser.self,
        feeds: [IntrinioEquitiesAdapter()], history: IntrinioHistory(venue: .intrinioEquities))
}

/// Intrinio's current equities stream: binary, and without answers. Source: intrinio/intrinio-realtime-python-sdk,
/// version 6. Nothing says that a symbol was joined, and a quiet one sends nothing, so that a join counts as granted
/// when it is sent. The SDK sends no heartbeats: ping frames show whether the connection lives.
struct IntrinioEquitiesAdapter: IntrinioFeed {
    let venue = Venue.intrinioEquities
    let title = "Intrinio equities"
    let endpoint = "wss://realtime-mx.intrinio.com/socket/websocket"
    let capabilities = FeedCapabilities(
        gaps: .outages, detectsDuplicates: false, acknowledges: false, reportsSides: false, needsKey: true,
        assumesGranted: true, caveat: "by documentation only, no recording was found")
    let liveness = FeedLiveness.traffic(every: 20)
    var headers: [FeedHeader] { [FeedHeader("UseNewEquitiesFormat", "v2"), IntrinioAccess.client] }

    private static let join: UInt8 = 0x4A
    private static let leave: UInt8 = 0x4C
    private static let tradesAndQuotes: UInt8 = 0

    func frame(_ action: FeedAction, _ symbols: [String], number: Int) -> FeedFrame? {
        let head = action == .subscribe ? [Self.join, Self.tradesAndQuotes] : [Self.leave]
        return .binary(head + Array((symbols.first ?? "").utf8))
    }

    func answers(to message: Bytes, _ kind: VenueMessageKind) -> [FeedAnswer] { [] }
}
