public protocol ShapeStyle: Sendable {}

public struct Color: ShapeStyle, Hashable {
    public static let red = Color()
    public static let green = Color()
    public static let orange = Color()
    public static let gray = Color()
    public static let primary = Color()
    public static let secondary = Color()
    public static let accentColor = Color()
    public static let clear = Color()
    public func opacity(_ opacity: Double) -> Color { self }
}

extension Color: View {
    public typealias Body = Never
}

public struct HierarchicalShapeStyle: ShapeStyle {}
extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var primary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
    public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
}
extension ShapeStyle where Self == Color {
    public static var red: Color { Color() }
    public static var green: Color { Color() }
    public static var orange: Color { Color() }
    public static var clear: Color { Color() }
}
public struct TintShapeStyle: ShapeStyle {}
extension ShapeStyle where Self == TintShapeStyle {
    public static var tint: TintShapeStyle { TintShapeStyle() }
}
public struct Material: ShapeStyle {}
extension ShapeStyle where Self == Material {
    public static var thinMaterial: Material { Material() }
}

@MainActor @preconcurrency public protocol Shape: Sendable, View {}
public struct RoundedRectangle: Shape {
    public typealias Body = Never
    public init(cornerRadius: CGFloat) {}
}
public struct Capsule: Shape {
    public typealias Body = Never
    nonisolated public init() {}
}
extension Shape where Self == Capsule {
    public nonisolated static var capsule: Capsule { Capsule() }
}

public struct Image: Equatable, Sendable {
    public init(systemName: String) {}
    public enum Scale: Sendable { case small, medium, large }
}

extension Image: View {
    public typealias Body = Never
}

public struct GraphicsContext {
    public func withCGContext(content: (CGContext) throws -> Void) rethrows {}
    public mutating func stroke(_ path: Path, with shading: Shading, lineWidth: CGFloat = 1) {}
    public struct Shading: Sendable {
        public static func color(_ color: Color) -> Shading { Shading() }
    }
}

public struct Path: Sendable {
    public init() {}
    public mutating func move(to end: CGPoint) {}
    public mutating func addLine(to end: CGPoint) {}
}

public enum ColorRenderingMode: Sendable { case nonLinear, linear, extendedLinear }

public struct Canvas<Symbols: View>: View {
    public typealias Body = Never
    public init(
        opaque: Bool = false, colorMode: ColorRenderingMode = .nonLinear, rendersAsynchronously: Bool = false,
        renderer: @escaping (inout GraphicsContext, CGSize) -> Void
    ) where Symbols == EmptyView {}
}

public struct Animation: Equatable, Sendable {
    public static let `default` = Animation()
    public static func easeOut(duration: Double) -> Animation { Animation() }
}

@MainActor public func withAnimation<Result>(
    _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result { try body() }
