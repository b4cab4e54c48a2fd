// What the package uses of CoreText, declared after Apple's documentation, for type-checking only.
@_exported import CoreGraphics
public import Foundation

public final class CTFont {}
public final class CTLine {}

public enum CTFontUIFontType: UInt32 {
    case system = 2
    case emphasizedSystem = 3
}

public let kCTFontAttributeName: CFString = ""
public let kCTForegroundColorAttributeName: CFString = ""

public func CTFontCreateUIFontForLanguage(
    _ uiType: CTFontUIFontType, _ size: CGFloat, _ language: CFString?
) -> CTFont? { nil }
public func CTLineCreateWithAttributedString(_ attrString: NSAttributedString) -> CTLine { CTLine() }
public func CTLineGetTypographicBounds(
    _ line: CTLine, _ ascent: UnsafeMutablePointer<CGFloat>?, _ descent: UnsafeMutablePointer<CGFloat>?,
    _ leading: UnsafeMutablePointer<CGFloat>?
) -> Double { 0 }
public func CTLineDraw(_ line: CTLine, _ context: CGContext) {}
