/// A sign at a bar: a purchase, a sale, news.
public struct ChartMarker: Sendable, Equatable {
    public enum Kind: UInt8, CaseIterable, Sendable {
        // Raw values are the boundary's numbers: append only.
        /// An arrow up, below the bar.
        case buy
        /// An arrow down, above the bar.
        case sell
        /// A flag above the bar.
        case flag
        /// A disc above the bar.
        case dot
    }

    public let id: Int
    /// Seconds since 1970 UTC; the marker stands at the bar that holds it.
    public let time: Double
    public let kind: Kind
    /// UTF-8 beside it; may be empty.
    public let text: [UInt8]
    /// `nil` is the kind's own.
    public let colour: Colour?

    /// - Parameter text: UTF-8, cut to 200 bytes.
    /// - Returns: `nil` for a time that is not on the calendar.
    public init?(id: Int, time: Double, kind: Kind, text: some Sequence<UInt8> = [UInt8](), colour: Colour? = nil) {
        guard time >= 0, time <= Calendar.latest else { return nil }
        self.id = id
        self.time = time
        self.kind = kind
        self.text = Drawing.cleaned(text)
        self.colour = colour
    }
}

/// What was wrong with the feed during some bars, and why.
public struct FeedMark: Sendable, Equatable {
    public enum State: UInt8, CaseIterable, Sendable {
        // Raw values are the boundary's numbers: append only.
        /// Nothing came for too long.
        case stale
        /// The feed was down.
        case gap
        /// A late tick changed a final bar.
        case corrected
        /// Earlier trades of the bar are unknown.
        case partial
    }

    /// Seconds since 1970 UTC, both within the marked bars.
    public let start: Double
    public let end: Double
    public let state: State
    /// UTF-8, shown with the crosshair on one of the bars.
    public let reason: [UInt8]

    /// - Returns: `nil` where the times are not on the calendar or the wrong way round.
    public init?(from start: Double, to end: Double, _ state: State, reason: some Sequence<UInt8> = [UInt8]()) {
        guard start >= 0, end >= start, end <= Calendar.latest else { return nil }
        self.start = start
        self.end = end
        self.state = state
        self.reason = Drawing.cleaned(reason)
    }

    /// What a legend calls it.
    public var name: StaticString {
        switch state {
        case .stale: "Stale"
        case .gap: "Gap"
        case .corrected: "Corrected"
        case .partial: "Partial"
        }
    }
}
