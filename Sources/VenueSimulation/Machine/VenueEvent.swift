/// Something that happened at a simulated venue. Connections are counted from 0 in the order they come.
public enum VenueEvent: Sendable, Equatable {
    case opened(connection: Int, target: String)
    case refused(connection: Int, status: Int)
    /// A message of the client; of a binary one the bytes that are no letters as `\x00`.
    case received(connection: Int, text: String)
    case subscribed(connection: Int, VenueTopic)
    case unsubscribed(connection: Int, VenueTopic)
    /// An answer to one of the venue's pings.
    case ponged(connection: Int)
    /// The venue ended the connection.
    case kicked(connection: Int, reason: String)
    /// The recording was played to its end on this connection.
    case ended(connection: Int)
    case closed(connection: Int)
    /// A request over HTTP and its answer's status.
    case requested(target: String, status: Int)
}

/// What happened at a simulated venue so far.
public struct VenueLog: Sendable, Equatable {
    /// WebSockets that were requested, the refused ones too.
    public internal(set) var connections = 0
    public internal(set) var open = 0
    public internal(set) var refused = 0
    /// Messages of the clients: the last 1,000.
    public internal(set) var received: [String] = []
    public internal(set) var receivedCount = 0
    /// Topics that are subscribed to now, by connection.
    public internal(set) var subscriptions: [Int: Set<VenueTopic>] = [:]
    public internal(set) var pongs = 0
    public internal(set) var kicks: [Kick] = []
    /// Connections on which the recording was played to its end.
    public internal(set) var ended = 0
    /// Messages sent, those of the recording and the venue's own.
    public internal(set) var sent = 0
    /// Requests over HTTP: the last 1,000, as `/path?query 200`.
    public internal(set) var requests: [String] = []

    public struct Kick: Sendable, Equatable {
        public var connection: Int
        public var reason: String
    }

    mutating func record(_ event: VenueEvent) {
        switch event {
        case .opened:
            connections += 1
            open += 1
        case .refused:
            connections += 1
            refused += 1
        case .received(_, let text):
            receivedCount += 1
            received.append(text)
            if received.count > 1000 { received.removeFirst() }
        case .subscribed(let connection, let topic): subscriptions[connection, default: []].insert(topic)
        case .unsubscribed(let connection, let topic): subscriptions[connection]?.remove(topic)
        case .ponged: pongs += 1
        case .kicked(let connection, let reason): kicks.append(Kick(connection: connection, reason: reason))
        case .ended: ended += 1
        case .closed(let connection):
            open -= 1
            subscriptions[connection] = nil
        case .requested(let target, let status):
            requests.append("\(target) \(status)")
            if requests.count > 1000 { requests.removeFirst() }
        }
    }
}
