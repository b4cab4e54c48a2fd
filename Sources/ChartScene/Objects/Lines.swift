/// A marked price: a line across the plot with its price on the axis.
public struct PriceLine: Sendable, Equatable {
    public let id: Int
    public var price: Double
    public var style: DrawingStyle
    /// UTF-8 at the line's right end; may be empty.
    public var label: [UInt8]

    /// - Parameter label: UTF-8, cut to 200 bytes.
    public init(
        id: Int, price: Double, style: DrawingStyle = DrawingStyle(width: 1), label: some Sequence<UInt8> = [UInt8]()
    ) {
        self.id = id
        self.price = price
        self.style = style
        self.label = Drawing.cleaned(label)
    }
}

/// A position or an order at its price, which may be dragged to propose another one.
///
/// It is green (the theme's colour of a rise) where it is a purchase, a take profit, or a position that gains or is even
/// at the newest price; otherwise red. Out of view, its price stays at the end of the axis, with an arrow.
///
/// Dragging changes nothing but `proposed`: the trading code accepts it, once the market did, or reverts it.
public struct OrderLine: Sendable, Equatable {
    public enum Kind: UInt8, CaseIterable, Sendable {
        // Raw values are the boundary's numbers: append only.
        case position, order, stopLoss, takeProfit
    }

    public let id: Int
    public let kind: Kind
    public let isBuy: Bool
    public internal(set) var price: Double
    /// UTF-8 of its tag: `Buy 0.5 limit`.
    public let label: [UInt8]
    public let isDraggable: Bool
    /// Where it was dragged to, in whole ticks; `nil` where it is at its price.
    public internal(set) var proposed: Double?

    /// - Parameter label: UTF-8, cut to 200 bytes.
    public init(
        id: Int, kind: Kind, isBuy: Bool, price: Double, label: some Sequence<UInt8> = [UInt8](),
        isDraggable: Bool = true
    ) {
        self.id = id
        self.kind = kind
        self.isBuy = isBuy
        self.price = price
        self.label = Drawing.cleaned(label)
        self.isDraggable = isDraggable
    }

    /// Where it is drawn.
    public var shown: Double { proposed ?? price }
}
