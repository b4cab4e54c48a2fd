/// Widths of a candle in whole device pixels.
///
/// Body and wick are both odd or both even wide, so that the wick stands exactly in the body's middle and every edge
/// lies on a pixel.
struct CandleGeometry: Equatable {
    let body: Double
    let wick: Double

    /// CSS pixels that a body is never wider than.
    static let widest = 20.0

    /// - Parameters:
    ///   - spacing: distance of two bars in device pixels.
    ///   - ratio: device pixels per CSS pixel.
    /// - Returns: `nil` where a body would be narrower than two pixels.
    init?(spacing: Double, ratio: Double) {
        // Four fifths of the room, at least a pixel of gap; three pixels side by side where there is room for no gap.
        var body = spacing < 4 ? (spacing < 2.5 ? 1 : 3) : min(Pixels.floor(spacing * 0.8), Pixels.floor(spacing) - 1)
        guard body >= 2 else { return nil }
        body = min(body, Pixels.floor(CandleGeometry.widest * ratio))
        let wick = max(1, min(Pixels.floor(ratio), Pixels.floor(body / 3)))
        if CandleGeometry.isOdd(body) != CandleGeometry.isOdd(wick) { body -= 1 }
        self.body = max(body, wick)
        self.wick = wick
    }

    private static func isOdd(_ pixels: Double) -> Bool {
        Int(pixels) & 1 == 1
    }

    /// Left edge of the wick of a bar with its centre at `x`.
    @inline(__always)
    func wickLeft(_ x: Double) -> Double {
        Pixels.snap(x - wick / 2)
    }

    /// How far the body reaches over the wick on either side.
    var overhang: Double { (body - wick) / 2 }
}
