public import ChartScene
import Foundation
internal import MarketModel

/// The line above a chart, as texts: what is shown, its price, how it moved, and whether it is live.
public struct ChartHeadline: Sendable, Equatable {
    /// The symbol.
    public var ticker: String
    /// The newest close, with at least two digits after the point; a dash where there is no bar.
    public var price: String
    /// The change since the reference price, `+1.25%`; empty where there is none.
    public var percent: String
    /// `1m`
    public var timeframe: String
    /// `LIVE` or `RECONNECTING...`
    public var status: String

    init(
        symbol: String, price: Double?, reference: Double?, precision: Int, timeframe: Timeframe,
        status: ConnectionStatus
    ) {
        ticker = symbol
        self.price = price.map { ChartHeadline.text($0, precision) } ?? "–"
        percent = ChartHeadline.change(from: reference, to: price).map { String(format: "%+.2f%%", $0) } ?? ""
        self.timeframe = timeframe.rawValue
        self.status = status.text
    }

    /// A price with at least two digits after the point.
    static func text(_ price: Double, _ precision: Int) -> String {
        String(format: "%.\(max(2, precision))f", price)
    }

    /// In percent; `nil` without both prices.
    static func change(from reference: Double?, to price: Double?) -> Double? {
        guard let reference, let price, reference > 0, reference.isFinite else { return nil }
        let change = (price - reference) / reference * 100
        // Rounded to -0.00 it would read as a fall.
        return (change * 100).rounded() == 0 ? 0 : change
    }
}

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
