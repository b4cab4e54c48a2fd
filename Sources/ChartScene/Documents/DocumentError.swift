/// Why a document was not taken: where, what, and what would do.
public struct DocumentError: Error, Sendable, Equatable {
    /// The way to the place, UTF-8: `drawings[2].anchors[0].time`; empty at the top.
    public let place: [UInt8]
    /// What is wrong and what is allowed there, UTF-8.
    public let problem: [UInt8]

    /// One sentence, UTF-8: `drawings[2].kind: "circle" is no kind of drawing; allowed are ...`.
    public var sentence: [UInt8] {
        place.isEmpty ? problem : place + [0x3A, 0x20] + problem
    }
}
