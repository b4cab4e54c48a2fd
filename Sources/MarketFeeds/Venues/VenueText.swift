public import StreamCore

/// A message as it came.
package typealias Bytes = UnsafeRawBufferPointer

/// A piece of a message: where it starts, and how long it is. It means something together with the message's bytes only,
/// and can be kept as long as those are; nothing is copied.
public struct VenueText: Sendable, Equatable {
    /// Where it starts in the lower half; in the upper half twice the number of bytes, plus one where there are escapes among
    /// them. One word, because two that are written apart and then copied at once cost a wait.
    private let bits: UInt64

    private var start: Int { Int(UInt32(truncatingIfNeeded: bits)) }
    private var hasEscapes: Bool { bits &>> 32 & 1 == 1 }

    /// No text.
    public static let none = VenueText(start: 0, count: 0)

    init(start: Int, count: Int, hasEscapes: Bool = false) {
        let length = count &* 2 &+ (hasEscapes ? 1 : 0)
        bits = UInt64(UInt32(truncatingIfNeeded: start)) | UInt64(UInt32(truncatingIfNeeded: length)) &<< 32
    }

    /// - Parameter base: the first byte of the message that `text` is a part of.
    @inline(__always)
    init(_ text: JSONText, from base: UnsafeRawPointer) { self.init(text.raw, from: base, hasEscapes: text.hasEscapes) }

    @inline(__always)
    init(_ raw: Bytes, from base: UnsafeRawPointer, hasEscapes: Bool = false) {
        let address = raw.baseAddress ?? base
        self.init(start: address - base, count: raw.count, hasEscapes: hasEscapes)
    }

    public var isEmpty: Bool { bits &>> 32 == 0 }
    var count: Int { Int(truncatingIfNeeded: bits &>> 33) }

    /// The text itself.
    /// - Parameter message: the bytes it was read from; of others, it is whatever stands at its place.
    public func read(in message: UnsafeRawBufferPointer) -> JSONText {
        let first = min(start, message.count)
        let last = min(first + count, message.count)
        return JSONText(raw: UnsafeRawBufferPointer(rebasing: message[first..<last]), hasEscapes: hasEscapes)
    }

    /// Without its first bytes: `-0.5` becomes `0.5`.
    func dropFirst(_ bytes: Int) -> VenueText {
        let dropped = min(bytes, count)
        return VenueText(start: start + dropped, count: count - dropped, hasEscapes: hasEscapes)
    }
}
