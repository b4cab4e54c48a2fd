import MarketModel
import StreamCore

/// One subscription of the application, on the event loop: merges what its task has not requested yet.
final class StreamObserver {
    let name: StreamName
    let history: Int
    let maxRate: Double?
    let mailbox: Mailbox<StreamEvent>
    /// The task waits for events.
    var isReady = false
    private(set) var isPaused = false
    /// Too much waited that must not be left out; a snapshot will stand for it.
    private(set) var isBehind = false
    /// Waits in the driver's list for its time.
    var isDue = false
    private(set) var conflator: ViewConflator<StreamEvent>

    /// How many events wait before a reader of everything gets the latest only.
    private static let buffer = 1024

    init(name: StreamName, history: Int, maxRate: Double?, mailbox: Mailbox<StreamEvent>) {
        self.name = name
        self.history = history
        self.maxRate = maxRate
        self.mailbox = mailbox
        conflator = ViewConflator(maxRate: maxRate, keeping: maxRate == nil ? Self.buffer : 0)
    }

    /// When something should be delivered; nil where nothing waits, or where the task is busy.
    var deadline: Double? { isReady ? conflator.deadline : nil }

    func offer(_ event: StreamEvent, of stream: SharedStream) {
        guard !isPaused else { return }
        if isBehind, !endsBehind(event) { return }
        let verdict: ViewConflator<StreamEvent>.Verdict
        switch event {
        case .skipped(let count): return conflator.noteSkipped(count)
        case .tick: verdict = conflator.offer(event, kind: .tick)
        case .candle(let bar): verdict = conflator.offer(event, kind: bar.isFinal ? .ordered : .forming)
        case .stale, .fresh: verdict = conflator.offer(event, kind: .status)
        case .snapshot(let candles, _): verdict = conflator.offer(event, kind: .snapshot, weight: candles.count)
        case .subscribed, .gap, .refused: verdict = conflator.offer(event, kind: .ordered)
        }
        guard verdict == .overflow else { return }
        conflator.giveUp()
        isBehind = true
        catchUp(from: stream)
    }

    /// What comes while the reader is behind is in the snapshot it will get, unless it reports that there will be none.
    private func endsBehind(_ event: StreamEvent) -> Bool {
        switch event {
        case .snapshot, .refused:
            isBehind = false
            return true
        case .tick, .candle: conflator.noteSkipped(1)
        case .skipped(let count): conflator.noteSkipped(count)
        case .subscribed, .gap, .stale, .fresh: break
        }
        return false
    }

    /// Gives a reader that was behind, and is back, one snapshot for all it missed.
    func catchUp(from stream: SharedStream) {
        guard isBehind, isReady, stream.live.isComplete else { return }
        offer(stream.snapshot(for: self, .behind), of: stream)
    }

    func pause() {
        isPaused = true
        isBehind = false
        conflator.giveUp()
    }

    func resume() { isPaused = false }

    /// Hands over what waits, if its time has come.
    func deliver(now: Double) {
        guard isReady else { return }
        var batch: [StreamEvent] = []
        conflator.drain(now: now) { event, _, skipped in
            if skipped > 0 { batch.append(.skipped(skipped)) }
            batch.append(event)
        }
        guard !batch.isEmpty else { return }
        isReady = false
        mailbox.put(batch)
    }
}

/// What a stream is called by the application.
struct StreamName: Hashable, Sendable {
    var symbol: String
    var timeframe: Timeframe
}

/// One stream on the wire, and all its observers here.
final class SharedStream {
    let name: StreamName
    /// The session's handle.
    var number: SubscriptionNumber?
    var observers: [StreamObserver] = []
    /// What the stream has brought so far, for those who come later.
    var live: LiveCandles
    private(set) var request: SubscribeRequest
    var isPaused = false
    var isRefused = false

    init(_ first: StreamObserver, kept: Int) {
        name = first.name
        live = LiveCandles(timeframe: first.name.timeframe, capacity: max(1, kept, first.history))
        request = SubscribeRequest(
            symbol: first.name.symbol, timeframe: first.name.timeframe, history: first.history, maxRate: first.maxRate)
        observers = [first]
    }

    /// Requests as much as the most demanding observer needs.
    /// - Returns: whether a new request is needed: for more of the past, or for more updates a second.
    func extend(for observer: StreamObserver) -> Bool {
        let before = request
        if observer.history > request.history, observer.history > live.series.count {
            request.history = observer.history
        }
        if let rate = request.maxRate { request.maxRate = observer.maxRate.map { max(rate, $0) } }
        return request != before
    }

    /// Whether it knows enough for a new observer.
    func satisfies(_ observer: StreamObserver) -> Bool {
        live.isComplete && observer.history <= max(request.history, live.series.count)
    }

    func snapshot(for observer: StreamObserver, _ reason: SnapshotReason) -> StreamEvent {
        let count = live.series.count
        // An observer that had some already gets what came since too, so that a chart does not lose what it showed.
        let wanted = reason == .first ? observer.history : max(observer.history, live.series.capacity / 2)
        let first = max(0, count - wanted)
        return .snapshot((first..<count).map { live.series[$0] }, reason)
    }
}

/// The streams of a session, by their names and by the session's handles.
struct StreamRegistry {
    private(set) var byName: [StreamName: SharedStream] = [:]
    private var byNumber: [SubscriptionNumber: SharedStream] = [:]

    subscript(number: SubscriptionNumber) -> SharedStream? { byNumber[number] }
    subscript(name: StreamName) -> SharedStream? { byName[name] }

    mutating func insert(_ stream: SharedStream, _ number: SubscriptionNumber) {
        stream.number = number
        byName[stream.name] = stream
        byNumber[number] = stream
    }

    mutating func remove(_ stream: SharedStream) {
        byName[stream.name] = nil
        if let number = stream.number { byNumber[number] = nil }
    }

    mutating func finishAll() {
        for stream in byName.values {
            for observer in stream.observers { observer.mailbox.finish() }
        }
        byName.removeAll()
        byNumber.removeAll()
    }
}
