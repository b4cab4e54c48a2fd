import ChartScene
import MarketModel
import StreamCore

/// Where the page and its session exchange what they have for each other; the page reads it without a call.
struct SessionMailbox: PageRecord {
    /// The page writes 1 when it has read every record; what comes then replaces them.
    var isRead: PageFlag
    /// When `cw_session_timer` is due, in the page's clock; infinity when there is nothing to wait for.
    var deadline: Double
    /// Where the records are, and how many numbers.
    var records: Double
    var recordsLength: Double
    /// Where the records' texts are, and how many bytes.
    var texts: Double
    var textsLength: Double
    /// Where the page writes a message, and how many bytes fit; `cw_session_inbox` makes more room.
    var inbox: Double
    var inboxCapacity: Double
}

/// The page's connection to the stream: the machine, and the memory through which the page talks to it.
///
/// Every input ends with `drain`, which puts what the machine requests into the outbox. An input that comes while the
/// page still reads adds to what is there.
final class PageSession {
    private let storage: UnsafeMutablePointer<StreamSession>
    /// By address, as a chart's view.
    private var machine: StreamSession {
        unsafeAddress { UnsafePointer(storage) }
        unsafeMutableAddress { storage }
    }
    private var outbox = SessionOutbox()
    private var inbox = PageBuffer<UInt8>(capacity: 16_384)
    private var feed: ChartFeed?
    let mailbox = UnsafeMutablePointer<SessionMailbox>.allocate(capacity: 1)
    /// What `cw_session_diagnostics` answers.
    let diagnostics = UnsafeMutablePointer<Double>.allocate(capacity: DiagnosticsRecord.size)
    /// The text of the last diagnostics.
    var text = PageBuffer<UInt8>(capacity: 256)

    init(seed: UInt64) {
        storage = .allocate(capacity: 1)
        storage.initialize(to: StreamSession(.page, seed: seed))
        writeMailbox(isRead: true)
    }

    deinit {
        storage.deinitialize(count: 1)
        storage.deallocate()
        mailbox.deallocate()
        diagnostics.deallocate()
    }

    var seen: SessionDiagnostics { Self.diagnostics(of: &machine) }
    var state: SessionState { machine.state }

    // To read something computed, Swift copies all of a value that it knows by address; one that is passed to be changed
    // it does not.

    @inline(never)
    private static func diagnostics(of machine: inout StreamSession) -> SessionDiagnostics { machine.diagnostics }

    @inline(never)
    private static func deadline(of machine: inout StreamSession) -> Double { machine.deadline ?? .infinity }

    /// Hands the machine an input, and puts what it requests into the outbox.
    func input<Result>(_ change: (inout StreamSession) -> Result) -> Result {
        defer { drain() }
        return change(&machine)
    }

    @inline(never)
    private func drain() {
        if mailbox.pointee.isRead.number == 1 { outbox.removeAll() }
        while let action = machine.nextAction() {
            if case .emit(.stream(let subscription, let event)) = action, feed?.subscription == subscription {
                feed?.apply(event)
            }
            outbox.put(action)
        }
        writeMailbox(isRead: outbox.records.count == 0)
    }

    /// What a chart shows from now on; `nil` for none.
    func setFeed(_ feed: ChartFeed?) {
        self.feed = feed
    }

    func reserveInbox(_ capacity: Int) {
        _ = inbox.reserve(capacity)
        if mailbox.pointee.isRead.number == 1 { outbox.removeAll() }
        writeMailbox(isRead: outbox.records.count == 0)
    }

    /// The first bytes of the inbox; valid until the next call that makes room there.
    func received(_ length: Int32) -> UnsafeMutableBufferPointer<UInt8> {
        UnsafeMutableBufferPointer(start: inbox.base, count: max(0, min(Int(length), inbox.capacity)))
    }

    private func writeMailbox(isRead: Bool) {
        mailbox.pointee = SessionMailbox(
            isRead: PageFlag(isRead), deadline: Self.deadline(of: &machine),
            records: Double(UInt(bitPattern: outbox.records.base)),
            recordsLength: Double(outbox.records.count), texts: Double(UInt(bitPattern: outbox.texts.base)),
            textsLength: Double(outbox.texts.count), inbox: Double(UInt(bitPattern: inbox.base)),
            inboxCapacity: Double(inbox.capacity))
    }
}

extension SessionConfiguration {
    /// How the page's session behaves.
    static var page: SessionConfiguration {
        var page = SessionConfiguration()
        // A dead connection is seen after thirteen seconds at most. A browser lets no page send ping frames.
        page.heartbeat = Heartbeat.Configuration(interval: 5, deadline: 8, kind: .message)
        // A person who looks at a chart waits three seconds at most for each of the first six attempts.
        page.backoff.watched = Backoff.WatchedLimits(attempts: 6, cap: 3)
        // Enough for the price in the tab's title.
        page.hidden = .rate(1)
        return page
    }
}

/// Feeds a chart with the events of one subscription.
struct ChartFeed {
    let subscription: SubscriptionNumber
    let chart: Int32
    /// Whether the chart holds bars of this subscription; before the first snapshot no tick may begin one.
    private var hasBars = false
    /// Whether the stream began again without bars and the old ones stay until the first trade, or until the page lets
    /// them go.
    private var keepsOldBars = false

    init(subscription: SubscriptionNumber, chart: Int32) {
        self.subscription = subscription
        self.chart = chart
    }

    mutating func apply(_ event: StreamEvent) {
        guard let chart = CandlewireWasm.chart(chart) else { return }
        switch event {
        case .snapshot(let candles, _):
            keepsOldBars = candles.isEmpty && chart.view.count > 0
            if !keepsOldBars { replaceBars(of: chart, by: candles, keepViewport: hasBars) }
            hasBars = true
            if let last = candles.last { chart.setNewsPrice(last.close) }
        case .tick(let tick) where hasBars:
            dropOldBars(of: chart)
            _ = chart.view.ingest(tick)
            chart.setNewsPrice(tick.price)
        case .candle(let bar) where hasBars:
            dropOldBars(of: chart)
            _ = chart.view.place(bar.candle, final: bar.isFinal)
            if !bar.isFinal { chart.setNewsPrice(bar.candle.close) }
        case .subscribed, .tick, .candle, .skipped, .gap, .stale, .fresh, .refused: break
        }
    }

    /// Bars of the stream before its new beginning must not meet bars after it.
    private mutating func dropOldBars(of chart: Chart) {
        guard keepsOldBars else { return }
        keepsOldBars = false
        replaceBars(of: chart, by: [], keepViewport: true)
    }

    private func replaceBars(of chart: Chart, by candles: [Candle], keepViewport: Bool) {
        var bars = chart.view.beginData(expecting: candles.count, keepViewport: keepViewport)
        for candle in candles { bars.add(candle) }
        _ = chart.view.finishData(bars)
    }
}
