@MainActor @preconcurrency public protocol Gesture<Value> {
    associatedtype Value
}

#if !os(tvOS)
    public struct DragGesture: Gesture {
        public struct Value: Equatable, Sendable {
            public var startLocation: CGPoint { fatalError() }
            public var location: CGPoint { fatalError() }
            public var translation: CGSize { fatalError() }
            public var predictedEndTranslation: CGSize { fatalError() }
        }
        public init(minimumDistance: CGFloat = 10) {}
    }

    public struct MagnifyGesture: Gesture {
        public struct Value: Equatable, Sendable {
            public var magnification: CGFloat { fatalError() }
            public var startLocation: CGPoint { fatalError() }
        }
        public init(minimumScaleDelta: CGFloat = 0.01) {}
    }

    public enum HoverPhase: Equatable, Sendable {
        case active(CGPoint)
        case ended
    }
#endif

public struct ChangedGesture<Content: Gesture>: Gesture {
    public typealias Value = Content.Value
}

extension Gesture {
    public func onChanged(_ action: @escaping (Value) -> Void) -> ChangedGesture<Self> where Value: Equatable {
        fatalError()
    }
    public func onEnded(_ action: @escaping (Value) -> Void) -> ChangedGesture<Self> { fatalError() }
}

extension View {
    #if !os(tvOS)
        public func gesture<T: Gesture>(_ gesture: T) -> some View { self }
        public func simultaneousGesture<T: Gesture>(_ gesture: T) -> some View { self }
        public func onContinuousHover(perform action: @escaping (HoverPhase) -> Void) -> some View { self }
        public func onTapGesture(count: Int = 1, perform action: @escaping (CGPoint) -> Void) -> some View { self }
        public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View { self }
        public func onKeyPress(_ key: KeyEquivalent, action: @escaping () -> KeyPress.Result) -> some View { self }
    #endif
    #if os(macOS) || os(tvOS)
        public func onMoveCommand(perform action: ((MoveCommandDirection) -> Void)?) -> some View { self }
        public func onExitCommand(perform action: (() -> Void)?) -> some View { self }
    #endif
    #if os(tvOS)
        public func onPlayPauseCommand(perform action: (() -> Void)?) -> some View { self }
    #endif
    public func focusable(_ isFocusable: Bool = true) -> some View { self }
    public func focused(_ condition: FocusState<Bool>.Binding) -> some View { self }
}

#if os(macOS) || os(tvOS)
    public enum MoveCommandDirection: Sendable { case up, down, left, right }
#endif

#if !os(tvOS)
    public struct KeyPress: Sendable {
        public enum Result: Sendable { case handled, ignored }
    }

    public struct KeyEquivalent: Sendable {
        public static let leftArrow = KeyEquivalent()
        public static let rightArrow = KeyEquivalent()
        public static let space = KeyEquivalent()
        public static let `return` = KeyEquivalent()
    }
#endif
