import Foundation
import HistoryStore

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

    private static func number(_ name: String) -> Int? {
        let number = Int(name.filter(\.isNumber)) ?? 0
        return DataFile.auditLog(number) == name ? number : nil
    }
}
