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
    public init?(
        id: Int, time: Double, kind: Kind, text: some Sequence<UInt8> = [UInt8](), colour: Colour? = nil
    ) {
        guard time >= 0, time <= Calendar.latest else { return nil }
        self.id = id
        self.time = time
        self.kind = kind
        self.text = Drawing.cleaned(text)
        self.colour = colour
    }
}
