/// How prices are spread over a pane's height, and in which unit its axis tells them.
public enum PriceScaleKind: UInt8, CaseIterable, Sendable {
    // Raw values are the boundary's numbers: append only.
    case linear
    /// Equal ratios are equally high.
    case logarithmic
    /// Change since the first bar on screen.
    case percent
    /// The first bar on screen is 100.
    case indexed
}

/// What somebody chose about a price scale.
public struct PriceScaleSettings: Sendable, Equatable {
    public var kind = PriceScaleKind.linear
    /// Higher prices are lower on screen.
    public var isInverted = false
    /// The prices at the pane's ends; `nil` is automatic: what is on screen fits.
    public var range: ClosedRange<Double>?

    public init(kind: PriceScaleKind = .linear, isInverted: Bool = false, range: ClosedRange<Double>? = nil) {
        self.kind = kind
        self.isInverted = isInverted
        self.range = range
    }
}
