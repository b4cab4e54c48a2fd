import MarketModel
import StreamCore

/// What the machine wants done, or tells, as the page reads it: a kind, some numbers, perhaps text and candles.
///
/// Subscriptions and sockets are named by their numbers; a text's length in bytes is a number of the record too.
///
/// | kind | numbers | text |
/// |---|---|---|
/// | open | socket | |
/// | send | socket | the frame |
/// | close | socket, close code | the reason |
/// | drop | socket | |
/// | token | 1 if the last one was rejected | |
/// | state | state, until, failure, its code | the failure's reason |
/// | subscribed | subscription, 1 if recovered | |
/// | snapshot | subscription, reason, candles | |
/// | tick | subscription, timestamp, price, volume | |
/// | candle | subscription, six numbers, 1 if final, revision, quality | |
/// | skipped | subscription, count | |
/// | gap | subscription | |
/// | stale | subscription, age | |
/// | fresh | subscription | |
/// | refused | subscription, length of the code | the code, then the sentence |
/// | latency | seconds | |
/// | problem | length of the code | the code, then the sentence |
/// | unknown | | the type |
/// | closing | seconds | |
/// | channelSubscribed | channel, length of the account, -1 without one | the account |
/// | channelMessage | channel, length of the account, -1 without one | the account, then the message |
/// | channelRefused | channel, length of the account, -1 without one, length of the code | the account, the code, the sentence |
enum SessionRecord: Int32 {
    case open = 1
    case send, close, drop, token
    case state, subscribed, snapshot, tick, candle, skipped, gap, stale, fresh, refused
    case latency, problem, unknown, closing
    case channelSubscribed, channelMessage, channelRefused

    /// The most numbers a record has.
    static let numberCount = 12
}

extension PageSession {
    /// Writes the machine's next action into the page's memory and answers its kind; 0 when there is none.
    func nextRecord() -> Int32 {
        while let action = machine.nextAction() {
            if let kind = write(action) { return kind.rawValue }
        }
        return 0
    }

    /// `nil` for what a page cannot do.
    private func write(_ action: SessionAction) -> SessionRecord? {
        text.fill([])
        switch action {
        case .open(let socket):
            put(socket)
            return .open
        case .send(let socket, let frame):
            put(socket)
            text.fill(frame)
            return .send
        case .ping:
            // Browsers do not let a page ping; the page's configuration asks for messages instead.
            return nil
        case .close(let socket, let code, let reason):
            put(socket)
            numbers[1] = Double(code.rawValue)
            put(reason)
            return .close
        case .drop(let socket):
            put(socket)
            return .drop
        case .fetchToken(let wasRejected):
            numbers[0] = wasRejected ? 1 : 0
            return .token
        case .emit(let event):
            return write(event)
        }
    }

    private func write(_ event: SessionEvent) -> SessionRecord? {
        switch event {
        case .state(let state):
            write(state)
            return .state
        case .stream(let subscription, let event):
            numbers[0] = Double(subscription.rawValue)
            return write(event)
        case .channel(let key, let event):
            numbers[0] = Double(key.channel.rawValue)
            numbers[1] = key.account.map { Double($0.utf8.count) } ?? -1
            return write(event, account: [UInt8]((key.account ?? "").utf8))
        case .latency(let seconds):
            numbers[0] = seconds
            return .latency
        case .problem(let code, let message):
            numbers[0] = put(code, message)
            return .problem
        case .unknownMessage(let type):
            put(type)
            return .unknown
        case .closing(let reconnectAfter):
            numbers[0] = reconnectAfter
            return .closing
        }
    }

    private func write(_ event: StreamEvent) -> SessionRecord {
        switch event {
        case .subscribed(let recovered):
            numbers[1] = recovered ? 1 : 0
            return .subscribed
        case .snapshot(let candles, let reason):
            numbers[1] = Double(reason.number)
            numbers[2] = Double(candles.count)
            rows.fill(candles.count * 6) { target in
                for index in candles.indices { candles[index].write(to: target + index * 6) }
            }
            return .snapshot
        case .tick(let tick):
            numbers[1] = tick.timestamp
            numbers[2] = tick.price
            numbers[3] = tick.volume
            return .tick
        case .candle(let bar):
            bar.candle.write(to: numbers + 1)
            numbers[7] = bar.isFinal ? 1 : 0
            numbers[8] = Double(bar.revision)
            numbers[9] = Double(bar.quality.rawValue)
            return .candle
        case .skipped(let count):
            numbers[1] = Double(count)
            return .skipped
        case .gap:
            return .gap
        case .stale(let age):
            numbers[1] = age
            return .stale
        case .fresh:
            return .fresh
        case .refused(let code, let message):
            numbers[1] = put(code, message)
            return .refused
        }
    }

    /// `nil` for what the session does not say.
    private func write(_ event: StreamChannelEvent, account: [UInt8]) -> SessionRecord? {
        switch event {
        case .subscribed:
            text.fill(account)
            return .channelSubscribed
        case .message(let message):
            text.fill(account + message.json)
            return .channelMessage
        case .skipped: return nil
        case .refused(let code, let message):
            numbers[2] = Double(code.utf8.count)
            text.fill(account + [UInt8](code.utf8) + [UInt8](message.utf8))
            return .channelRefused
        }
    }

    private func write(_ state: SessionState) {
        numbers[0] = Double(state.number)
        numbers[1] = 0
        numbers[2] = 0
        numbers[3] = 0
        if case .waiting(let until) = state { numbers[1] = until }
        guard case .failed(let failure) = state else { return }
        switch failure {
        case .closeCode(let code, let reason):
            numbers[2] = 1
            numbers[3] = Double(code.rawValue)
            put(reason)
        case .refused(let status):
            numbers[2] = 2
            numbers[3] = Double(status)
        case .unauthorized: numbers[2] = 3
        case .attemptsExhausted: numbers[2] = 4
        }
    }

    private func put(_ socket: SocketNumber) {
        numbers[0] = Double(socket.rawValue)
    }

    private func put(_ words: String) {
        text.fill([UInt8](words.utf8))
    }

    /// Two texts in a row; answers the first one's length.
    private func put(_ code: String, _ message: String) -> Double {
        let code = [UInt8](code.utf8)
        text.fill(code + [UInt8](message.utf8))
        return Double(code.count)
    }
}

extension Candle {
    /// Timestamp, open, high, low, close, volume: a row of the page.
    func write(to row: UnsafeMutablePointer<Double>) {
        row[0] = timestamp
        row[1] = open
        row[2] = high
        row[3] = low
        row[4] = close
        row[5] = volume
    }
}

extension SessionState {
    /// The number on the boundary.
    var number: Int {
        switch self {
        case .idle: 0
        case .connecting: 1
        case .authenticating: 2
        case .open: 3
        case .waiting: 4
        case .failed: 5
        case .closed: 6
        }
    }
}

extension SnapshotReason {
    /// The number on the boundary.
    var number: Int {
        switch self {
        case .first: 0
        case .reloaded: 1
        case .gap: 2
        case .resumed: 3
        case .server: 4
        case .behind: 5
        }
    }
}
