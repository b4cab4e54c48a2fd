import Consultation
import HistoryStore

/// How conversations leave the memory and the disk: idle, deleted, or older than the retention.
extension ConversationRegistry {
    /// Removes idle conversations from memory.
    func sweep() {
        let now = clock()
        for conversation in Array(conversations.values)
        where conversation.isIdle && now - conversation.usedAt >= options.idleTime {
            forget(conversation)
            if !conversation.machine.departed.isEmpty {
                departed[conversation.machine.id] = conversation.machine.departed
            }
        }
        departed = departed.filter { id, clients in
            index.owner(of: id) != nil && clients.contains { now - $0.leftAt < options.conversation.absence }
        }
    }

    /// Ends a conversation for all its clients, and deletes it from the disk.
    func delete(_ id: String, then completion: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        let now = clock()
        if let conversation = conversations[id] {
            conversation.machine.closeDeleted(.unknownConsultation, reason: "the consultation was deleted")
            performActions(of: conversation, now)
            forget(conversation)
            conversation.fail()
        }
        deleting.insert(id)
        let mailbox = mailbox
        store.delete([id]) { result in
            mailbox.put(
                .request { registry in
                    registry.deleting.remove(id)
                    if case .success = result { registry.index.remove(id) }
                    completion(result)
                })
        }
    }

    /// Deletes a conversation in which nothing has happened since `limit`, unless it is open. While the disk is
    /// read for that, it cannot be opened.
    /// - Parameters:
    ///   - limit: seconds since 1970 UTC.
    ///   - completion: gets whether it is deleted.
    func expire(
        _ id: String, since limit: Double, then completion: @escaping @Sendable (Result<Bool, any Error>) -> Void
    ) {
        guard !isStopped, conversations[id] == nil, loading[id] == nil, !deleting.contains(id),
            expiring.insert(id).inserted
        else { return completion(.success(false)) }
        let (store, mailbox) = (store, mailbox)
        Task {
            // It is not open, so all of it is on disk.
            let isQuiet = await Result.of { try await store.summary(of: id).map { $0.updatedAt < limit } ?? false }
            mailbox.put(
                .request { registry in
                    registry.expiring.remove(id)
                    guard case .success(true) = isQuiet, !registry.isStopped else {
                        return completion(isQuiet.map { _ in false })
                    }
                    registry.delete(id) { result in completion(result.map { true }.mapError { $0 as any Error }) }
                })
        }
    }
}
