/// Device pixels: snapping and the conversions that never trap.
enum Pixels {
    /// The largest extent of a picture in device pixels; canvases end here too.
    static let largest = 32_768.0

    /// The nearest whole pixel, halves upwards. Anything off the picture is brought to its vicinity and what is not a
    /// number to the far left, so a coordinate from hostile data cannot trap and cannot reach a painter.
    @inline(__always)
    static func snap(_ value: Double) -> Double {
        // Truncating a positive number is a single instruction everywhere; `rounded()` is a call on plain x86-64.
        Double(Int(limited(value) + (largest + 0.5)) &- 32_768)
    }

    /// The pixel that holds `value`: the next whole number downwards.
    @inline(__always)
    static func floor(_ value: Double) -> Double {
        Double(Int(limited(value) + largest) &- 32_768)
    }

    /// A coordinate as it is, between pixels too, brought to the picture's vicinity where it is far off.
    @inline(__always)
    static func near(_ value: Double) -> Double { limited(value) }

    @inline(__always)
    private static func limited(_ value: Double) -> Double {
        value > -largest ? (value < 2 * largest ? value : 2 * largest) : -largest
    }
}

/// `value` cut to whole numbers within `range`, its lower bound where it is not a number.
func integer(_ value: Double, in range: ClosedRange<Int>) -> Int {
    guard value > Double(range.lowerBound) else { return range.lowerBound }
    guard value < Double(range.upperBound) else { return range.upperBound }
    return Int(value)
}
