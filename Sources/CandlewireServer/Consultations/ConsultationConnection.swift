import Consultation
import NIOCore
import StreamCore
import WebSocketTransport

/// One reader of `/ws/consultation`. Confined to its event loop; its frames go to the conversations' loop, and frames for it
/// come from there.
final class ConsultationConnection: WebSocketHandlerDelegate {
    /// Frames on their way to the conversation at which reading from the client stops, until half of them are handled.
    private static let maxOutstanding = 64
    /// Seconds between two looks at a socket that has not written everything.
    private static let lookInterval = 0.05

    let number: ClientNumber
    private let conversation: String
    /// `nil` once the connection is closed or given up.
    private var socket: WebSocketHandler?
    private let desk: ConsultationDesk
    private let address: ClientAddress
    private let loop: any EventLoop
    private let loopIndex: Int
    /// Who it is; `nil` until that is known.
    private var user: ConsultationUser?
    /// Whether its handshake had an app's key, beside which the first frame's token is enough.
    private let hasKey: Bool
    /// Whether the client was warned that its token expired.
    private var isWarned = false
    private var authTimer: Scheduled<Void>?
    private var lookTimer: Scheduled<Void>?
    private var outstanding = 0
    /// The program of a client that may be one of the original protocol.
    private let agent: String?
    /// The last ping sent, and the last one answered.
    private var pings: (sent: UInt32, answered: UInt32) = (0, 0)
    /// Bytes given to the socket that were not reported to the conversation as written.
    private var unreported = 0

    /// - Parameters:
    ///   - user: who the handshake said it is; `nil`: the first frame says it.
    ///   - hasKey: whether the handshake had an app's key.
    ///   - agent: the program of a client that may be one of the original protocol.
    init(
        number: ClientNumber, conversation: String, user: ConsultationUser?, hasKey: Bool, agent: String?,
        socket: WebSocketHandler, address: ClientAddress, desk: ConsultationDesk, loop: any EventLoop, loopIndex: Int
    ) {
        self.address = address
        self.number = number
        self.hasKey = hasKey
        self.agent = agent
        self.conversation = conversation
        self.socket = socket
        self.desk = desk
        self.loop = loop
        self.loopIndex = loopIndex
        desk.counts.opened()
        if let user { attach(user) } else { awaitToken() }
    }

    private func attach(_ user: ConsultationUser) {
        self.user = user
        watchExpiry()
        desk.mailbox.put(
            .attach(
                ConsultationSocket(
                    number: number, conversation: conversation, user: user,
                    client: ClientLimits.Client(login: user.login, address),
                    name: agent.map { "\(user.id)\n\($0)" }, loop: loopIndex,
                    connection: NIOLoopBound(self, eventLoop: loop))))
    }

    // MARK: Authentication

    private func awaitToken() {
        authTimer = loop.assumeIsolated().scheduleTask(in: .clamped(seconds: desk.tokenTime)) {
            self.refuse("No token came within \(Int(self.desk.tokenTime)) seconds.")
        }
    }

    private func authenticate(_ bytes: UnsafeRawBufferPointer) {
        guard let frame = try? Envelope.decode(bytes), frame.type == .auth else {
            return refuse("The first message must be auth with a token.")
        }
        guard let user = user(of: frame) else { return }
        endTimers()
        send(Envelope(.ack, messageID: frame.messageID, timestamp: desk.clock()))
        attach(user)
    }

    /// Whose token it has; `nil` where it is refused.
    private func user(of frame: Envelope) -> ConsultationUser? {
        do throws(APIError) {
            // A connection that has a user has shown all that it needs; only the token is renewed.
            return try desk.access.user(of: frame, hasKey: hasKey || user != nil, from: address)
        } catch {
            refuse(error.message)
            return nil
        }
    }

    /// A token that replaces the one that expires. The conversation acknowledges it.
    private func renew(_ frame: Envelope) -> Bool {
        guard let renewed = user(of: frame) else { return false }
        guard user?.isCalled(renewed.id) == true else {
            refuse("The token is another user's.")
            return false
        }
        user = renewed
        isWarned = false
        watchExpiry()
        return true
    }

    /// Says when a token expires, so that the client can renew it without a new connection, and ends the connection when
    /// the time is over for which an expired one is still accepted.
    private func watchExpiry() {
        authTimer?.cancel()
        authTimer = nil
        if let trader = user?.trader, trader.isStreamToken {
            // What `candlewire tokens revoke` revokes ends connections that it opened.
            guard desk.access.control.stillOpens(trader) else { return refuse("The token is not valid any more.") }
            guard user?.expiresAt != nil else { return watchExpiry(in: 1) }
        }
        guard let expiry = user?.expiresAt else { return }
        let now = desk.clock()
        if now >= expiry + WebTokens.leeway { return refuse("The token expired.") }
        if now >= expiry, !isWarned {
            isWarned = true
            send(Self.unauthorized("The token expired; send auth with a new one.", now))
        }
        let end = expiry + (isWarned ? WebTokens.leeway : 0)
        watchExpiry(in: user?.trader?.isStreamToken == true ? min(1, end - now) : end - now)
    }

    private func watchExpiry(in seconds: Double) {
        authTimer = loop.assumeIsolated().scheduleTask(in: .clamped(seconds: seconds)) { self.watchExpiry() }
    }

    private func refuse(_ text: String) {
        desk.counts.unauthorized()
        send(Self.unauthorized(text, desk.clock()))
        close(.unauthorized, text)
    }

    private static func unauthorized(_ text: String, _ now: Double) -> Envelope {
        Envelope(.error, content: text, messageID: "auth", timestamp: now, metadata: ["code": "unauthorized"])
    }

    private func send(_ envelope: Envelope) {
        envelope.bytes.withUnsafeBytes { bytes in _ = socket?.send(.text, bytes) }
    }

    // MARK: Receiving

    func webSocketText(_ bytes: UnsafeRawBufferPointer, on handler: WebSocketHandler) {
        guard socket != nil else { return }
        guard user != nil else { return authenticate(bytes) }
        if Envelope.type(of: bytes) == .auth, let frame = try? Envelope.decode(bytes), !renew(frame) { return }
        outstanding += 1
        if outstanding >= Self.maxOutstanding { handler.pauseReading() }
        desk.mailbox.put(.received(number, Array(bytes)))
    }

    func webSocketPong(_ payload: UnsafeRawBufferPointer, on handler: WebSocketHandler) {
        // Others answer the pings that only check the connection.
        guard user != nil, payload.count == 4 else { return }
        let ping = UInt32(bigEndian: payload.loadUnaligned(as: UInt32.self))
        guard ping > pings.answered, ping <= pings.sent else { return }
        pings.answered = ping
        desk.mailbox.put(.confirmed(number, ping))
    }

    func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on handler: WebSocketHandler) {
        desk.counts.closed()
        if user != nil { desk.mailbox.put(.detach(number, isFinal: code == .normal)) }
        socket = nil
        endTimers()
    }

    // MARK: Sending

    /// - Parameter isLast: nothing follows for this connection now.
    func perform(_ delivery: ConsultationDelivery, isLast: Bool) {
        guard let socket else { return }
        switch delivery {
        case .frame(let bytes):
            unreported += bytes.count
            bytes.withUnsafeBytes { bytes in _ = socket.send(.text, bytes, flush: isLast) }
        case .confirmedFrame(let bytes, let ping):
            unreported += bytes.count
            pings.sent = ping
            socket.expectedPongs += 1
            // In one piece: a ping by itself would pass a frame that waits.
            var frames = WebSocketFrames.encode(.ping, capacity: 4) { $0.writeInteger(ping) }
            if !bytes.isEmpty {
                var frame = WebSocketFrames.encode(.text, capacity: bytes.count) { $0.writeBytes(bytes) }
                frame.writeBuffer(&frames)
                frames = frame
            }
            socket.send(preframed: frames, flush: isLast)
        case .accepted(let count):
            outstanding -= count
            if socket.isReadingPaused, outstanding <= Self.maxOutstanding / 2 { socket.resumeReading() }
        case .close(let code, let reason): return close(code, reason)
        }
        guard isLast else { return }
        socket.flush()
        reportWritten()
    }

    /// Reports to the conversation how much the socket has written, once that is worth it: far less than its window.
    private func reportWritten() {
        guard let socket else { return }
        let waiting = socket.bufferedBytes
        let written = unreported - waiting
        if written >= desk.writtenReportSize {
            unreported -= written
            desk.mailbox.put(.wrote(number, written))
        }
        // The transport reports when a full queue empties, and nothing of one that never was full.
        guard waiting > 0, lookTimer == nil else { return }
        lookTimer = loop.assumeIsolated().scheduleTask(in: .clamped(seconds: Self.lookInterval)) {
            self.lookTimer = nil
            self.reportWritten()
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
