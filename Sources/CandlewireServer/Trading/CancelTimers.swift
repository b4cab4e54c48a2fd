import Dispatch
import Foundation
import HistoryStore
import Synchronization
import TradingCore

/// Dead man's switches: accounts whose open orders are cancelled unless their client calls again in time. A value; time comes
/// from outside, from a clock that never goes back.
struct CancelTimers: Sendable {
    /// Seconds of a switch.
    static let allowed = 1...86_400

    private var timers: [AccountID<Paper>: (seconds: Int, deadline: Double)] = [:]
    /// The seconds of those that are due, until their orders are cancelled on disk: a crash before that begins their time again.
    private var unfinished: [AccountID<Paper>: Int] = [:]

    /// What a restart needs: the accounts with their seconds.
    var kept: [String: Int] {
        let seconds = timers.mapValues(\.seconds).merging(unfinished) { set, _ in set }
        return Dictionary(uniqueKeysWithValues: seconds.map { ($0.key.description, $0.value) })
    }

    init() {}

    /// The switches of a server that ran before. How much of their time was over is not known, and their clients could not
    /// call meanwhile: all of it begins again.
    /// - Parameter accounts: those that there are; others were deleted.
    init(kept: [String: Int], of accounts: Set<AccountID<Paper>>, now: Double) {
        for (text, seconds) in kept {
            guard let account = try? AccountID<Paper>(text), accounts.contains(account), Self.allowed.contains(seconds)
            else { continue }
            set(account, seconds: seconds, now: now)
        }
    }

    /// - Parameter seconds: from now; 0 switches it off.
    mutating func set(_ account: AccountID<Paper>, seconds: Int, now: Double) {
        timers[account] = seconds == 0 ? nil : (seconds, now + Double(seconds))
    }

    /// `nil`: it is off.
    func deadline(of account: AccountID<Paper>) -> Double? { timers[account]?.deadline }

    /// Accounts whose time is over, with its seconds; each is off from then on, and kept until ``finish(_:)``.
    mutating func due(now: Double) -> [(account: AccountID<Paper>, seconds: Int)] {
        guard timers.contains(where: { $0.value.deadline <= now }) else { return [] }
        let due = timers.filter { $0.value.deadline <= now }
        for (account, timer) in due { (timers[account], unfinished[account]) = (nil, timer.seconds) }
        return due.map { ($0.key, $0.value.seconds) }.sorted { $0.account.description < $1.account.description }
    }

    /// The orders of an account that was due are cancelled.
    mutating func finish(_ account: AccountID<Paper>) { unfinished[account] = nil }
}

/// Where the switches are kept for a restart. Written off the loops, and only when an account or its seconds change: clients
/// call every few seconds.
final class CancelTimersFile: Sendable {
    private static let name = "cancel-after.json"
    private static let longest = 64 << 10

    private let path: String
    private let queue = DispatchQueue(label: "candlewire.cancel-after", qos: .utility)
    private let state: Mutex<State>

    private struct State {
        /// What is to be in the file, and what is.
        var wanted: [String: Int]
        var written: [String: Int]
    }

    /// - Throws: `ServerError` where the file is not as it was written: a switch that is forgotten protects nobody.
    init(directory: String) throws(ServerError) {
        path = "\(directory)/\(Self.name)"
        var kept: [String: Int] = [:]
        if FileManager.default.fileExists(atPath: path) {
            guard let data = FileManager.default.contents(atPath: path), data.count <= Self.longest,
                let found = try? JSONDecoder().decode([String: Int].self, from: data)
            else {
                throw ServerError(
                    .data,
                    "The file \(path) with the switches of cancel-after cannot be read; remove it to start without.")
            }
            kept = found
        }
        state = Mutex(State(wanted: kept, written: kept))
    }

    var kept: [String: Int] { state.withLock { $0.wanted } }

    /// - Returns: whether there is anything to write.
    @discardableResult func save(_ kept: [String: Int]) -> Bool {
        let isNew = state.withLock { state in
            state.wanted = kept
            return kept != state.written
        }
        if isNew { queue.async { _ = self.write() } }
        return isNew
    }

    /// Waits until what was saved is on disk.
    /// - Returns: false where it cannot be written.
    func isSaved() async -> Bool {
        guard state.withLock({ $0.wanted != $0.written }) else { return true }
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.write()) }
        }
    }

    private func write() -> Bool {
        let wanted = state.withLock { $0.wanted == $0.written ? nil : $0.wanted }
        guard let wanted else { return true }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        guard let data = try? encoder.encode(wanted), (try? SyncedFile.write(data, to: path)) != nil else {
            return false
        }
        state.withLock { $0.written = wanted }
        return true
    }
}
