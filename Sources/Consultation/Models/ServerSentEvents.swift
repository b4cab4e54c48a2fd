/// Splits a stream of server-sent events, in whatever pieces it comes (WHATWG HTML, section 9.2.6).
///
/// Only `data` is of interest here; `event`, `id`, `retry` and comments are passed over.
public struct ServerSentEvents: Sendable {
    /// Bytes of one event; a server that sends more is not to be believed.
    public let limit: Int
    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    private var endedWithReturn = false
    private var isAtStart = true
    /// An event was larger than `limit`; nothing more comes out.
    public private(set) var isOverflown = false

    public init(limit: Int = 1 << 20) {
        self.limit = limit
    }

    /// Reads the next bytes.
    /// - Returns: the data of the events that they complete.
    public mutating func feed(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var events: [[UInt8]] = []
        for byte in bytes where !isOverflown {
            switch byte {
            case 0x0A where endedWithReturn: endedWithReturn = false
            case 0x0A, 0x0D:
                endedWithReturn = byte == 0x0D
                endLine(&events)
            default:
                endedWithReturn = false
                line.append(byte)
                isOverflown = line.count + data.count > limit
            }
        }
        return events
    }

    private mutating func endLine(_ events: inout [[UInt8]]) {
        defer { line.removeAll(keepingCapacity: true) }
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        guard !line.isEmpty else {
            // The end of an event.
            if hasData { events.append(data) }
            data = []
            hasData = false
            return
        }
        let name = Array("data".utf8)
        guard line.starts(with: name), line.count == 4 || line[4] == 0x3A else { return }
        var value = line.dropFirst(5)
        if value.first == 0x20 { value = value.dropFirst() }
        if hasData { data.append(0x0A) }
        data += value
        hasData = true
    }
}
