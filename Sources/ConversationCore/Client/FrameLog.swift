internal import StreamCore

/// The last frames of a connection, for a developer who looks for a fault. Tokens are never in it.
public struct FrameLog: Sendable, Equatable {
    public struct Line: Sendable, Equatable {
        public var time: Double
        public var isSent: Bool
        /// Bytes of the frame.
        public var bytes: Int
        /// The frame, cut after 200 characters.
        public var text: String
    }

    public var limit: Int { didSet { if lines.count > limit { lines.removeFirst(lines.count - max(0, limit)) } } }
    public private(set) var lines: [Line] = []

    init(limit: Int) {
        self.limit = max(0, limit)
    }

    mutating func add(_ frame: UnsafeRawBufferPointer, isSent: Bool, now: Double) {
        guard limit > 0 else { return }
        let text = Array(String(utf8: UnsafeRawBufferPointer(rebasing: frame.prefix(1024))).utf8)
        var characters = 0
        let end = text.firstIndex { byte in
            if byte & 0xC0 != 0x80 { characters += 1 }
            return characters > 200
        }
        let shown = text.withUnsafeBytes { String(utf8: UnsafeRawBufferPointer(rebasing: $0[..<(end ?? $0.count)])) }
        add(Line(time: now, isSent: isSent, bytes: frame.count, text: shown))
    }

    /// Logs a frame with a secret by its size alone.
    mutating func addHidden(bytes: Int, _ what: String, now: Double) {
        guard limit > 0 else { return }
        add(Line(time: now, isSent: true, bytes: bytes, text: what))
    }

    private mutating func add(_ line: Line) {
        if lines.count >= limit { lines.removeFirst() }
        lines.append(line)
    }
}
