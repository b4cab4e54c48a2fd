import Consultation
import NIOCore
import StreamCore
import WebSocketTransport

/// One reader of `/ws/consultation`. Confined to its event loop; what it says goes to the conversations' loop, and what
/// they have for it comes from there.
final class ConsultationConnection: WebSocketHandlerDelegate {
    /// Frames on their way to the conversation at which reading from the client stops, until half of them are looked at.
    private static let mostOutstanding = 64
    /// Seconds from one look at a socket that does not take what it gets to the next.
    private static let lookInterval = 0.05

    let number: ClientNumber
    private let conversation: String
    /// `nil` once the connection is closed or given up.
    private var socket: WebSocketHandler?
    private let desk: ConsultationDesk
    private let loop: any EventLoop
    private let loopIndex: Int
    private var isAttached = false
    private var authTimer: Scheduled<Void>?
    private var lookTimer: Scheduled<Void>?
    private var outstanding = 0
    /// Bytes given to the socket that the conversation was not told to be taken.
    private var untold = 0

    /// - Parameter user: who the handshake said it is; `nil`: the first frame says it.
    init(
        number: ClientNumber, conversation: String, user: ConsultationUser?, socket: WebSocketHandler,
        desk: ConsultationDesk, loop: any EventLoop, loopIndex: Int
    ) {
        self.number = number
        self.conversation = conversation
        self.socket = socket
        self.desk = desk
        self.loop = loop
        self.loopIndex = loopIndex
        desk.counts.opened()
        if let user { attach(user) } else { awaitToken() }
    }

    private func attach(_ user: ConsultationUser) {
        isAttached = true
        desk.mailbox.put(
            .attach(
                ConsultationSocket(
                    number: number, conversation: conversation, user: user, loop: loopIndex,
                    connection: NIOLoopBound(self, eventLoop: loop))))
    }

    // MARK: Authentication

    private func awaitToken() {
        let bound = NIOLoopBound(self, eventLoop: loop)
        authTimer = loop.scheduleTask(in: .clamped(seconds: desk.tokenTime)) {
            bound.value.refuse("No token came within \(Int(bound.value.desk.tokenTime)) seconds.")
        }
    }

    private func authenticate(_ bytes: UnsafeRawBufferPointer) {
        guard let frame = try? Envelope.decode(bytes), frame.type == .auth else {
            return refuse("The first message must be auth with a token.")
        }
        guard let user = desk.access.user(token: frame.content ?? "") else {
            return refuse("The token is not valid.")
        }
        endTimers()
        send(Envelope(.ack, messageID: frame.messageID, timestamp: desk.clock()))
        attach(user)
    }

    private func refuse(_ text: String) {
        send(
            Envelope(
                .error, content: text, messageID: "auth", timestamp: desk.clock(), metadata: ["code": "unauthorized"]))
        close(.unauthorized, text)
    }

    private func send(_ envelope: Envelope) {
        envelope.bytes.withUnsafeBytes { bytes in _ = socket?.send(.text, bytes) }
    }

    // MARK: Receiving

    func webSocketText(_ bytes: UnsafeRawBufferPointer, on handler: WebSocketHandler) {
        guard socket != nil else { return }
        guard isAttached else { return authenticate(bytes) }
        outstanding += 1
        if outstanding >= Self.mostOutstanding { handler.pauseReading() }
        desk.mailbox.put(.received(number, Array(bytes)))
    }

    func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on handler: WebSocketHandler) {
        desk.counts.closed()
        if isAttached { desk.mailbox.put(.detach(number)) }
        socket = nil
        endTimers()
    }

    // MARK: Sending

    /// - Parameter isLast: nothing follows for this connection now.
    func take(_ delivery: ConsultationDelivery, isLast: Bool) {
        guard let socket else { return }
        switch delivery {
        case .frame(let bytes):
            untold += bytes.count
            bytes.withUnsafeBytes { bytes in _ = socket.send(.text, bytes, flush: isLast) }
        case .taken(let count):
            outstanding -= count
            if socket.isReadingPaused, outstanding <= Self.mostOutstanding / 2 { socket.resumeReading() }
        case .close(let code, let reason): return close(code, reason)
        }
        guard isLast else { return }
        socket.flush()
        tellTaken()
    }

    /// Tells the conversation what the socket has taken, when it is worth telling: far less than its window.
    private func tellTaken() {
        guard let socket else { return }
        let waiting = socket.bufferedBytes
        let taken = untold - waiting
        if taken >= desk.tellBytes {
            untold -= taken
            desk.mailbox.put(.wrote(number, taken))
        }
        // The transport says when a full queue empties, and nothing of one that never was full.
        guard waiting > 0, lookTimer == nil else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        lookTimer = loop.scheduleTask(in: .clamped(seconds: Self.lookInterval)) {
            bound.value.lookTimer = nil
            bound.value.tellTaken()
        }
    }

    private func close(_ code: WebSocketCloseCode, _ reason: String) {
        guard let socket else { return }
        self.socket = nil
        endTimers()
        socket.close(code, reason: reason)
    }

    private func endTimers() {
        authTimer?.cancel()
        authTimer = nil
        lookTimer?.cancel()
        lookTimer = nil
    }
}
