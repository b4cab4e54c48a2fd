public import MarketServices

extension ComparisonPeriod.Kind {
    /// Before “high”, “low” and “change”.
    public var name: String {
        switch self {
        case .session: localized("Session")
        case .last24Hours: localized("24 h")
        }
    }

    var changeName: String {
        switch self {
        case .session: localized("Session change")
        case .last24Hours: localized("24 h change")
        }
    }

    var highName: String {
        switch self {
        case .session: localized("Session high")
        case .last24Hours: localized("24 h high")
        }
    }

    var lowName: String {
        switch self {
        case .session: localized("Session low")
        case .last24Hours: localized("24 h low")
        }
    }

    /// A change with what it is compared with, as a screen reader says it.
    func sentence(_ change: String) -> String {
        switch self {
        case .session: localized("%@ since the session’s open", change)
        case .last24Hours: localized("%@ in 24 hours", change)
        }
    }
}
