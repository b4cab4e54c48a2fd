/// What was published for the readers of one event loop, until that loop collects it.
///
/// The publisher posts at any time; the loop collects everything at once when it has time. So a quiet loop gets each
/// message by itself, and a busy one gets many together. Messages of a stream, and events between them, stay in the order
/// in which they were posted.
///
/// A loop that does not collect must not fill the memory: beyond `conflationBytes` each stream keeps its final candles, its
/// latest tick and its latest forming candle, and beyond `byteLimit` nothing: its readers need a snapshot.
public struct Mailbox<Payload, Event> {
    public typealias Message = OutboxMessage<Payload>

    public enum Item {
        /// Messages of one stream with ascending offsets. `epoch` numbers the epochs of all streams.
        case messages(epoch: Int, [Message])
        /// Messages of a stream up to this offset were given up, and not only ticks.
        case lost(epoch: Int, stream: Int, through: Int64)
        case event(Event)
    }

    public struct Collection {
        public var items: [Item] = []
        /// When the oldest message was made; infinity where there is none.
        public var madeFrom = Double.infinity

        public init() {}
    }

    public let conflationBytes: Int
    public let byteLimit: Int
    /// Bytes of the messages that wait.
    public private(set) var bytes = 0
    private var waiting = Collection()
    /// Bytes at which streams are conflated again: what is kept is not looked through for each message.
    private var nextConflation: Int
    private let detach: @Sendable (Payload) -> Payload

    /// - Parameter detach: makes a payload independent of memory that it shares with payloads that are dropped.
    public init(
        conflationBytes: Int = 4 << 20, byteLimit: Int = 16 << 20,
        detach: @escaping @Sendable (Payload) -> Payload = { $0 }
    ) {
        self.conflationBytes = conflationBytes
        self.byteLimit = byteLimit
        self.detach = detach
        nextConflation = conflationBytes
    }

    public var isEmpty: Bool { waiting.items.isEmpty }

    /// - Parameters:
    ///   - messages: of one stream, with ascending offsets that follow those posted before.
    ///   - madeAt: when the first of them was made, in seconds.
    public mutating func post(_ messages: [Message], epoch: Int, madeAt: Double) {
        waiting.items.append(.messages(epoch: epoch, messages))
        waiting.madeFrom = min(waiting.madeFrom, madeAt)
        for message in messages { bytes += message.size }
        if bytes > nextConflation { shorten() }
    }

    /// What the loop does with an event comes after all messages posted before, and before those posted after.
    public mutating func post(_ event: Event) { waiting.items.append(.event(event)) }

    /// Everything that was posted since the last call.
    public mutating func collect() -> Collection {
        let collected = waiting
        waiting = Collection()
        bytes = 0
        nextConflation = conflationBytes
        return collected
    }

    // MARK: A loop that does not collect

    private mutating func shorten() {
        joinMessages()
        for index in waiting.items.indices {
            guard case .messages(let epoch, let messages) = waiting.items[index] else { continue }
            let latest = Conflation(messages).latest(of: messages).map { message in
                var message = message
                message.payload = detach(message.payload)
                return message
            }
            waiting.items[index] = .messages(epoch: epoch, latest)
        }
        count()
        if bytes > byteLimit {
            for index in waiting.items.indices {
                guard case .messages(let epoch, let messages) = waiting.items[index], let last = messages.last else {
                    continue
                }
                waiting.items[index] = .lost(epoch: epoch, stream: last.stream, through: last.offset)
            }
            count()
        }
        nextConflation = max(conflationBytes, 2 * bytes)
    }

    private mutating func count() {
        bytes = 0
        for case .messages(_, let messages) in waiting.items { for message in messages { bytes += message.size } }
    }

    /// Makes one item of the messages of each stream that no event separates.
    private mutating func joinMessages() {
        var joined: [(item: Item, messages: [Message])] = []
        /// Where the messages of a stream are in `joined`, since the last event.
        var places: [Int: Int] = [:]
        for item in waiting.items {
            switch item {
            case .messages(let epoch, let messages):
                if let place = places[epoch] {
                    joined[place].messages += messages
                } else {
                    places[epoch] = joined.count
                    joined.append((item, messages))
                }
            case .lost, .event:
                // What follows of any stream must not come before it.
                places = [:]
                joined.append((item, []))
            }
        }
        waiting.items = joined.map { item, messages in
            if case .messages(let epoch, _) = item { .messages(epoch: epoch, messages) } else { item }
        }
    }
}

extension Mailbox: Sendable where Payload: Sendable, Event: Sendable {}
extension Mailbox.Item: Sendable where Payload: Sendable, Event: Sendable {}
extension Mailbox.Collection: Sendable where Payload: Sendable, Event: Sendable {}
