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
    static let fileName = "audit.jsonl"

    struct Options: Sendable {
        /// Bytes of a file.
        var maxBytes = 16 << 20
        /// Files, the one that is written among them.
        var files = 8
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

    private let path: String
    private let options: Options
    private let logger: Logger?
    private let queue = DispatchQueue(label: "candlewire.audit", qos: .utility)
    private let state = Mutex(State())

    /// - Throws: `ServerError` where the file cannot be written.
    init(directory: String, options: Options = Options(), logger: Logger? = nil) throws(ServerError) {
        path = "\(directory)/\(Self.fileName)"
        self.options = options
        self.logger = logger
        guard let file = Self.open(path) else {
            throw ServerError(.data, "The audit log \(path) cannot be written; check the permissions of its folder.")
        }
        // A line that a crash cut off must not swallow the next one.
        let end = lseek(file, 0, SEEK_END)
        var last: UInt8 = 0
        if end > 0, pread(file, &last, 1, end - 1) == 1, last != UInt8(ascii: "\n") { _ = Self.write([0x0A], to: file) }
        close(file)
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
        if isFirst { queue.async { self.writeWaiting() } }
    }

    /// Waits until everything that was appended is on disk.
    func flush() { queue.sync { writeWaiting() } }

    /// Records written, and syncs of the disk for them.
    var counts: (written: Int, syncs: Int, lost: Int) { state.withLock { ($0.written, $0.syncs, $0.lost) } }

    // MARK: On the queue

    private func writeWaiting() {
        while true {
            let (records, lost) = state.withLock { state in
                defer { (state.waiting, state.lost) = ([], 0) }
                if state.waiting.isEmpty { state.isWriting = false }
                return (state.waiting, state.lost)
            }
            guard !records.isEmpty || lost > 0 else { return }
            var bytes: [UInt8] = []
            for record in records {
                record.write(into: &bytes)
                bytes.append(UInt8(ascii: "\n"))
            }
            if lost > 0 { bytes += Self.lossLine(lost) }
            if append(bytes) {
                state.withLock { state in
                    state.written += records.count
                    state.syncs += 1
                    state.failures = 0
                }
            } else {
                return report(lost: records.count + lost)
            }
        }
    }

    private static func lossLine(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        AuditRecord(
            time: WallClock.now(), principal: "server", address: "local", action: "\(count) changes were not recorded",
            status: 0, code: "audit_lost", correlationID: ""
        ).write(into: &bytes)
        return bytes + [UInt8(ascii: "\n")]
    }

    private func report(lost count: Int) {
        let isFirst = state.withLock { state in
            state.lost += count
            // With the next record it is tried again.
            state.isWriting = false
            state.failures += 1
            return state.failures == 1
        }
        if isFirst { logger?.error("the audit log cannot be written", metadata: ["file": "\(path)"]) }
    }

    private func append(_ bytes: [UInt8]) -> Bool {
        guard var file = Self.open(path) else { return false }
        let size = lseek(file, 0, SEEK_END)
        if size > 0, Int(size) + bytes.count > options.maxBytes {
            close(file)
            rotate()
            guard let next = Self.open(path) else { return false }
            file = next
        }
        defer { close(file) }
        let start = lseek(file, 0, SEEK_END)
        guard Self.write(bytes, to: file) else {
            // Half a line would make the next one unreadable.
            _ = ftruncate(file, start)
            return false
        }
        return fsync(file) == 0
    }

    private func rotate() {
        unlink(Self.path(path, options.files - 1))
        for number in stride(from: options.files - 2, through: 0, by: -1) {
            rename(Self.path(path, number), Self.path(path, number + 1))
        }
    }

    private static func path(_ path: String, _ number: Int) -> String {
        number == 0 ? path : "\(path.dropLast(".jsonl".count)).\(number).jsonl"
    }

    private static func open(_ path: String) -> Int32? {
        let file = Foundation.open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { return nil }
        // Made by others, or under a wider mask.
        _ = fchmod(file, 0o600)
        return file
    }

    private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = Foundation.write(file, bytes.baseAddress! + done, bytes.count - done)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }
}

/// Reads an audit log, while a server writes it or without one.
package enum AuditReader {
    package struct Filter: Sendable {
        /// Seconds since 1970 UTC.
        package var since: Double?
        package var account: String?
        package var principal: String?

        package init(since: Double? = nil, account: String? = nil, principal: String? = nil) {
            self.since = since
            self.account = account
            self.principal = principal
        }

        func includes(_ record: AuditRecord) -> Bool {
            (since.map { record.time >= $0 } ?? true) && (account.map { record.account == $0 } ?? true)
                && (principal.map { record.principal == $0 } ?? true)
        }
    }

    /// The records of a data folder, oldest first, one after the other.
    /// - Parameter body: gets each, and its line as it is in the file.
    /// - Throws: `ServerError` where there is no log, or a file cannot be read.
    package static func read(
        _ directory: String, _ filter: Filter, _ body: (AuditRecord, [UInt8]) -> Void
    ) throws(ServerError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        let files = names.compactMap { name in number(name).map { (number: $0, path: "\(directory)/\(name)") } }
        guard !files.isEmpty else {
            throw ServerError(.data, "There is no audit log in \(directory); choose another folder with --data-dir.")
        }
        for file in files.sorted(by: { $0.number > $1.number }) {
            guard let data = FileManager.default.contents(atPath: file.path) else {
                throw ServerError(.data, "The audit log \(file.path) cannot be read.")
            }
            for line in data.split(separator: UInt8(ascii: "\n")) {
                guard let record = AuditRecord(line: line), filter.includes(record) else { continue }
                body(record, Array(line))
            }
        }
    }

    /// `audit.3.jsonl` is 3.
    private static func number(_ name: String) -> Int? {
        if name == AuditLog.fileName { return 0 }
        let parts = name.split(separator: ".")
        guard parts.count == 3, parts[0] == "audit", parts[2] == "jsonl" else { return nil }
        return Int(parts[1])
    }
}
