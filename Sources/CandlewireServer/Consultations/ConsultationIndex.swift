import Consultation
import Synchronization

/// The owner of each conversation: needed in the middle of a handshake, which cannot wait for the disk.
final class ConsultationIndex: Sendable {
    private struct State {
        var owners: [String: String]
        var counts: [UserKey: Int] = [:]
    }

    private let state: Mutex<State>

    init(_ owners: [String: String]) {
        var state = State(owners: owners)
        for user in owners.values { state.counts[UserKey(user), default: 0] += 1 }
        self.state = Mutex(state)
    }

    func owner(of conversation: String) -> String? { state.withLock { $0.owners[conversation] } }

    var count: Int { state.withLock { $0.owners.count } }

    /// - Parameters:
    ///   - limit: conversations that one user may have.
    ///   - total: conversations that all of them may have; `nil`: however many.
    /// - Returns: the limit that is reached; `nil` where there is room.
    func add(_ conversation: String, of user: String, limit: Int, total: Int?) -> Int? {
        state.withLock { state in
            let key = UserKey(user)
            guard state.counts[key, default: 0] < limit else { return limit }
            if let total, state.owners.count >= total { return total }
            guard state.owners.updateValue(user, forKey: conversation) == nil else { return nil }
            state.counts[key, default: 0] += 1
            return nil
        }
    }

    func remove(_ conversation: String) {
        state.withLock { state in
            guard let user = state.owners.removeValue(forKey: conversation).map({ UserKey($0) }),
                let count = state.counts[user]
            else { return }
            state.counts[user] = count > 1 ? count - 1 : nil
        }
    }
}
