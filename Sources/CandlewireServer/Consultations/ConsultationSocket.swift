import Consultation
import NIOCore
import StreamCore

/// A connection, as the conversations see it from their event loop.
struct ConsultationSocket: Sendable {
    var number: ClientNumber
    var conversation: String
    var user: ConsultationUser
    /// The index of the connection's event loop.
    var loop: Int
    let connection: NIOLoopBound<ConsultationConnection>
}

/// What the conversations have for a connection.
enum ConsultationDelivery: Sendable {
    case frame([UInt8])
    /// So many of its frames were handled.
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
