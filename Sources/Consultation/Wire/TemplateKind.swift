/// What a template is for. The first three are the source document's; the others are for the markets on screen.
public enum TemplateKind: Sendable, Hashable {
    case meal, workout, wellness
    case chartLayout, alert, watchlist
    /// Never an order by itself: it becomes a paper order once the user approves its card.
    case orderProposal
    /// A word of a later version.
    case unknown(String)

    public static let known: [TemplateKind] = [
        .meal, .workout, .wellness, .chartLayout, .alert, .watchlist, .orderProposal,
    ]

    public init(name: String) {
        self = Self.known.first { $0.name == name } ?? .unknown(name)
    }

    /// As it stands on the wire.
    public var name: String {
        switch self {
        case .meal: "meal"
        case .workout: "workout"
        case .wellness: "wellness"
        case .chartLayout: "chart_layout"
        case .alert: "alert"
        case .watchlist: "watchlist"
        case .orderProposal: "order_proposal"
        case .unknown(let name): name
        }
    }

    /// The name of its symbol on Apple platforms; `doc.fill` for all that the source document does not name.
    public var iconName: String {
        switch self {
        case .meal: "fork.knife"
        case .workout: "dumbbell.fill"
        case .wellness: "heart.fill"
        case .chartLayout, .alert, .watchlist, .orderProposal, .unknown: "doc.fill"
        }
    }
}
