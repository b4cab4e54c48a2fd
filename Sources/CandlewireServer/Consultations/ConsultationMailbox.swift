import Consultation
import HistoryStore
import NIOCore
import StreamCore
import Synchronization

/// What comes to the conversations from other threads.
enum ConsultationMailboxItem: Sendable {
    case attach(ConsultationSocket)
    /// - Parameter isFinal: the client ended the connection with code 1000.
    case detach(ClientNumber, isFinal: Bool)
    /// A text frame.
    case received(ClientNumber, [UInt8])
    /// A socket has written this many bytes.
    case wrote(ClientNumber, Int)
    /// A client has answered the ping of this number.
    case confirmed(ClientNumber, UInt32)
    /// `nil`: the model's stream of events is at its end. `run` distinguishes one run of the model from another, also where
    /// both are for an answer of the same id.
    case model(ModelEvent?, run: Int, answer: String, conversation: String)
    /// The disk has entries up to a number, or has not. `serial` names the value in memory that they are from.
    case stored(conversation: String, serial: Int, through: Int, Result<Void, StoreError>)
    case loaded(conversation: String, Result<Transcript, any Error>)
    case request(@Sendable (ConversationRegistry) -> Void)

    /// Whether its sender waits for it also when the server stops.
    var isForTheEnd: Bool {
        switch self {
        case .stored, .loaded, .request: true
        case .attach, .detach, .received, .wrote, .confirmed, .model: false
        }
    }
}

/// Letters on their way to the conversations' event loop, in the order in which they were put in.
///
/// However many come while the loop is busy, it is woken once for all of them: a thousand models that send fifty words a
/// second cost a wakeup each turn and not each word.
final class ConsultationMailbox: Sendable {
    private let items = Mutex<[ConsultationMailboxItem]>([])
    private let loop: any EventLoop
    private let registry: NIOLoopBoundBox<ConversationRegistry?>

    init(loop: any EventLoop) {
        self.loop = loop
        registry = NIOLoopBoundBox.makeEmptyBox(valueType: ConversationRegistry.self, eventLoop: loop)
    }

    /// On the loop: whose items these are.
    func open(_ registry: ConversationRegistry) { self.registry.value = registry }

    func put(_ item: ConsultationMailboxItem) {
        let isFirst = items.withLock { items in
            items.append(item)
            return items.count == 1
        }
        guard isFirst else { return }
        loop.execute { [self] in
            registry.value?.handle(
                items.withLock { items in
                    defer { items = [] }
                    return items
                })
        }
    }
}

/// A connection, as the conversations see it from their event loop.
struct ConsultationSocket: Sendable {
    var number: ClientNumber
    var conversation: String
    var user: ConsultationUser
    /// Whose limits count for its messages.
    var client: ClientLimits.Client
    /// What its connections have in common; `nil` for a client that is not one of the original protocol.
    var name: String?
    /// The index of the connection's event loop.
    var loop: Int
    let connection: NIOLoopBound<ConsultationConnection>
}

/// What the conversations have for a connection.
enum ConsultationDelivery: Sendable {
    case frame([UInt8])
    /// A text frame, empty for none, and a ping of this number directly behind it.
    case confirmedFrame([UInt8], ping: UInt32)
    /// This many of its frames were handled.
    case accepted(Int)
    case close(WebSocketCloseCode, String)
}

/// Deliveries of one turn, by event loop: each loop is woken once for all of them.
struct ConsultationOutbox {
    private let loops: [any EventLoop]
    private var waiting: [[(NIOLoopBound<ConsultationConnection>, ConsultationDelivery)]]

    init(_ loops: [any EventLoop]) {
        self.loops = loops
        waiting = loops.map { _ in [] }
    }

    mutating func add(_ delivery: ConsultationDelivery, to socket: ConsultationSocket) {
        waiting[socket.loop].append((socket.connection, delivery))
    }

    mutating func send() {
        for index in waiting.indices where !waiting[index].isEmpty {
            let deliveries = waiting[index]
            waiting[index] = []
            loops[index].execute {
                for (place, (connection, delivery)) in deliveries.enumerated() {
                    let isLast =
                        place + 1 == deliveries.count || deliveries[place + 1].0.value !== connection.value
                    connection.value.perform(delivery, isLast: isLast)
                }
            }
        }
    }
}
