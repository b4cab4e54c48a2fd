/// A price that somebody marked: a line across the plot with its price on the axis.
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
