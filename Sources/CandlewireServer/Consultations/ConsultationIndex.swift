import Synchronization

/// Whose each conversation is: asked in the middle of a handshake, where there is no waiting for the disk.
final class ConsultationIndex: Sendable {
    private struct State {
        var owners: [String: String]
        var counts: [String: Int] = [:]
    }

    private let state: Mutex<State>

    init(_ owners: [String: String]) {
        var state = State(owners: owners)
        for user in owners.values { state.counts[user, default: 0] += 1 }
        self.state = Mutex(state)
    }

    func owner(of conversation: String) -> String? { state.withLock { $0.owners[conversation] } }

    var count: Int { state.withLock { $0.owners.count } }

    /// - Returns: false where the user has as many conversations as one may have.
    func add(_ conversation: String, of user: String, limit: Int) -> Bool {
        state.withLock { state in
            guard state.counts[user, default: 0] < limit else { return false }
            guard state.owners.updateValue(user, forKey: conversation) == nil else { return true }
            state.counts[user, default: 0] += 1
            return true
        }
    }

    func remove(_ conversation: String) {
        state.withLock { state in
            guard let user = state.owners.removeValue(forKey: conversation), let count = state.counts[user] else {
                return
            }
            state.counts[user] = count > 1 ? count - 1 : nil
        }
    }
}
