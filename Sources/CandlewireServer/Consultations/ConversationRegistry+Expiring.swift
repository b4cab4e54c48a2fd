import HistoryStore

extension ConversationRegistry {
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
            let isQuiet: Result<Bool, any Error>
            do {
                // It is not open, so all of it is on disk.
                isQuiet = .success(try await store.summary(of: id).map { $0.updatedAt < limit } ?? false)
            } catch {
                isQuiet = .failure(error)
            }
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
