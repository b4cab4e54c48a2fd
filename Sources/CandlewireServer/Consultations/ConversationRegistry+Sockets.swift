import Consultation
import NIOCore
import StreamCore

extension ConversationRegistry {
    func attach(_ socket: ConsultationSocket, _ now: Double) {
        guard let owner = index.owner(of: socket.conversation) else {
            return refuse(socket, .unknownConsultation(socket.conversation), now)
        }
        guard socket.user.mayOpen(conversationOf: owner) else { return refuse(socket, .foreignConsultation, now) }
        sockets[socket.number] = AttachedSocket(socket: socket)
        with(socket.conversation) { [unowned self] result in
            // It may be gone by now.
            guard let early = sockets[socket.number]?.early else { return }
            switch result {
            case .success(let conversation):
                let now = clock()
                sockets[socket.number]?.early = nil
                conversation.machine.attach(socket.number, name: socket.name, now: now)
                performActions(of: conversation, now)
                for bytes in early { received(bytes, from: socket.number, now) }
            case .failure(let error):
                sockets[socket.number] = nil
                refuse(socket, error, clock())
            }
        }
    }

    private func refuse(_ socket: ConsultationSocket, _ error: APIError, _ now: Double) {
        let (code, word): (WebSocketCloseCode, JSONValue) =
            switch error.statusCode {
            case 404: (.unknownConsultation, "not_found")
            case 403: (.foreignConsultation, "forbidden")
            // May come back.
            default: (.tryAgainLater, "unavailable")
            }
        let frame = Envelope(
            .error, content: error.message, messageID: "open", timestamp: now, metadata: ["code": word])
        outbox.add(.frame(frame.bytes), to: socket)
        outbox.add(.close(code, error.message), to: socket)
    }

    func detach(_ number: ClientNumber, isFinal: Bool, _ now: Double) {
        guard let socket = sockets.removeValue(forKey: number)?.socket,
            let conversation = conversations[socket.conversation]
        else { return }
        conversation.machine.detach(number, isFinal: isFinal, now: now)
        performActions(of: conversation, now)
    }

    func received(_ bytes: [UInt8], from number: ClientNumber, _ now: Double) {
        guard let attached = sockets[number] else { return }
        // Bounded: its connection stops reading until they are looked at.
        if attached.early != nil {
            sockets[number]?.early?.append(bytes)
            return
        }
        guard let conversation = conversations[attached.socket.conversation] else { return }
        var questions = QuestionAllowances(limiter, attached.socket.client)
        bytes.withUnsafeBytes { bytes in
            conversation.machine.received(bytes, from: number, allowances: &questions, now: now)
        }
        outbox.add(.accepted(1), to: attached.socket)
        performActions(of: conversation, now)
    }
}
