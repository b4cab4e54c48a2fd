import StreamCore

/// How far one symbol's ticks have been read: from one of its streams, by that stream's offsets.
///
/// A server sends a symbol's ticks in every timeframe that is subscribed. The stream of the first tick counts; the others
/// repeat it.
struct CandlewireProgress: Sendable {
    enum Outcome: Equatable {
        /// New; so many messages before it did not come.
        case new(missing: Int64)
        case duplicate
        /// Of another stream.
        case repeated
    }

    private let timeframe: [UInt8]?
    private var last: Int64?
    /// Left out since the last message, as the server said.
    private var skipped: Int64 = 0

    init(timeframe: JSONText?, offset: Int64?) {
        self.timeframe = timeframe.map { [UInt8]($0.raw) }
        last = offset
    }

    private func isMine(_ other: JSONText?) -> Bool {
        guard let timeframe, let other else { return timeframe == nil && other == nil }
        return timeframe.count == other.raw.count && zip(timeframe, other.raw).allSatisfy { $0 == $1 }
    }

    /// Takes a tick's or a candle's offset; without offsets everything is new.
    mutating func take(_ timeframe: JSONText?, offset: Int64?) -> Outcome {
        guard isMine(timeframe) else { return .repeated }
        guard let offset else { return .new(missing: 0) }
        guard let last else {
            self.last = offset
            return .new(missing: 0)
        }
        guard offset > last else { return .duplicate }
        // What was left out on purpose was told, and counted then.
        let missing = max(0, offset - last - 1 - skipped)
        skipped = 0
        self.last = offset
        return .new(missing: missing)
    }

    /// The stream goes on from here: a snapshot stands for what was before.
    mutating func move(_ timeframe: JSONText?, to offset: Int64) {
        guard isMine(timeframe) else { return }
        last = offset
        skipped = 0
    }

    /// - Returns: whether it is about this stream.
    mutating func skip(_ timeframe: JSONText?, _ count: Int) -> Bool {
        // What a hostile count could overflow is no count, as in a client's session.
        guard isMine(timeframe), count > 0, count < 1 << 30 else { return false }
        skipped = min(skipped + Int64(count), 1 << 53)
        return true
    }
}
