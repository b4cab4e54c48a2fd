import StreamCore

/// One reader's outbox and what it wrote, as a transcript.
///
/// Messages are named `t3` (tick, offset 3), `f` (forming), `F` (final), `L` (late correction), `p` (replayed),
/// `S` (snapshot) and `c` (control); `-7` stands for `skipped` with the count 7.
final class OutboxReader {
    var outbox: Outbox<String>
    var written: [String] = []

    init(limits: OutboxLimits = OutboxLimits(), maxRate: Double? = nil, streams: [Int] = [1]) {
        outbox = Outbox(limits: limits)
        for stream in streams { outbox.open(stream: stream, at: 0, maxRate: maxRate) }
    }

    static func kind(_ name: String) -> OutboxKind {
        switch name.first {
        case "t": .tick
        case "f": .forming
        case "F": .final
        case "L": .correction
        case "p": .past
        case "S": .snapshot
        default: .control
        }
    }

    static func message(_ name: String, stream: Int = 1, size: Int = 10) -> OutboxMessage<String> {
        OutboxMessage(
            kind: kind(name), stream: stream, offset: Int64(name.dropFirst()) ?? 0, payload: name, size: size)
    }

    @discardableResult
    func offer(
        _ name: String, stream: Int = 1, size: Int = 10, now: Double = 0, isNewEpoch: Bool = false
    ) -> Outbox<String>.Verdict {
        let message = Self.message(name, stream: stream, size: size)
        var lines: [String] = []
        defer { written += lines }
        if isNewEpoch {
            return outbox.begin(with: message, isNewEpoch: true) { Self.note($0, $1, in: &lines) }
        }
        return outbox.offer(message, now: now) { Self.note($0, $1, in: &lines) }
    }

    func offer(_ names: [String], stream: Int = 1, now: Double = 0) {
        for name in names { offer(name, stream: stream, now: now) }
    }

    /// The network accepts `room` messages, and no more where it is given.
    func drain(now: Double = 0, room: Int = .max) {
        outbox.setWritable(true, now: now)
        var lines: [String] = []
        var left = room
        outbox.drain(now: now, canWrite: { left > 0 }) {
            Self.note($0, $1, in: &lines)
            left -= 1
        }
        written += lines
        if left == 0 { outbox.setWritable(false, now: now) }
    }

    func passThrough(first: Int64, last: Int64) -> Bool {
        outbox.passThrough(stream: 1) { after in (last, Int(first - after - 1)) }
    }

    func takesLatest() -> Bool { outbox.takesLatest(of: 1) }

    func turn(now: Double, pendingBytes: Int = 0) -> Outbox<String>.Verdict {
        outbox.turn(now: now, pendingBytes: pendingBytes)
    }

    /// The stream that needs a snapshot, and after which offset.
    func need() -> [Int]? { outbox.popSnapshotNeed().map { [$0.stream, Int($0.after)] } }

    func block(now: Double = 0) { outbox.setWritable(false, now: now) }

    private static func note(_ message: OutboxMessage<String>, _ skipped: Int, in lines: inout [String]) {
        if skipped > 0 { lines.append("-\(skipped)") }
        lines.append(message.payload)
    }
}
