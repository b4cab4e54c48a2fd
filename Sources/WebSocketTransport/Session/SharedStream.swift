import MarketModel
import StreamCore

/// What a stream is called by the application.
struct StreamName: Hashable, Sendable {
    var symbol: String
    var timeframe: Timeframe
}

/// One stream on the wire, and everybody here who observes it.
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

    /// Asks the server for as much as the most demanding observer wants.
    /// - Returns: whether the server must be asked again: for more of the past, or for more updates a second.
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
        // Whoever had some already gets what came since too, so that a chart does not lose what it showed.
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
