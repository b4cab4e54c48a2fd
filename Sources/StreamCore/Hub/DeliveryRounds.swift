/// The streams of one event loop, who reads them, and whose turn it is to get what is new.
///
/// Readers have their turns in rounds, and each gets everything that it lacks at its turn, in one write: what comes while a
/// round is on its way reaches the readers behind at once, and those before in the next round. So nothing waits longer than a
/// round, and the busier the loop, the more messages share a write. Each stream's messages are joined once for all readers
/// that lack the same ones.
///
/// Where messages have waited longer than `maxAge`, the loop cannot carry them all, and `conflate` drops what newer messages
/// of the same stream replace; final candles stay. A reader is told how many messages it did not get.
public struct DeliveryRounds<Payload> {
    public typealias Message = OutboxMessage<Payload>

    /// All that a reader lacks of a stream, for one write.
    public struct Run {
        /// The messages, with announcements of those that were left out between them.
        public var payload: Payload
        /// The reader's position after it.
        public var last: Int64
        public var messages: Int
        /// Messages that were left out, and are announced.
        public var skipped: Int

        @usableFromInline init(_ payload: Payload, last: Int64, messages: Int, skipped: Int) {
            self.payload = payload
            self.last = last
            self.messages = messages
            self.skipped = skipped
        }
    }

    public enum Step: Equatable {
        /// It is this reader's turn.
        case reader(Int)
        /// Every reader has what was there when the round began, the oldest of it made at this time.
        case endOfRound(madeFrom: Double)
        /// Nobody lacks anything.
        case idle
    }

    @usableFromInline struct Stream {
        @usableFromInline var epoch: Int
        @usableFromInline var readers: [Int] = []
        /// Those that not every reader has, by offset.
        @usableFromInline var messages: [Message] = []
        /// How many of them were there when the round began: at its end every reader has them.
        @usableFromInline var older = 0
        /// The messages up to this one were given up on their way here.
        @usableFromInline var lostThrough = Int64.min
        @usableFromInline var isLossOlder = false
        /// What was made last, for the readers at the same position.
        @usableFromInline var run: (after: Int64, run: Run)?
        @usableFromInline var latest: (after: Int64, messages: [Message], missing: Int)?

        init(epoch: Int) { self.epoch = epoch }

        @inlinable var isSettled: Bool { messages.isEmpty && lostThrough == .min }
    }

    /// A reader that waits for its turn, and when the first message was made that it lacks.
    @usableFromInline struct Turn {
        @usableFromInline var reader: Int
        @usableFromInline var since: Double

        @usableFromInline init(_ reader: Int, since: Double) {
            self.reader = reader
            self.since = since
        }
    }

    /// Seconds that a message may wait before newer ones replace it.
    public let maxAge: Double
    /// Deliveries that conflation must save: where it is hardly any work to deliver all, it would lose messages for nothing.
    public let minSaving: Int
    /// Streams with readers, each in a place that it keeps, and empty ones.
    @usableFromInline var streams: [Stream] = []
    /// Where the stream of an epoch is.
    @usableFromInline var places: [Int: Int] = [:]
    private var freePlaces: [Int] = []
    /// Places of streams that have messages.
    @usableFromInline var unsettled: [Int] = []
    /// By reader: whether it waits for its turn.
    @usableFromInline var isDue: [Bool] = []
    private var freeReaders: [Int] = []
    @usableFromInline var round: [Turn] = []
    @usableFromInline var nextInRound = 0
    @usableFromInline var nextRound: [Turn] = []
    private var conflatedAt = -Double.infinity
    /// Rounds in which a reader may lack messages that were given up.
    @usableFromInline var roundsWithLosses = 0

    /// - Parameter maxAge: by default a few rounds over a thousand readers: a message that is older misses its round.
    public init(maxAge: Double = 0.04, minSaving: Int) {
        self.maxAge = maxAge
        self.minSaving = minSaving
    }

    // MARK: Readers

    /// Adds a reader of no stream yet; its number may have been another's that is gone.
    public mutating func addReader() -> Int {
        if let reader = freeReaders.popLast() { return reader }
        isDue.append(false)
        return isDue.count - 1
    }

    /// The reader must have left all its streams.
    public mutating func removeReader(_ reader: Int) { freeReaders.append(reader) }

    /// The reader gets the stream's messages that are posted from now on.
    /// - Returns: where they are found, until the reader leaves.
    public mutating func join(_ reader: Int, epoch: Int) -> Int {
        let place = places[epoch] ?? freePlaces.popLast() ?? streams.count
        if place == streams.count { streams.append(Stream(epoch: epoch)) }
        streams[place].epoch = epoch
        streams[place].readers.append(reader)
        places[epoch] = place
        return place
    }

    public mutating func leave(_ reader: Int, place: Int) {
        streams[place].readers.removeAll { $0 == reader }
        guard streams[place].readers.isEmpty else { return }
        places[streams[place].epoch] = nil
        streams[place].forget(everything: true)
        freePlaces.append(place)
        unsettled.removeAll { $0 == place }
    }

    // MARK: Messages

    /// - Parameters:
    ///   - messages: of one stream, with ascending offsets that follow those posted before.
    ///   - madeFrom: when the first of them was made; not before the first of those posted earlier.
    @inlinable public mutating func post(_ messages: [Message], epoch: Int, madeFrom: Double) {
        guard let place = places[epoch] else { return }
        if streams[place].isSettled { unsettled.append(place) }
        streams[place].add(messages)
        makeDue(streams[place].readers, madeFrom)
    }

    /// The stream's messages up to this one were given up, and not only ticks.
    public mutating func lose(epoch: Int, through offset: Int64, madeFrom: Double) {
        guard let place = places[epoch] else { return }
        if streams[place].isSettled { unsettled.append(place) }
        streams[place].lostThrough = offset
        streams[place].isLossOlder = false
        roundsWithLosses = 2
        makeDue(streams[place].readers, madeFrom)
    }

    @inlinable mutating func makeDue(_ readers: [Int], _ madeFrom: Double) {
        for reader in readers where !isDue[reader] {
            isDue[reader] = true
            nextRound.append(Turn(reader, since: madeFrom))
        }
    }

    /// Drops what newer messages replace, where messages have waited too long and that saves enough.
    /// - Returns: whether it did.
    @discardableResult public mutating func conflate(now: Double) -> Bool {
        // Whoever is next waits longest. Where the rest was dropped before, it waits for nothing older.
        let turn = nextInRound < round.count ? round[nextInRound] : nextRound.first
        guard let turn, now - max(turn.since, conflatedAt) > maxAge else { return false }
        var saving = 0
        for place in unsettled {
            saving += Conflation(streams[place].messages).count * streams[place].readers.count
        }
        guard saving >= minSaving else { return false }
        for place in unsettled { streams[place].conflate() }
        conflatedAt = now
        return true
    }

    // MARK: Turns

    /// Whose turn it is; its turn is over with this call.
    @inlinable public mutating func next() -> Step {
        while nextInRound < round.count {
            let reader = round[nextInRound].reader
            nextInRound += 1
            if isDue[reader] {
                isDue[reader] = false
                return .reader(reader)
            }
        }
        if let first = round.first {
            round.removeAll(keepingCapacity: true)
            nextInRound = 0
            return .endOfRound(madeFrom: first.since)
        }
        guard beginRound() else { return .idle }
        return next()
    }

    /// - Returns: false where nobody waits.
    @inlinable mutating func beginRound() -> Bool {
        let isOver = nextRound.isEmpty
        roundsWithLosses = isOver ? 0 : max(0, roundsWithLosses - 1)
        var left = 0
        for index in unsettled.indices {
            let place = unsettled[index]
            streams[place].forget(everything: isOver)
            guard !streams[place].isSettled else { continue }
            unsettled[left] = place
            left += 1
        }
        unsettled.removeLast(unsettled.count - left)
        swap(&round, &nextRound)
        return !isOver
    }

    // MARK: What a reader lacks

    /// What a reader of a stream lacks.
    /// - Parameters:
    ///   - place: the stream's.
    ///   - position: the last message that it got or was offered.
    ///   - join: makes one payload of messages, of which some before or between may have been left out.
    /// - Returns: `nil` where it lacks nothing, or messages were given up (`loss`).
    @inlinable public mutating func run(
        place: Int, after position: Int64, join: (_ messages: ArraySlice<Message>, _ skipped: Int) -> Payload
    ) -> Run? {
        if let made = streams[place].run, made.after == position { return made.run }
        let messages = streams[place].messages(after: position)
        guard let last = messages.last, streams[place].lostThrough <= position else { return nil }
        let skipped = Int(clamping: last.offset - position) - messages.count
        let run = Run(join(messages, skipped), last: last.offset, messages: messages.count, skipped: skipped)
        streams[place].run = (position, run)
        return run
    }

    /// The same without what newer messages replace, for a reader to which the rest cannot matter.
    /// - Returns: also how many messages are missing that were dropped here; `nil` where it lacks nothing.
    @inlinable public mutating func latest(
        place: Int, after position: Int64
    ) -> (messages: [Message], missing: Int)? {
        if let made = streams[place].latest, made.after == position { return (made.messages, made.missing) }
        let all = Array(streams[place].messages(after: position))
        guard let last = all.last else { return nil }
        let missing = Int(clamping: last.offset - position) - all.count
        let messages = Self.latest(of: all)
        streams[place].latest = (position, messages, missing)
        return (messages, missing)
    }

    @usableFromInline static func latest(of messages: [Message]) -> [Message] {
        Conflation(messages).latest(of: messages)
    }

    /// The same one by one, for a reader that cannot get a run.
    public func messages(place: Int, after position: Int64) -> ArraySlice<Message> {
        streams[place].messages(after: position)
    }

    /// Whether messages were given up, and readers may not know it.
    public var hasLosses: Bool { roundsWithLosses > 0 }

    /// The last message that was given up, where a reader at this position lacks it.
    public func loss(place: Int, after position: Int64) -> Int64? {
        let lost = streams[place].lostThrough
        return lost > position ? lost : nil
    }
}

extension DeliveryRounds.Stream {
    /// - Complexity: O(log n); of what is usual, O(1).
    @inlinable func messages(after position: Int64) -> ArraySlice<OutboxMessage<Payload>> {
        guard let first = messages.first, let last = messages.last, last.offset > position else { return [] }
        if first.offset > position { return messages[...] }
        var (low, high) = (0, messages.count - 1)
        // The first one behind the position lies in `low + 1...high`.
        while high - low > 1 {
            let middle = (low + high) / 2
            if messages[middle].offset > position { high = middle } else { low = middle }
        }
        return messages[high...]
    }

    @inlinable mutating func changed() {
        run = nil
        latest = nil
    }

    @inlinable mutating func add(_ more: [OutboxMessage<Payload>]) {
        changed()
        // The usual case shares the publisher's memory with the other loops.
        if messages.isEmpty { messages = more } else { messages += more }
    }

    mutating func conflate() {
        let kept = Conflation(messages).latest(of: messages)
        guard kept.count < messages.count else { return }
        if older > 0 {
            let lastOlder = messages[older - 1].offset
            older = kept.count { $0.offset <= lastOlder }
        }
        messages = kept
        changed()
    }

    /// At the end of a round: forgets what every reader has.
    @inlinable mutating func forget(everything: Bool) {
        changed()
        if everything {
            messages = []
            lostThrough = .min
        } else {
            messages.removeFirst(older)
            if isLossOlder { lostThrough = .min }
        }
        older = messages.count
        isLossOlder = true
    }
}
