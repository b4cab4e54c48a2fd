import Synchronization
internal import TradingCore

/// The sending end of a `ServiceStream`: what a service of your own keeps.
///
/// Two kinds, by what a slow listener may lose:
///
/// - `ServiceChannel.values()`: only the latest counts, as of prices, positions and health. A listener that was busy
///   gets the newest value and none of those before it.
/// - `ServiceChannel.changes()`: each element counts, as of orders, fills and events. Up to `limit` changes wait for a
///   listener. Of one that is further behind they are dropped, and it gets the whole present state in their place, which
///   has the number of changes it stands for: `ServiceUpdate.snapshot`.
///
/// Sending never waits and costs a lock and a step for each listener.
public final class ServiceChannel<Element: Sendable>: Sendable {
    private struct Listener {
        /// What it gets next.
        enum Lane {
            /// What is current, as the first thing it ever gets.
            case begins
            /// Its own queue.
            case queued
            /// What is current, in place of what it lost.
            case restarts
        }

        var lane: Lane
        var waiting: [Element] = []
        var continuation: CheckedContinuation<Element?, Never>?
        /// Elements it lost and has not had reported, and all it lost since it began.
        var unreported = 0
        var missed = 0

        /// Queues an element, or returns the continuation that waits for it.
        mutating func offer(_ element: Element, limit: Int) -> CheckedContinuation<Element?, Never>? {
            if let waiter = continuation {
                // It had nothing before this element.
                continuation = nil
                lane = .queued
                return waiter
            }
            switch lane {
            case .begins: break
            case .queued where waiting.count < limit: waiting.append(element)
            // A value that is current is not lost; the changes that a snapshot stands for are.
            case .queued: restart(losing: limit == 0 ? 0 : waiting.count + 1)
            case .restarts: restart(losing: 1)
            }
            return nil
        }

        private mutating func restart(losing count: Int) {
            waiting.removeAll()
            lane = .restarts
            unreported += count
            missed += count
        }

        mutating func popNext(_ current: Element?, resuming: (Element, Int) -> Element) -> Element? {
            switch lane {
            case .queued:
                return waiting.isEmpty ? nil : waiting.removeFirst()
            case .begins, .restarts:
                guard let current else { return nil }
                defer { (lane, unreported) = (.queued, 0) }
                return resuming(current, unreported)
            }
        }
    }

    private struct State {
        var current: Element?
        var listeners: [Int: Listener] = [:]
        var lastNumber = 0
        var isFinished = false
    }

    /// Changes that may wait for a listener; 0: only the current value does.
    private let limit: Int
    private let resuming: @Sendable (_ current: Element, _ missed: Int) -> Element
    private let state: Mutex<State>

    init(current: Element?, limit: Int, resuming: @escaping @Sendable (Element, Int) -> Element) {
        self.limit = limit
        self.resuming = resuming
        state = Mutex(State(current: current))
    }

    /// A channel whose listeners want the latest value.
    /// - Parameter current: what the first listener begins with; nil: it waits for the first one sent.
    public static func values(_ current: Element? = nil) -> ServiceChannel {
        ServiceChannel(current: current, limit: 0) { current, _ in current }
    }

    /// The receiving end, for any number of listeners.
    public var stream: ServiceStream<Element> { ServiceStream(channel: self) }

    /// The newest value, or the state that a new listener begins with.
    public var current: Element? { state.withLock { $0.current } }

    /// How many listen at the moment.
    public var listeners: Int { state.withLock { $0.listeners.count } }

    /// Sends to every listener.
    /// - Parameter current: what those begin with who come later or are too slow.
    func send(_ element: Element, current: Element) {
        let resumptions = state.withLock { state -> [CheckedContinuation<Element?, Never>] in
            guard !state.isFinished else { return [] }
            state.current = current
            var resumptions: [CheckedContinuation<Element?, Never>] = []
            for number in state.listeners.keys {
                if let continuation = state.listeners[number]?.offer(element, limit: limit) {
                    resumptions.append(continuation)
                }
            }
            return resumptions
        }
        for continuation in resumptions { continuation.resume(returning: element) }
    }

    /// Ends every listener's sequence: what waits for it still comes, then the end. Later listeners get the end at once.
    public func finish() {
        let waiting = state.withLock { state -> [CheckedContinuation<Element?, Never>] in
            state.isFinished = true
            return state.listeners.keys.compactMap { number in
                defer { state.listeners[number]?.continuation = nil }
                return state.listeners[number]?.continuation
            }
        }
        for continuation in waiting { continuation.resume(returning: nil) }
    }

    // MARK: Listeners

    func join() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.listeners[state.lastNumber] = Listener(lane: state.isFinished ? .queued : .begins)
            return state.lastNumber
        }
    }

    func leave(_ number: Int) {
        let continuation = state.withLock { $0.listeners.removeValue(forKey: number)?.continuation }
        continuation?.resume(returning: nil)
    }

    func missed(by number: Int) -> Int { state.withLock { $0.listeners[number]?.missed ?? 0 } }

    func next(_ number: Int) async -> Element? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Element?? in
                    let element = state.listeners[number]?.popNext(state.current, resuming: resuming)
                    if let element { return .some(element) }
                    // A second task at the same iterator gets its end: a listener is one.
                    guard !state.isFinished, !Task.isCancelled, state.listeners[number] != nil,
                        state.listeners[number]?.continuation == nil
                    else { return .some(nil) }
                    state.listeners[number]?.continuation = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                defer { state.listeners[number]?.continuation = nil }
                return state.listeners[number]?.continuation
            }
            continuation?.resume(returning: nil)
        }
    }
}

extension ServiceChannel {
    /// Sends a new value; what waited for a listener until now is replaced by it.
    public func send(_ value: Element) { send(value, current: value) }
}

/// The sending ends of all streams of a container, whatever is behind it.
struct ServiceChannels<Mode: TradingMode>: Sendable {
    let markets = ServiceChannel<[MarketInfo]>.values()
    let positions = ServiceChannel<[Position<Mode>]>.values()
    let orders = ServiceChannel<ServiceUpdate<Order<Mode>>>.changes()
    let fills = ServiceChannel<ServiceUpdate<Fill<Mode>>>.changes()
    let portfolio = ServiceChannel<[Portfolio]>.values()
    let events = ServiceChannel<ServiceUpdate<ServiceEvent>>.changes()
    let health = ServiceChannel<ServiceHealth>.values()

    func finish() {
        markets.finish()
        positions.finish()
        orders.finish()
        fills.finish()
        portfolio.finish()
        events.finish()
        health.finish()
    }
}

/// What a service publishes: an asynchronous sequence for any number of listeners.
///
/// ```swift
/// for await positions in services.trading.positionUpdates {
///     print(positions.map(\.unrealizedPnL))
/// }
/// ```
///
/// Every loop over it is a listener of its own. It begins with the present value, where there is one; then come the
/// changes, in order. It ends when the service is shut down, and where the listening task is cancelled.
///
/// A slow listener holds no other up, and no more than the stream's bound waits for it; what it
/// loses then is the stream's own rule, see `ServiceChannel`.
public struct ServiceStream<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = Never

    let channel: ServiceChannel<Element>

    public func makeAsyncIterator() -> Iterator { Iterator(channel: channel) }

    /// A listener. It listens from its creation until it is let go.
    public struct Iterator: AsyncIteratorProtocol {
        private let listener: ServiceListener<Element>

        init(channel: ServiceChannel<Element>) { listener = ServiceListener(channel) }

        /// The next element; nil at the end, and where the task is cancelled. One task at a time may wait.
        public mutating func next() async -> Element? { await listener.next() }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? { await listener.next() }

        /// Elements that this listener never saw one by one, because it was slower than the service.
        public var missed: Int { listener.missed }
    }
}

/// A listener's place in a channel; letting go of it leaves.
final class ServiceListener<Element: Sendable>: Sendable {
    private let channel: ServiceChannel<Element>
    private let number: Int

    init(_ channel: ServiceChannel<Element>) {
        self.channel = channel
        number = channel.join()
    }

    deinit { channel.leave(number) }

    func next() async -> Element? { await channel.next(number) }

    var missed: Int { channel.missed(by: number) }
}
