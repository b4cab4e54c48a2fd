import NIOCore
public import StreamCore

/// One observer of a channel: its messages for one task, until it is cancelled or let go.
///
/// ```swift
/// let orders = client.channel(.orders, account: "paper-main")
/// for try await message in orders.messages {
///     print(message.head.type, message.text)
/// }
/// ```
///
/// Each connection begins with a snapshot, which replaces what was known; then nothing is left out. Any number of
/// subscriptions to the same channel share one on the wire; a later one requests a new snapshot,
/// which all of them get. The last one that goes ends it.
public final class ChannelSubscription: Sendable {
    public let key: ChannelKey
    private let link: DriverLink<SessionDriver>
    private let observer: NIOLoopBoundBox<ChannelObserver>
    private let mailbox: Mailbox<StreamChannelEvent>

    init(_ key: ChannelKey, link: DriverLink<SessionDriver>) {
        self.key = key
        self.link = link
        let mailbox = Mailbox<StreamChannelEvent>()
        self.mailbox = mailbox
        let observer = NIOLoopBoundBox.makeBoxSendingValue(
            ChannelObserver(key: key, mailbox: mailbox), eventLoop: link.eventLoop)
        self.observer = observer
        link.run { $0.join(observer.value) }
    }

    deinit { cancel() }

    /// What happens on the channel, in order, for one task. Ends after `cancel`, when the task is cancelled, and when
    /// the client is let go.
    ///
    /// A task that is busy finds the latest message of a channel whose messages each are the whole state (`markets`,
    /// `positions`, `portfolio`, `health`), and all of the others. Where more than 4,096 of those, or 8 MiB, would have
    /// to wait, they are dropped: `skipped` reports how many, and a new snapshot follows.
    ///
    /// Use either `events` or `messages`.
    public var events: ChannelEvents { ChannelEvents { [self] in await next() } }

    /// The channel's messages. Throws `ChannelRefused` where the server does not want to serve it.
    public var messages: ChannelMessages { ChannelMessages(key: key, events: events) }

    /// Requests a new snapshot; what comes meanwhile is delivered. A refused channel is requested again.
    public func refresh() { link.run { [observer] in $0.refresh(observer.value) } }

    /// Ends the subscription; its events end after those already delivered.
    public func cancel() { link.run { [observer] in $0.leave(observer.value) } }

    /// How the channel stands on the wire; nil where the subscription or its client has ended.
    public func state() async -> SubscriptionInfo.State? {
        (try? await link.get { [observer] in $0.state(of: observer.value) }) ?? nil
    }

    func next() async -> StreamChannelEvent? {
        await mailbox.next(requestMore: { [link, observer] in link.run { $0.ready(observer.value) } })
    }
}

/// The server does not want to serve a channel.
public struct ChannelRefused: Error, Sendable, Equatable, CustomStringConvertible {
    public var key: ChannelKey
    /// As the server names it, for example `unknown_account`.
    public var code: String
    public var message: String

    public init(key: ChannelKey, code: String, message: String) {
        self.key = key
        self.code = code
        self.message = message
    }

    public var description: String { "\(key.channel.name): \(message) (\(code))" }
}

/// What happens on a channel. See `ChannelSubscription.events`.
public typealias ChannelEvents = SocketEvents<StreamChannelEvent>

/// A channel's messages. See `ChannelSubscription.messages`.
public struct ChannelMessages: AsyncSequence, Sendable {
    public typealias Element = ChannelMessage

    let key: ChannelKey
    let events: ChannelEvents

    public func makeAsyncIterator() -> Iterator { Iterator(key: key, events: events.makeAsyncIterator()) }

    public struct Iterator: AsyncIteratorProtocol {
        let key: ChannelKey
        var events: ChannelEvents.Iterator

        public mutating func next() async throws -> ChannelMessage? {
            while let event = await events.next() {
                switch event {
                case .message(let message): return message
                case .refused(let code, let message): throw ChannelRefused(key: key, code: code, message: message)
                case .subscribed, .skipped: continue
                }
            }
            return nil
        }
    }
}
