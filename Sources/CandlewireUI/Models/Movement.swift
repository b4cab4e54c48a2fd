internal import MarketFeeds

/// Which way a price or a profit went. Zero and "not known" are a state of their own, neither red nor green.
public enum Movement: Sendable, Hashable {
    case up, down, flat

    /// - Parameter text: the number as it is shown: what is shown as zero went nowhere that can be seen.
    init(_ text: String) {
        self = !text.contains { ($0.wholeNumberValue ?? 0) > 0 } ? .flat : text.hasPrefix("−") ? .down : .up
    }

    init(_ direction: PriceDirection) {
        self =
            switch direction {
            case .up: .up
            case .down: .down
            case .unchanged: .flat
            }
    }

    /// The shape that says it without colour.
    public var arrow: String {
        switch self {
        case .up: "▲"
        case .down: "▼"
        case .flat: "●"
        }
    }

    /// What a screen reader says.
    public var accessibilityLabel: String {
        switch self {
        case .up: localized("up")
        case .down: localized("down")
        case .flat: localized("unchanged")
        }
    }
}

/// A number with its name, as details list them.
public struct Figure: Sendable, Hashable, Identifiable {
    public var name: String
    public var value: String
    public var movement: Movement?

    public var id: String { name }

    init(_ name: String, _ value: String, _ movement: Movement? = nil) {
        self.name = name
        self.value = value
        self.movement = movement
    }
}

/// Whether a list has something to show.
public enum ListState: Sendable, Hashable {
    case loading
    case ready
    /// A sentence that says why.
    case failed(String)
}
