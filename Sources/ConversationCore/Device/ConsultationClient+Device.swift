internal import StreamCore

extension ConsultationClient {
    /// Shows what a device kept, before the first `connect`: the connection goes on from there.
    package mutating func restore(_ stored: StoredConversation) {
        messages = stored.messages
        sequence = stored.sequence
        hasOlder = stored.hasOlder
        stopping = stored.stopping
    }

    /// Shows a message, which a `ConversationKeeper` sends when it is its turn.
    /// - Parameter characters: of the text, as people count them.
    /// - Returns: the message's id.
    package mutating func queue(
        _ text: String, _ details: MessageDetails = MessageDetails(), characters: Int, now: Double
    ) throws(ConsultationSendError) -> String {
        let waiting = messages.count { $0.state == .pending }
        return try write(text, details, characters: characters, waiting: waiting, now: now).id
    }

    /// Whether messages wait that are not on their way.
    var hasWaiting: Bool { pending.isEmpty && messages.contains { $0.state == .pending } }

    /// Whether an open connection was given the message and the server has not acknowledged it.
    func isInFlight(_ id: String) -> Bool { pending.contains { $0.id == id && $0.since != nil } }

    /// Sends the oldest waiting message on an open connection where no other is on its way.
    /// - Returns: whether there was one to send.
    mutating func sendFirstWaiting(now: Double) -> Bool {
        guard isConnected, pending.isEmpty, let message = messages.first(where: { $0.state == .pending }) else {
            return false
        }
        dispatch(message, now: now)
        performConnectionActions(now)
        return true
    }

    /// Messages of the user that the server did not acknowledge in time.
    var unacknowledged: [String] {
        messages.filter { $0.role == .user && $0.state == .unacknowledged }.map { $0.id }
    }

    /// A message that failed is sent again later.
    mutating func requeue(_ id: String) {
        guard let index = index(of: id), messages[index].hasFailedToSend else { return }
        messages[index].state = .pending
    }

    /// Forgets the last refusal.
    /// - Returns: the message that it was about and the seconds to wait, if a later attempt may be accepted.
    mutating func removeTemporaryRefusal() -> (id: String, retryAfter: Double?)? {
        guard let envelope = refusal else { return nil }
        refusal = nil
        guard let code = envelope.text("code"), code == "busy" || code == "rate_limited" else { return nil }
        return (envelope.text("message_id") ?? envelope.messageID, envelope.metadata?["retry_after"]?.number)
    }
}
