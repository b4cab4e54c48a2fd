/// A picture as a value: drawing commands in one flat buffer of 32-bit words.
///
/// A painter (canvas, Cairo, CoreGraphics) replays the words in order and knows nothing about charts. The first word of
/// each command is `opcode | totalWords << 8`; coordinates are `Float` bit patterns in **device pixels**, the origin at
/// the top left; colours are `0xRRGGBBAA`. `DisplayOpcode` lists the commands and their operands. The same inputs give
/// the same words on every platform, so two pictures are compared with `==` and sent without a codec.
///
/// The buffer is meant to be kept between frames: `removeAll()` keeps its storage, so drawing a scene of a size that
/// was drawn before allocates nothing.
public struct DisplayList: Sendable, Equatable {
    /// The encoded commands.
    public internal(set) var words: [UInt32]

    /// Where the command being written starts; -1 between commands.
    var openCommand = -1

    public init() { words = [] }

    /// A list from words that were encoded elsewhere, for instance read back from WebAssembly. Nothing is checked
    /// here: `commands` stops at the first word that is not a command.
    public init(words: [UInt32]) { self.words = words }

    /// Empties the list and keeps its storage.
    public mutating func removeAll() {
        words.removeAll(keepingCapacity: true)
        openCommand = -1
    }

    /// Puts the commands of another list after its own.
    public mutating func append(_ other: DisplayList) { words.append(contentsOf: other.words) }
    public static func == (a: DisplayList, b: DisplayList) -> Bool { a.words == b.words }
}

/// The commands of a `DisplayList`, with their operands after the header word.
public enum DisplayOpcode: UInt32, Sendable, CaseIterable {
    /// colour, then n × (x, y, width, height)
    case fillRects = 1
    /// colour, line width, dash on, dash off (0, 0: solid), then n × (x1, y1, x2, y2)
    case segments = 2
    /// colour, line width, dash on, dash off, then n × (x, y)
    case polyline = 3
    /// colour, then n × (x, y)
    case fillPolygon = 4
    /// colour, x, y, width, height, corner radius; filled
    case roundRect = 5
    /// colour, x, y (the vertical middle of the line), size in pixels, align (0 left, 1 centre, 2 right) | weight << 8
    /// (0 normal, 1 bold), byte count, UTF-8 padded with zeros to a word
    case text = 6
    /// x, y, width, height; replaces the clip
    case clip = 7
    /// no operands; ends the clip
    case unclip = 8
}

/// Where a text's `x` lies in it.
public enum TextAlignment: UInt32, Sendable {
    case left = 0
    case centre = 1
    case right = 2
}
