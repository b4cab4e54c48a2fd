import StreamCore

/// One connection of the model's network: two directions with delay, in order, and the ways in which they fail.
final class ModelLink {
    enum ToClient {
        case opened
        case refused(status: Int, retryAfter: Double?)
        case text(ModelWire)
        case pong
        case closed(WebSocketCloseCode, String)
    }

    enum ToServer {
        case open
        case text([UInt8])
        case ping
        /// The client closed, or the cut was noticed.
        case gone
    }

    let client: Int
    let socket: SocketNumber
    let number: Int
    private(set) var toClient: [(at: Double, what: ToClient)] = []
    private(set) var toServer: [(at: Double, what: ToServer)] = []
    /// Bytes of texts that the server has written and the client has not read.
    private(set) var bytesOnTheWay = 0
    var latency: Double
    /// Bytes a second that the client reads.
    var pace = Double.infinity
    /// Nothing passes any more, and neither side is notified.
    var isHalfOpen = false
    /// The chance that a text towards the client is lost although the connection lives: a fault that TCP does not have.
    var loss = 0.0
    /// The client has let go of it.
    var isForgotten = false

    /// Above so many bytes the server's side is not writable.
    static let capacity = 8 << 10

    init(client: Int, socket: SocketNumber, number: Int, latency: Double) {
        self.client = client
        self.socket = socket
        self.number = number
        self.latency = latency
    }

    var isWritable: Bool { bytesOnTheWay < Self.capacity }

    func toClient(_ what: ToClient, now: Double) {
        var at = max(now + latency, toClient.last?.at ?? 0)
        if case .text(let wire) = what {
            bytesOnTheWay += wire.bytes.count
            at += Double(wire.bytes.count) / pace
        }
        toClient.append((at, what))
    }

    func toServer(_ what: ToServer, now: Double) {
        guard !isHalfOpen else { return }
        toServer.append((max(now + latency, toServer.last?.at ?? 0), what))
    }

    /// When the next thing arrives somewhere.
    var nextAt: Double {
        guard !isHalfOpen else { return .infinity }
        return min(toClient.first?.at ?? .infinity, toServer.first?.at ?? .infinity)
    }

    func nextForClient(now: Double) -> ToClient? {
        guard !isHalfOpen, let first = toClient.first, first.at <= now else { return nil }
        toClient.removeFirst()
        if case .text(let wire) = first.what { bytesOnTheWay -= wire.bytes.count }
        return first.what
    }

    func nextForServer(now: Double) -> ToServer? {
        guard !isHalfOpen, let first = toServer.first, first.at <= now else { return nil }
        toServer.removeFirst()
        return first.what
    }

    /// The connection breaks: what is under way is lost.
    /// - Parameter isNoticed: each side learns of it.
    func cut(isNoticed: Bool, now: Double) {
        toClient.removeAll()
        toServer.removeAll()
        bytesOnTheWay = 0
        guard isNoticed else {
            isHalfOpen = true
            return
        }
        toClient.append((now + latency, .closed(.abnormal, "")))
        toServer.append((now + latency, .gone))
    }
}

/// A message as the server writes it.
struct ModelWire {
    var bytes: [UInt8]
    /// The loss of it could not be noticed: a snapshot that follows a `skipped` which covers the same hole.
    var isIndispensable = false
}
