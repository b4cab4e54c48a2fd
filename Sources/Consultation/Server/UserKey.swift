/// A user's name as it is compared everywhere: byte by byte, as the store does it.
///
/// Swift takes texts for equal that look the same, an "é" of one scalar and one of two. A login service that knows both as
/// two people would have them share their conversations.
public struct UserKey: Hashable, Sendable {
    private let name: String

    public init(_ name: String) { self.name = name }

    public static func == (one: UserKey, other: UserKey) -> Bool { one.name.utf8.elementsEqual(other.name.utf8) }

    public func hash(into hasher: inout Hasher) {
        var name = name
        name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
