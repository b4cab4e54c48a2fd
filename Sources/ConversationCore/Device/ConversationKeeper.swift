internal import StreamCore

/// Keeps a conversation on a device: decides what is written when, and which waiting message is sent next.
///
/// A value without IO beside a `ConsultationClient`. After each input of the client: `sendWaiting`, then `change`; what
/// that returns is written before the client's actions are performed. So a message is on the device before it is on its
/// way, and the device knows that it may have left. It is sent under the same id until the server acknowledges it, and the
/// server keeps it once.
///
/// One message is on its way at a time: one that the server refuses for now is sent again before any later one.
package struct ConversationKeeper: Sendable {
    /// Seconds between two writes while only the text of an answer grows. After a power cut the server sends it again.
    static let textInterval = 1.0
    /// Seconds from a write that failed to the next attempt.
    static let retryInterval = 5.0

    /// Bytes of text that a device keeps of a conversation. Beyond, the oldest messages are deleted; those that the server
    /// does not have are kept.
    package let maxBytes: Int
    /// What is on the device.
    private(set) var saved: StoredConversation
    /// What `change` returned last.
    private var proposed: StoredConversation
    private var savedAt = -Double.infinity
    private var retryAt = -Double.infinity
    private var writeAt: Double?

    private var offered: [String]
    private var refusals = 0
    private var pausedUntil = -Double.infinity

    /// - Parameter stored: what is on the device; `nil`: nothing yet.
    package init(_ stored: StoredConversation? = nil, maxBytes: Int = 4 << 20) {
        self.maxBytes = max(0, maxBytes)
        saved = stored ?? StoredConversation()
        proposed = saved
        offered = saved.offered
    }

    /// When `sendWaiting` and `change` are to be called, although nothing else happened; `nil`: at no time.
    package func deadline(_ client: ConsultationClient) -> Double? {
        let sendAt = client.isConnected && client.hasWaiting && pausedUntil > -.infinity ? pausedUntil : .infinity
        let earliest = min(writeAt ?? .infinity, sendAt)
        return earliest == .infinity ? nil : earliest
    }

    // MARK: Sending

    /// Sends the oldest waiting message where no other is on its way. One that the server refused for now, or did not
    /// acknowledge in time, waits again.
    package mutating func sendWaiting(_ client: inout ConsultationClient, now: Double) {
        if let (id, retryAfter) = client.removeTemporaryRefusal() {
            // The server recognises what it has: this one it does not have.
            offered.removeAll { $0 == id }
            scheduleRetry(id, retryAfter, &client, now: now)
        }
        for id in client.unacknowledged { scheduleRetry(id, nil, &client, now: now) }
        if now >= pausedUntil {
            // More than one only at a server that acknowledges nothing.
            while client.sendFirstWaiting(now: now) { pausedUntil = -.infinity }
        }
        let waiting = client.messages.filter { $0.state == .pending }
        // The first that is through ends the series of refusals.
        if offered.contains(where: { id in !waiting.contains { $0.id == id } }) { refusals = 0 }
        offered = waiting.map { $0.id }.filter { offered.contains($0) || client.isInFlight($0) }
    }

    private mutating func scheduleRetry(
        _ id: String, _ retryAfter: Double?, _ client: inout ConsultationClient, now: Double
    ) {
        client.requeue(id)
        refusals += 1
        pausedUntil = now + SyncWait.pauses.wait(before: refusals, requested: retryAfter)
    }

    /// Removes a message that failed to be sent, or that waits and was given to no connection.
    /// - Returns: whether it is gone. If not, the server may have it: `cancel` stops its answer.
    @discardableResult
    package mutating func discard(_ id: String, _ client: inout ConsultationClient) -> Bool {
        guard let index = client.index(of: id), client.messages[index].isUnsent, !offered.contains(id) else {
            return false
        }
        client.remove(index)
        client.pending.removeAll { $0.id == id }
        return true
    }

    // MARK: Writing

    /// What is to be written now; `nil`: nothing, or not yet (`deadline`). Answer with `written` or `failed`.
    package mutating func change(_ client: ConsultationClient, now: Double) -> ConversationChange? {
        writeAt = nil
        var next = StoredConversation()
        next.sequence = client.sequence
        next.messages = newest(client.messages)
        next.hasOlder = client.hasOlder || next.messages.count < client.messages.count
        next.offered = offered
        next.stopping = client.stopping
        guard next != saved else { return nil }
        let due = max(retryAt, onlyTextGrew(next) ? savedAt + Self.textInterval : -.infinity)
        guard now >= due else {
            writeAt = due
            return nil
        }
        proposed = next
        var change = ConversationChange(
            time: client.date(now), head: next.head, waiting: next.messages.count { $0.state == .pending })
        var old: [String: ChatMessage] = [:]
        for message in saved.messages { old[message.id] = message }
        for message in next.messages where old.removeValue(forKey: message.id) != message {
            change.written.append(.init(id: message.id, json: message.stored.json))
        }
        for message in saved.messages where old[message.id] != nil { change.removed.append(message.id) }
        return change
    }

    /// The last change is on the device.
    package mutating func written(now: Double) {
        saved = proposed
        savedAt = now
        retryAt = -.infinity
    }

    /// The last change could not be written: nothing of it is on the device, and all of it is part of the next one.
    package mutating func failed(now: Double) {
        retryAt = now + Self.retryInterval
        writeAt = retryAt
    }

    private func onlyTextGrew(_ next: StoredConversation) -> Bool {
        guard next.messages.count == saved.messages.count, next.sequence == saved.sequence,
            next.hasOlder == saved.hasOlder, next.offered == saved.offered, next.stopping == saved.stopping
        else { return false }
        return zip(next.messages, saved.messages).allSatisfy { new, old in
            new == old || new.id == old.id && new.isStreaming && old.isStreaming
        }
    }

    private func newest(_ messages: [ChatMessage]) -> [ChatMessage] {
        var bytes = 0
        var start = messages.count
        while start > 0, bytes + messages[start - 1].text.utf8.count <= maxBytes {
            start -= 1
            bytes += messages[start].text.utf8.count
        }
        return start == 0 ? messages : messages[..<start].filter { $0.isUnsent || $0.isStreaming } + messages[start...]
    }
}
