/// The dashes of a line as painters draw them, in device pixels.
///
/// A display list may come from anywhere. Dashes that no device can show cost a painter as much time as others, a
/// million of them in one line: where a dash and the gap after it are finer than a device pixel, the line is solid.
struct LineDashes: Equatable {
    /// Pixels of a dash, and of the gap after it; half a pixel or more each.
    var on: Double
    var off: Double

    /// `nil`: a solid line. Lengths that are not above 0 mean the same.
    init?(on: Double, off: Double) {
        guard on > 0, off > 0, on + off >= 1 else { return nil }
        self.on = max(on, 0.5)
        self.off = max(off, 0.5)
    }

    /// A coordinate, kept within what a painter can place; a line beyond the picture has dashes, too. `nil`: not finite.
    static func placeable(_ coordinate: Double) -> Double? {
        coordinate.isFinite ? min(max(coordinate, -65_536), 65_536) : nil
    }

    /// How many dashes a line of some pixels has.
    func count(inLength length: Double) -> Double { length / (on + off) }
}
