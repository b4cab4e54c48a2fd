import NIOCore

/// What a connection still has to send, in two lanes: control frames, and ahead of them nothing but a frame that has
/// begun already; data frames behind. Both lanes hold whole frames. Whatever was begun on the socket belongs to the
/// channel, which ends it (see `pump`), so the lanes may be cut, joined by a control frame or dropped between any two
/// frames.
struct OutboundQueue {
    struct Piece {
        var bytes: ByteBuffer
        var promise: EventLoopPromise<Void>?
        /// Large payloads lie behind their head in a piece of their own; nothing may come between the two.
        var endsFrame = true
    }

    /// Bytes in both lanes.
    private(set) var byteCount = 0
    private var control: [Piece] = []
    private var data: [Piece] = []
    /// Where the lanes begin: what is before was sent, and is removed with the last one.
    private var controlStart = 0
    private var dataStart = 0

    /// Lanes that grew over this many pieces give their memory back when they are empty.
    private static let keptCapacity = 16

    var isEmpty: Bool { controlStart == control.count && dataStart == data.count }

    mutating func append(_ piece: Piece, isControl: Bool) {
        byteCount += piece.bytes.readableBytes
        if isControl { control.append(piece) } else { data.append(piece) }
    }

    /// The piece to be sent next; the queue must not be empty.
    var first: Piece { controlStart < control.count ? control[controlStart] : data[dataStart] }

    mutating func removeFirst() -> Piece {
        let isControl = controlStart < control.count
        let piece = isControl ? Self.popFirst(&control, &controlStart) : Self.popFirst(&data, &dataStart)
        byteCount -= piece.bytes.readableBytes
        return piece
    }

    private static func popFirst(_ lane: inout [Piece], _ start: inout Int) -> Piece {
        let piece = lane[start]
        start += 1
        if start == lane.count {
            lane.removeAll(keepingCapacity: lane.capacity <= keptCapacity)
            start = 0
        } else {
            // Not to hold a buffer that others could reuse.
            lane[start - 1].bytes = emptyBuffer
            lane[start - 1].promise = nil
            // A queue that never runs dry must not grow for ever.
            if start >= 256, start * 2 > lane.count {
                lane.removeFirst(start)
                start = 0
            }
        }
        return piece
    }

    private static let emptyBuffer = ByteBuffer()

    /// Calls `body` with the pieces in the order in which they are to be sent, until it returns false.
    func forEach(_ body: (Piece) -> Bool) {
        for index in controlStart..<control.count where !body(control[index]) { return }
        for index in dataStart..<data.count where !body(data[index]) { return }
    }

    /// Empties both lanes.
    /// - Returns: the promises of what was in them, to be failed.
    mutating func removeAll() -> [EventLoopPromise<Void>] {
        let promises = control[controlStart...].compactMap(\.promise) + data[dataStart...].compactMap(\.promise)
        self = OutboundQueue()
        return promises
    }
}
