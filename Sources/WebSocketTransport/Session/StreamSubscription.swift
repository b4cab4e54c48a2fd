public import MarketModel
import NIOCore
public import StreamCore

/// One observer of a stream: its events for one task, until it is cancelled or let go.
///
/// ```swift
/// let stream = client.subscribe("BTC-USD", .m1)
/// for await event in stream.events {
///     if case .candle(let bar) = event, bar.isFinal { print(bar.candle.close) }
/// }
/// ```
///
/// Any number of subscriptions to the same symbol and timeframe share one on the wire; the last one that goes ends it.
public final class StreamSubscription: Sendable {
    public let symbol: String
    public let timeframe: Timeframe
    private let link: DriverLink<SessionDriver>
    private let observer: NIOLoopBoundBox<StreamObserver>
    private let mailbox: Mailbox<StreamEvent>

    init(_ name: StreamName, history: Int, maxRate: Double?, link: DriverLink<SessionDriver>) {
        symbol = name.symbol
        timeframe = name.timeframe
        self.link = link
        let mailbox = Mailbox<StreamEvent>()
        self.mailbox = mailbox
        let observer = NIOLoopBoundBox.makeBoxSendingValue(
            StreamObserver(name: name, history: history, maxRate: maxRate, mailbox: mailbox), eventLoop: link.eventLoop)
        self.observer = observer
        link.run { $0.join(observer.value) }
    }

    deinit { cancel() }

    /// What happens on the stream, in order, for one task. Ends after `cancel`, when the task is cancelled, and when
    /// the client is let go.
    ///
    /// A task that is busy finds no queue when it comes back: the latest tick and the latest forming candle wait for
    /// it, and every final candle. `skipped` reports before an event how many were left out. Where more than some 4,000
    /// final candles would have to wait, they are replaced by one snapshot with the reason `behind`.
    ///
    /// Use either `events` or `candles`.
    public var events: StreamEvents { StreamEvents { [self] in await next() } }

    /// The stream's candles after each change: the same as the server's after each candle message, brought forward by
    /// ticks in between. Begins when the first snapshot is there.
    ///
    /// - Parameter capacity: the most candles to keep.
    public func candles(capacity: Int = 10_000) -> CandleUpdates {
        CandleUpdates(events: events, live: LiveCandles(timeframe: timeframe, capacity: capacity))
    }

    /// Stops this observer's events until `resume`, which begins with one snapshot. When all observers of a stream are
    /// paused, the server does not send it either.
    public func pause() { link.run { [observer] in $0.pause(observer.value) } }

    public func resume() { link.run { [observer] in $0.resume(observer.value) } }

    /// Ends the subscription; its events end after those already delivered.
    public func cancel() { link.run { [observer] in $0.leave(observer.value) } }

    /// How it stands; nil where the subscription or its client has ended.
    public func status() async -> StreamStatus? {
        (try? await link.get { [observer] in $0.status(of: observer.value) }) ?? nil
    }

    func next() async -> StreamEvent? {
        await mailbox.next(requestMore: { [link, observer] in link.run { $0.ready(observer.value) } })
    }
}

/// How a subscription stands.
public struct StreamStatus: Sendable, Equatable {
    /// The stream it shares. Its times are seconds since 1970 UTC.
    public var stream: SubscriptionInfo
    /// Observers of the same stream, this one included.
    public var observers: Int
    /// Events that this observer's task was given.
    public var delivered: Int
    /// Updates that were left out for this observer, by the server or here. Each was reported as `skipped`.
    public var skipped: Int
}

/// The events of a subscription. See `StreamSubscription.events`.
public typealias StreamEvents = SocketEvents<StreamEvent>

/// A stream's candles after each change. See `StreamSubscription.candles(capacity:)`.
public struct CandleUpdates: AsyncSequence, Sendable {
    public typealias Element = CandleSeries

    let events: StreamEvents
    let live: LiveCandles

    public func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator(), live: live) }

    public struct Iterator: AsyncIteratorProtocol {
        var events: StreamEvents.Iterator
        var live: LiveCandles

        public mutating func next() async -> CandleSeries? {
            while let event = await events.next() {
                if live.apply(event), live.isComplete { return live.series }
            }
            return nil
        }
    }
}
