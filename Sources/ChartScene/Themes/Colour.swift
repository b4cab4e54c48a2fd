/// An RGBA colour in sRGB, eight bits a channel: `0xRRGGBBAA`, alpha not premultiplied.
public struct Colour: Sendable, Equatable, Hashable {
    public var rgba: UInt32

    public init(rgba: UInt32) { self.rgba = rgba }

    /// An opaque colour from `0xRRGGBB`.
    public init(rgb: UInt32) { rgba = rgb << 8 | 0xFF }

    /// The same colour with another alpha, 0 (clear) to 255 (opaque).
    public func withAlpha(_ alpha: UInt8) -> Colour { Colour(rgba: rgba & 0xFFFF_FF00 | UInt32(alpha)) }
}

extension Colour {
    /// The contrast of two opaque colours, 1 to 21: WCAG 2.1, "contrast ratio" and "relative luminance".
    public func contrast(to other: Colour) -> Double {
        let a = luminance
        let b = other.luminance
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    private var luminance: Double { 0.2126 * linear(24) + 0.7152 * linear(16) + 0.0722 * linear(8) }

    private func linear(_ shift: UInt32) -> Double {
        let value = Double(rgba >> shift & 0xFF) / 255
        return value <= 0.03928 ? value / 12.92 : Maths.exp(2.4 * Maths.log((value + 0.055) / 1.055))
    }
}
