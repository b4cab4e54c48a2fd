public import ChartScene

/// A chart's picture at one moment: drawing commands, and files made of them.
public struct ChartSnapshot: Sendable, Equatable {
    public let list: DisplayList
    public let size: ChartSize

    public init(list: DisplayList, size: ChartSize) {
        self.list = list
        self.size = size
    }

    /// In device pixels.
    public var pixelWidth: Int { Int((size.width * size.devicePixelRatio).rounded(.down)) }
    /// In device pixels.
    public var pixelHeight: Int { Int((size.height * size.devicePixelRatio).rounded(.down)) }

    #if canImport(CCairo)
        /// The bytes of a PNG, SVG or PDF file.
        /// - Throws: `PaintError` with Cairo's reason, for instance when memory runs out.
        public func encoded(as format: ImageFormat = .png) throws(PaintError) -> [UInt8] {
            try CairoPainter(width: pixelWidth, height: pixelHeight, pixelRatio: size.devicePixelRatio)
                .image(list, as: format)
        }
    #endif
}
