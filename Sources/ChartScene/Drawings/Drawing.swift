/// A place on the chart that does not depend on zoom, timeframe or which bars are loaded.
public struct DrawingAnchor: Sendable, Equatable {
    /// Seconds since 1970 UTC; also between bars, and where no bar is yet.
    public var time: Double
    public var price: Double

    public init(time: Double, price: Double) {
        self.time = time
        self.price = price
    }

    /// In the years 1970 to 9999, and a price that can be computed with.
    public var isValid: Bool { time >= 0 && time <= Calendar.latest && price.magnitude <= 1e15 }
}

/// One drawing: what it is, where, and what it looks like.
public struct Drawing: Sendable, Equatable {
    /// Its number on the board, from 1. Never given twice, so that it means the same drawing after an undo.
    public internal(set) var id: Int
    public let kind: DrawingKind
    /// As many as the kind has.
    public internal(set) var anchors: [DrawingAnchor]
    public internal(set) var style: DrawingStyle
    /// UTF-8 without control characters, at most 200 bytes: what a text says, a line's label.
    public internal(set) var text: [UInt8]
    /// Drawn, but neither moved nor changed by a pointer.
    public internal(set) var isLocked: Bool
    /// Neither drawn nor hit.
    public internal(set) var isHidden: Bool

    /// - Returns: `nil` where the anchors are too few, too many or no valid places.
    public init?(
        _ kind: DrawingKind, _ anchors: [DrawingAnchor], style: DrawingStyle = DrawingStyle(),
        text: some Sequence<UInt8> = [UInt8](), isLocked: Bool = false, isHidden: Bool = false
    ) {
        guard anchors.count == kind.anchorCount, anchors.allSatisfy({ $0.isValid }) else { return nil }
        id = 0
        self.kind = kind
        self.anchors = anchors
        self.style = style
        self.text = Drawing.cleaned(text)
        self.isLocked = isLocked
        self.isHidden = isHidden
    }

    public static let maxTextLength = 200

    /// Without control characters, cut before a character where it is too long.
    static func cleaned(_ text: some Sequence<UInt8>) -> [UInt8] {
        cut(text.lazy.filter { $0 >= 0x20 && $0 != 0x7F }, maxLength: maxTextLength)
    }
}

/// UTF-8 of at most `maxLength` bytes; what is longer is cut before a character.
func cut(_ utf8: some Sequence<UInt8>, maxLength: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for byte in utf8 {
        // A byte that starts a character is the place to cut: the longest one has four.
        if bytes.count == maxLength || bytes.count > maxLength - 4 && byte & 0xC0 != 0x80 { break }
        bytes.append(byte)
    }
    return bytes
}
