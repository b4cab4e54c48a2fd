/// The size of a chart: CSS pixels (points) and how many device pixels one of them has.
public struct ChartSize: Sendable, Equatable {
    /// Width in CSS pixels, 0 where it was not a number or negative.
    public let width: Double
    /// Height in CSS pixels.
    public let height: Double
    /// Device pixels per CSS pixel, 0.5 to 8.
    public let devicePixelRatio: Double

    /// - Parameter devicePixelRatio: 1 where it is not a number or not above zero. It is lowered where the picture
    ///   would have more than 32,768 device pixels on a side.
    public init(width: Double, height: Double, devicePixelRatio: Double) {
        self.width = width > 0 ? min(width, Pixels.largest) : 0
        self.height = height > 0 ? min(height, Pixels.largest) : 0
        let requested = devicePixelRatio > 0 ? min(max(devicePixelRatio, 0.5), 8) : 1
        let longest = max(self.width, self.height)
        self.devicePixelRatio = longest * requested > Pixels.largest ? Pixels.largest / longest : requested
    }

    /// Nothing can be drawn.
    public var isEmpty: Bool { width * devicePixelRatio < 1 || height * devicePixelRatio < 1 }
}

/// Device pixels: snapping and the conversions that never trap.
enum Pixels {
    /// The largest extent of a picture in device pixels; canvases end here too.
    static let largest = 32_768.0

    /// The nearest whole pixel, halves upwards. Anything off the picture is brought to its vicinity and what is not a
    /// number to the far left, so a coordinate from hostile data cannot trap and cannot reach a painter.
    @inline(__always)
    static func snap(_ value: Double) -> Double {
        // Truncating a positive number is a single instruction everywhere; `rounded()` is a call on plain x86-64.
        Double(Int(near(value) + (largest + 0.5)) &- 32_768)
    }

    /// The pixel that holds `value`: the next whole number downwards.
    @inline(__always)
    static func floor(_ value: Double) -> Double { Double(Int(near(value) + largest) &- 32_768) }

    /// A coordinate as it is, between pixels too, brought to the picture's vicinity where it is far off.
    @inline(__always)
    static func near(_ value: Double) -> Double {
        value > -largest ? (value < 2 * largest ? value : 2 * largest) : -largest
    }
}

/// `value` cut to whole numbers within `range`, its lower bound where it is not a number.
func integer(_ value: Double, in range: ClosedRange<Int>) -> Int {
    guard value > Double(range.lowerBound) else { return range.lowerBound }
    guard value < Double(range.upperBound) else { return range.upperBound }
    return Int(value)
}
