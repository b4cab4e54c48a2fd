import Dispatch
import Foundation
import HistoryStore
import Logging
import Synchronization

/// Every change, in files that are only appended to: one JSON document a line, for the owner's eyes alone.
///
/// Appending costs the caller a copy: a thread of its own writes what waits, all of it at once, and syncs the disk once for
/// it. A crash loses at most what was appended in the last moments; the ledger, which has the orders, is written before an
/// answer is sent. When a file is full, it becomes `audit.1.jsonl` and so on, and the oldest one is deleted.
final class AuditLog: Sendable {
    struct Options: Sendable {
        /// Bytes of a file.
        var maxBytes = 16 << 20
        /// Files, the one that is written among them.
        var files = DataFile.auditLogs
        /// Seconds between two syncs of the disk.
        var pause = 0.02
        /// Records that may wait for the disk; further ones are counted and left out.
        var maxWaiting = 20_000
    }

    private struct State {
        var waiting: [AuditRecord] = []
        var isWriting = false
        /// Left out, and reported in the file once it can be written.
        var lost = 0
        var failures = 0
        var syncs = 0
        var written = 0
    }

    private let file: RotatingFile
    private let options: Options
    private let logger: Logger?
    private let queue = DispatchQueue(label: "candlewire.audit", qos: .utility)
    private let state = Mutex(State())

    /// - Throws: `ServerError` where the file cannot be written.
    init(directory: String, options: Options = Options(), logger: Logger? = nil) throws(ServerError) {
        file = .audit(directory, options)
        self.options = options
        self.logger = logger
        do throws(RotatingFile.Failure) { try file.append([]) } catch {
            // A command that was stopped in the middle must not keep the server from starting.
            if error == .isLocked { return }
            throw ServerError(
                .data, "The audit log \(file.path) cannot be written (\(error)); check the permissions of its folder.")
        }
    }

    func append(_ record: AuditRecord) {
        let isFirst = state.withLock { state in
            guard state.waiting.count < options.maxWaiting else {
                state.lost += 1
                return false
            }
            state.waiting.append(record)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isFirst { queue.async { self.writeUntilNothingWaits() } }
    }

    /// Waits until everything that was appended is on disk.
    func flush() { queue.sync { _ = writeWaiting() } }

    /// Records written, and syncs of the disk for them.
    var counts: (written: Int, syncs: Int, lost: Int) { state.withLock { ($0.written, $0.syncs, $0.lost) } }

    // MARK: On the queue

    /// With a pause after each sync: without one, they would take half of the disk's syncs from the ledger.
    private func writeUntilNothingWaits() {
        guard writeWaiting() else { return }
        queue.asyncAfter(deadline: .now() + options.pause) { self.writeUntilNothingWaits() }
    }

    /// - Returns: whether something was written. Where nothing waited, or nothing can be written, the next record begins
    ///   anew.
    private func writeWaiting() -> Bool {
        let (records, lost) = state.withLock { state in
            defer { (state.waiting, state.lost) = ([], 0) }
            if state.waiting.isEmpty { state.isWriting = false }
            return (state.waiting, state.lost)
        }
        guard !records.isEmpty || lost > 0 else { return false }
        var bytes = records.flatMap(\.line)
        if lost > 0 { bytes += Self.lossLine(lost) }
        do throws(RotatingFile.Failure) { try file.append(bytes) } catch {
            report(lost: records.count + lost, error)
            return false
        }
        state.withLock { state in
            state.written += records.count
            state.syncs += 1
            state.failures = 0
        }
        return true
    }

    private static func lossLine(_ count: Int) -> [UInt8] {
        AuditRecord(
            time: WallClock.now(), principal: "server", address: "local", action: "\(count) changes were not recorded",
            status: 0, code: "audit_lost", correlationID: ""
        ).line
    }

    private func report(lost count: Int, _ failure: RotatingFile.Failure) {
        let isFirst = state.withLock { state in
            state.lost += count
            // With the next record it is tried again.
            state.isWriting = false
            state.failures += 1
            return state.failures == 1
        }
        guard isFirst else { return }
        logger?.error(
            "the audit log cannot be written", metadata: ["file": "\(file.path)", "error": "\(failure)"])
    }
}

extension RotatingFile {
    /// The audit log of a data folder: the newest file is `audit.jsonl`, those before it `audit.1.jsonl` and so on.
    static func audit(_ directory: String, _ options: AuditLog.Options = .init()) -> RotatingFile {
        RotatingFile(
            paths: (0..<options.files).map { "\(directory)/\(DataFile.auditLog($0))" }, maxBytes: options.maxBytes,
            isSynced: true)
    }
}
