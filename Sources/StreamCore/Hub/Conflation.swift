/// Which of a stream's messages newer ones replace: all ticks and forming candles but the latest of each, and those too where
/// a final candle came after them, which contains them. The last message is never replaced.
struct Conflation {
    /// Index of the tick and of the forming candle that no newer message replaces; -1 where there is none.
    private var tick = -1
    private var forming = -1
    /// Messages that newer ones replace.
    private(set) var count = 0

    /// - Parameter messages: of one stream, oldest first.
    init<Payload>(_ messages: [OutboxMessage<Payload>]) {
        for index in messages.indices {
            switch messages[index].kind {
            case .tick:
                if tick >= 0 { count += 1 }
                tick = index
            case .forming:
                if forming >= 0 { count += 1 }
                forming = index
            case .final:
                count += (tick >= 0 ? 1 : 0) + (forming >= 0 ? 1 : 0)
                (tick, forming) = (-1, -1)
            case .control, .past, .snapshot, .correction: break
            }
        }
    }

    private func replaces(_ index: Int, _ kind: OutboxKind) -> Bool {
        switch kind {
        case .tick: index != tick
        case .forming: index != forming
        case .control, .past, .snapshot, .final, .correction: false
        }
    }

    /// The messages that no newer one replaces.
    func latest<Payload>(of messages: [OutboxMessage<Payload>]) -> [OutboxMessage<Payload>] {
        guard count > 0 else { return messages }
        var latest: [OutboxMessage<Payload>] = []
        latest.reserveCapacity(messages.count - count)
        for index in messages.indices where !replaces(index, messages[index].kind) { latest.append(messages[index]) }
        return latest
    }
}
