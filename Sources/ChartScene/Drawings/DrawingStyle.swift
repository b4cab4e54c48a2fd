internal import MarketModel

/// What a drawing looks like.
public struct DrawingStyle: Sendable, Equatable {
    public enum Dash: UInt8, CaseIterable, Sendable {
        // Raw values are the boundary's numbers: append only.
        case solid, dashed, dotted

        /// The name in documents.
        public var name: StaticString { (["solid", "dashed", "dotted"] as [StaticString])[Int(rawValue)] }
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
        let names: [StaticString] = [
            "trend_line", "ray", "horizontal_line", "vertical_line", "rectangle", "fibonacci", "measure", "text",
        ]
        return names[Int(rawValue)]
    }
}

/// How the price of an anchor sticks to a bar's open, high, low and close.
public enum Magnet: UInt8, CaseIterable, Sendable {
    // Raw values are the boundary's numbers: append only.
    case off
    /// To the nearest of them where that is near.
    case weak
    /// To the nearest of them.
    case strong

    /// How near is near, in CSS pixels.
    static let reach = 14.0
}

extension DrawingSpace {
    /// The price at height `y` over bar `index`, as the magnet has it.
    func price(at y: Double, bar index: Int, _ magnet: Magnet) -> Double {
        let free = instrument.clean(price.price(at: y))
        guard magnet != .off, index >= 0, index < series.count else { return free }
        let candle = series[index]
        var nearest = free
        var distance = magnet == .strong ? Double.infinity : Magnet.reach * layout.ratio
        for value in [candle.close, candle.high, candle.low, candle.open] {
            let away = (price.y(value) - y).magnitude
            if away < distance {
                distance = away
                nearest = value
            }
        }
        return nearest
    }
}

extension Instrument {
    /// The nearest price that can be, with no more digits than one writes.
    func clean(_ price: Double) -> Double {
        let price = rounded(price)
        let unit = powerOfTen(precision)
        guard price.isFinite, price.magnitude * unit < 9e15 else { return price }
        return (price * unit).rounded() / unit
    }
}
