import NIOCore

/// The requests and answers of one connection, as far as they say whether its client is slow or abuses the framing.
struct HTTPExchange {
    struct Limits: Sendable, Equatable {
        /// From a request's head to the end of its body.
        var bodyTime = TimeAmount.seconds(120)
        /// From the moment an answer waits for its reader until the reader has it.
        var answerTime = TimeAmount.seconds(300)
        /// The slowest that a body may come or an answer may be read, in each `window`.
        var bytesPerSecond = 240.0
        var window = TimeAmount.seconds(10)
        /// How long a connection may lie idle between requests.
        var idleTime = TimeAmount.seconds(75)
    }

    enum Flaw: Sendable {
        /// The body comes too slowly.
        case slowBody
        /// The client does not read its answer.
        case slowReader
    }

    /// What of the framing of chunks may come beside a body: 16 KiB, and eight bytes for each of the body, of which a chunk of
    /// one byte needs five.
    private static let framing = (allowance: 16 << 10, perByte: 8)

    let limits: Limits
    private var started = 0
    private var complete = 0
    private var answered = 0

    private var body: (since: NIODeadline, bytes: Int, wireAtHead: Int, rate: MinimumRate)
    private var answer: (since: NIODeadline?, written: Int, rate: MinimumRate)

    init(limits: Limits, now: NIODeadline) {
        self.limits = limits
        let rate = MinimumRate(bytesPerSecond: limits.bytesPerSecond, window: limits.window, now: now)
        body = (now, 0, 0, rate)
        answer = (nil, 0, rate)
    }

    /// Whether a request's body is not complete.
    var isReadingBody: Bool { started > complete }

    /// Whether the latest request is the connection's first.
    var isFirstRequest: Bool { started == 1 }

    /// Requests without a complete answer.
    var outstanding: Int { started - answered }

    /// Those of them that were read completely.
    var awaiting: Int { max(0, complete - answered) }

    /// - Parameter wire: bytes of the connection so far, framing included.
    mutating func readHead(wire: Int, now: NIODeadline) {
        started += 1
        body.since = now
        body.bytes = 0
        body.wireAtHead = wire
        body.rate.restart(0, now: now)
    }

    mutating func readBody(_ bytes: Int) { body.bytes += bytes }

    mutating func readEnd() { complete = started }

    /// Whether chunk extensions and the like outgrew the body that they frame.
    func hasExcessiveFraming(wire: Int) -> Bool {
        isReadingBody
            && wire - body.wireAtHead - body.bytes > Self.framing.allowance + Self.framing.perByte * body.bytes
    }

    /// Whether the answer that is written now comes before its request was read: the rest of the body would have to be read and
    /// dropped to find the next request.
    var answersEarly: Bool { outstanding > 0 && complete <= answered }

    mutating func wrote(_ bytes: Int) { answer.written += bytes }

    mutating func wroteEnd() { if outstanding > 0 { answered += 1 } }

    /// - Parameter pending: bytes of answers that the client has not taken yet.
    mutating func check(pending: Int, now: NIODeadline) -> Flaw? {
        let taken = answer.written - pending
        if pending > 0 {
            if let since = answer.since {
                if now - since > limits.answerTime || answer.rate.isTooSlow(taken, now: now) { return .slowReader }
            } else {
                answer.since = now
                answer.rate.restart(taken, now: now)
            }
        } else {
            answer.since = nil
        }
        guard isReadingBody else { return nil }
        // The body of a later request waits for the answer to the one before.
        guard outstanding == 1 else {
            body.since = now
            body.rate.restart(body.bytes, now: now)
            return nil
        }
        return now - body.since > limits.bodyTime || body.rate.isTooSlow(body.bytes, now: now) ? .slowBody : nil
    }
}
