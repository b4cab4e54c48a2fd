// What the package uses of CoreGraphics, declared after Apple's documentation, for type-checking only.
@_exported import struct Foundation.CGFloat
@_exported import struct Foundation.CGPoint
@_exported import struct Foundation.CGRect
@_exported import struct Foundation.CGSize

public final class CGColorSpace {
    public static let sRGB: CFString = ""
    public init?(name: CFString) {}
    init() {}
}

/// Bridged to `String` on Apple's platforms.
public typealias CFString = String

public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace() }

public final class CGColor {
    public init?(colorSpace space: CGColorSpace, components: [CGFloat]) {}
    public init(gray: CGFloat, alpha: CGFloat) {}
}

public struct CGAffineTransform: Sendable {
    public init(scaleX sx: CGFloat, y sy: CGFloat) {}
}

public class CGPath {
    public init(
        roundedRect rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat,
        transform: UnsafePointer<CGAffineTransform>?
    ) {}
}

public final class CGImage {}

public enum CGImageAlphaInfo: UInt32 {
    case none, premultipliedLast, premultipliedFirst, last, first, noneSkipLast, noneSkipFirst, alphaOnly
}

public enum CGLineJoin: Int32 { case miter, round, bevel }

public final class CGContext {
    public init?(
        data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
        space: CGColorSpace, bitmapInfo: UInt32
    ) {}

    public var textMatrix: CGAffineTransform {
        get { fatalError() }
        set {}
    }
    public var textPosition: CGPoint {
        get { fatalError() }
        set {}
    }

    public func saveGState() {}
    public func restoreGState() {}
    public func scaleBy(x sx: CGFloat, y sy: CGFloat) {}
    public func translateBy(x tx: CGFloat, y ty: CGFloat) {}
    public func setFillColor(_ color: CGColor) {}
    public func setStrokeColor(_ color: CGColor) {}
    public func setLineWidth(_ width: CGFloat) {}
    public func setLineJoin(_ join: CGLineJoin) {}
    public func setLineDash(phase: CGFloat, lengths: [CGFloat]) {}
    public func beginPath() {}
    public func move(to point: CGPoint) {}
    public func addLine(to point: CGPoint) {}
    public func addPath(_ path: CGPath) {}
    public func closePath() {}
    public func strokePath() {}
    public func fillPath() {}
    public func fill(_ rect: CGRect) {}
    public func clip(to rect: CGRect) {}
    public func makeImage() -> CGImage? { nil }
}
