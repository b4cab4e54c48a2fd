/// An RGBA colour in sRGB, eight bits a channel: `0xRRGGBBAA`, alpha not premultiplied.
public struct Colour: Sendable, Equatable, Hashable {
    public var rgba: UInt32

    public init(rgba: UInt32) {
        self.rgba = rgba
    }

    /// An opaque colour from `0xRRGGBB`.
    public init(rgb: UInt32) {
        rgba = rgb << 8 | 0xFF
    }

    /// The same colour with another alpha, 0 (clear) to 255 (opaque).
    public func withAlpha(_ alpha: UInt8) -> Colour {
        Colour(rgba: rgba & 0xFFFF_FF00 | UInt32(alpha))
    }
}
