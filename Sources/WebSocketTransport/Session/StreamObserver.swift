import MarketModel
import StreamCore

/// One subscription of the application, on the event loop: merges what its task has not asked for yet.
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

    /// So many events wait before a reader of everything gets the latest only.
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

    /// What comes while the reader is behind is in the snapshot it will get, unless it says that there will be none.
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

    /// Gives a reader that was behind, and asks again, one snapshot for all it missed.
    func catchUp(from stream: SharedStream) {
        guard isBehind, isReady, stream.live.isComplete else { return }
        offer(stream.snapshot(for: self, .behind), of: stream)
    }

    func pause() {
        isPaused = true
        isBehind = false
        conflator.giveUp()
    }

    func resume() {
        isPaused = false
    }

    /// Hands over what waits, if its time has come.
    func deliver(now: Double) {
        guard isReady else { return }
        var batch: [StreamEvent] = []
        conflator.take(now: now) { event, _, skipped in
            if skipped > 0 { batch.append(.skipped(skipped)) }
            batch.append(event)
        }
        guard !batch.isEmpty else { return }
        isReady = false
        mailbox.put(batch)
    }
}
