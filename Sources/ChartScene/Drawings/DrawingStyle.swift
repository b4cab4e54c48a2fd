/// What a drawing looks like.
public struct DrawingStyle: Sendable, Equatable {
    public enum Dash: UInt8, CaseIterable, Sendable {
        // Raw values are the boundary's numbers: append only.
        case solid, dashed, dotted

        /// The name in documents.
        public var name: StaticString {
            switch self {
            case .solid: "solid"
            case .dashed: "dashed"
            case .dotted: "dotted"
            }
        }
    }

    /// `nil` is the usual one, which suits every theme.
    public var colour: Colour?
    /// Of lines, in CSS pixels, 1 to 8.
    public private(set) var width: Double
    public var dash: Dash

    /// - Parameter width: cut to whole numbers from 1 to 8.
    public init(colour: Colour? = nil, width: Double = 2, dash: Dash = .solid) {
        self.colour = colour
        self.width = Double(integer(width.rounded(), in: 1...8))
        self.dash = dash
    }

    /// Readable on dark and on light grounds alike: at least 3:1 to black and to white.
    static let usual = Colour(rgb: 0x3478F6)

    var shown: Colour { colour ?? DrawingStyle.usual }

    /// Lengths of dash and gap for a line of `width` device pixels.
    func dashes(_ width: Double) -> (on: Double, off: Double) {
        switch dash {
        case .solid: (0, 0)
        case .dashed: (4 * width, 3 * width)
        case .dotted: (width, 2 * width)
        }
    }
}
