/// What the owner of a client machine is to do, in this order.
public enum SocketAction<Socket, Frame, Event> {
    /// Open a socket and report `opened`, `refused` or `closed` under this number.
    case open(Socket)
    /// Send one message.
    case send(Socket, Frame)
    /// Send a WebSocket ping and report its `pong`.
    case ping(Socket)
    /// Begin the close handshake. Nothing needs to be reported any more.
    case close(Socket, WebSocketCloseCode, reason: String)
    /// Cut the connection at once: it is dead or was never open. Nothing needs to be reported any more.
    case drop(Socket)
    /// Get a token and hand it over with `setToken`; an empty one means that there is none to be had.
    case fetchToken(wasRejected: Bool)
    /// For the application.
    case emit(Event)
}

extension SocketAction: Equatable where Socket: Equatable, Frame: Equatable, Event: Equatable {}
extension SocketAction: Sendable where Socket: Sendable, Frame: Sendable, Event: Sendable {}

/// Of a `StreamSession`: its messages are text.
public typealias SessionAction = SocketAction<SocketNumber, [UInt8], SessionEvent>

/// First in, first out, keeping its memory: emptying and filling it again allocates nothing.
@usableFromInline package struct ActionQueue<Element> {
    @usableFromInline var elements: [Element] = []
    @usableFromInline var head = 0

    package init() {}
    @inlinable package var isEmpty: Bool { head == elements.count }
    package var count: Int { elements.count - head }
    package var first: Element? { head < elements.count ? elements[head] : nil }

    @inlinable package mutating func append(_ element: Element) { elements.append(element) }

    @inlinable package mutating func popFirst() -> Element? {
        guard head < elements.count else {
            if head > 0 { removeAll() }
            return nil
        }
        head += 1
        return elements[head - 1]
    }

    @inlinable package mutating func removeAll() {
        elements.removeAll(keepingCapacity: true)
        head = 0
    }

    package mutating func removeAll(where isRemoved: (Element) -> Bool) {
        elements.removeFirst(head)
        head = 0
        elements.removeAll(where: isRemoved)
    }
}

extension ActionQueue: Sendable where Element: Sendable {}

/// Names one socket. Each one that a machine opens has its own number, so that what a forgotten socket still reports is
/// recognised and ignored.
public struct SocketNumber: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    @inlinable public init(rawValue: Int) { self.rawValue = rawValue }
}

/// Names one desired stream for as long as it is desired; never used again after that.
public struct SubscriptionNumber: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    @inlinable public init(rawValue: Int) { self.rawValue = rawValue }
}
