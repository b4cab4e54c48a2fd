import MarketModel
import StreamCore

/// Records for the page, one after the other: the kind's number, then the record's fields. Their texts are bytes in a row
/// of their own.
struct SessionOutbox: ~Copyable {
    private(set) var records = PageBuffer<Double>(capacity: 256)
    private(set) var texts = PageBuffer<UInt8>(capacity: 4096)

    mutating func removeAll() {
        records.removeAll()
        texts.removeAll()
    }

    mutating func put(_ action: SessionAction) {
        switch action {
        case .open(let socket): put(.open, SessionRecords.Open(socket: number(socket)))
        case .send(let socket, let frame): put(.send, SessionRecords.Send(socket: number(socket), frame: text(frame)))
        case .ping:
            // Browsers do not let a page ping; the page's configuration uses messages instead.
            break
        case .close(let socket, let code, let reason):
            put(
                .close,
                SessionRecords.Close(socket: number(socket), code: Double(code.rawValue), reason: text(reason)))
        case .drop(let socket): put(.drop, SessionRecords.Drop(socket: number(socket)))
        case .fetchToken(let wasRejected): put(.token, SessionRecords.Token(wasRejected: PageFlag(wasRejected)))
        case .emit(let event): put(event)
        }
    }

    private mutating func put(_ event: SessionEvent) {
        switch event {
        case .state(let state): put(state)
        case .stream(let subscription, let event): put(event, Double(subscription.rawValue))
        case .channel(let key, let event): put(event, of: key)
        case .latency(let seconds): put(.latency, SessionRecords.Latency(seconds: seconds))
        case .problem(let code, let message):
            put(.problem, SessionRecords.Problem(code: text(code), message: text(message)))
        case .unknownMessage(let type): put(.unknown, SessionRecords.Unknown(type: text(type)))
        case .closing(let reconnectAfter): put(.closing, SessionRecords.Closing(seconds: reconnectAfter))
        }
    }

    private mutating func put(_ event: StreamEvent, _ subscription: Double) {
        switch event {
        case .subscribed(let recovered):
            put(.subscribed, SessionRecords.Subscribed(subscription: subscription, recovered: PageFlag(recovered)))
        case .snapshot(let candles, let reason):
            put(
                .snapshot,
                SessionRecords.Snapshot(
                    subscription: subscription, reason: PageCase(PageSnapshotReason(reason)),
                    count: Double(candles.count), close: PageOptional(candles.last?.close)))
        case .tick(let tick):
            put(
                .tick,
                SessionRecords.Tick(
                    subscription: subscription, timestamp: tick.timestamp, price: tick.price, volume: tick.volume))
        case .candle(let bar):
            let candle = bar.candle
            put(
                .candle,
                SessionRecords.Candle(
                    subscription: subscription, timestamp: candle.timestamp, open: candle.open, high: candle.high,
                    low: candle.low, close: candle.close, volume: candle.volume, final: PageFlag(bar.isFinal),
                    revision: Double(bar.revision), quality: PageCase(bar.quality)))
        case .skipped(let count):
            put(.skipped, SessionRecords.Skipped(subscription: subscription, count: Double(count)))
        case .gap: put(.gap, SessionRecords.Gap(subscription: subscription))
        case .stale(let age): put(.stale, SessionRecords.Stale(subscription: subscription, age: age))
        case .fresh: put(.fresh, SessionRecords.Fresh(subscription: subscription))
        case .refused(let code, let message):
            put(
                .refused,
                SessionRecords.Refused(subscription: subscription, code: text(code), message: text(message)))
        }
    }

    private mutating func put(_ event: StreamChannelEvent, of key: ChannelKey) {
        let channel = PageCase(key.channel)
        switch event {
        case .subscribed:
            put(.channelSubscribed, SessionRecords.ChannelSubscribed(channel: channel, account: text(key.account)))
        case .message(let message):
            put(
                .channelMessage,
                SessionRecords.ChannelMessage(channel: channel, account: text(key.account), text: text(message.json)))
        case .skipped:
            // The page's session reports none.
            break
        case .refused(let code, let message):
            put(
                .channelRefused,
                SessionRecords.ChannelRefused(
                    channel: channel, account: text(key.account), code: text(code), message: text(message)))
        }
    }

    private mutating func put(_ state: SessionState) {
        var until = 0.0
        var failure = PageFailure.none
        var failureCode = 0.0
        var failureReason = ""
        switch state {
        case .waiting(let time): until = time
        case .failed(.closeCode(let code, let reason)):
            failure = .closeCode
            failureCode = Double(code.rawValue)
            failureReason = reason
        case .failed(.refused(let status)):
            failure = .refused
            failureCode = Double(status)
        case .failed(.unauthorized): failure = .unauthorized
        case .failed(.attemptsExhausted): failure = .attemptsExhausted
        case .idle, .connecting, .authenticating, .open, .closed: break
        }
        put(
            .state,
            SessionRecords.State(
                state: PageCase(PageState(state)), until: until, failure: PageCase(failure), code: failureCode,
                reason: text(failureReason)))
    }

    private mutating func put<Record: PageRecord>(_ kind: SessionRecord, _ record: Record) {
        let target = records.append(count: 1 + Record.size)
        target[0] = Double(kind.rawValue)
        record.write(to: target + 1)
    }

    private func number(_ socket: SocketNumber) -> Double { Double(socket.rawValue) }

    private mutating func text(_ bytes: [UInt8]) -> PageText {
        texts.append(bytes)
        return PageText(length: Double(bytes.count))
    }

    private mutating func text(_ words: String?) -> PageText {
        guard let words else { return PageText(length: -1) }
        return text([UInt8](words.utf8))
    }
}
