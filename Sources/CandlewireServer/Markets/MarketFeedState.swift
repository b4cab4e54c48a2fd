/// How a market is supplied.
enum MarketFeedState: Equatable, Sendable {
    /// Its trades come.
    case live
    /// It has not been connected yet.
    case connecting
    /// The connection is lost; it is being made again.
    case interrupted
    /// The venue does not want to, for this reason.
    case refused(String)
    /// Nobody watches it, so its trades are not asked for.
    case paused

    /// Its name in documents.
    var name: String {
        switch self {
        case .live: "live"
        case .connecting: "connecting"
        case .interrupted: "interrupted"
        case .refused: "refused"
        case .paused: "paused"
        }
    }

    /// What the venue said against it.
    var reason: String? { if case .refused(let reason) = self { reason } else { nil } }
}
