/// What can be drawn on a chart.
public enum DrawingKind: UInt8, CaseIterable, Sendable {
    // Raw values are the boundary's numbers: append only.
    case trendLine
    /// From the first anchor through the second one and on.
    case ray
    case horizontalLine
    case verticalLine
    case rectangle
    /// Levels between the first anchor (1) and the second one (0).
    case fibonacci
    /// Change of price, percent, bars and time from the first anchor to the second one.
    case measure
    case text

    /// How many anchors it has.
    public var anchorCount: Int {
        switch self {
        case .trendLine, .ray, .rectangle, .fibonacci, .measure: 2
        case .horizontalLine, .verticalLine, .text: 1
        }
    }

    /// The name in documents.
    public var name: StaticString {
        switch self {
        case .trendLine: "trend_line"
        case .ray: "ray"
        case .horizontalLine: "horizontal_line"
        case .verticalLine: "vertical_line"
        case .rectangle: "rectangle"
        case .fibonacci: "fibonacci"
        case .measure: "measure"
        case .text: "text"
        }
    }
}
