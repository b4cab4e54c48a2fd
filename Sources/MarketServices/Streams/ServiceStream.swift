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

        init(channel: ServiceChannel<Element>) {
            listener = ServiceListener(channel)
        }

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
