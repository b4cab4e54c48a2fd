import ArgumentParser
import CandlewireServer
import FinanceChartsKit
import Foundation
import HistoryStore

/// `candlewire audit`: shows who changed what.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show who changed what on a server, from its audit log.",
        discussion: """
            The log is in the data folder; the server may run meanwhile. Oldest first.

            EXAMPLES
              candlewire audit --since 2h
              candlewire audit --since 2026-11-26T09:00:00Z --account paper-main
              candlewire audit --principal token:desk --json
            """)

    @Option("Only changes since then: a time as 2026-11-26T09:00:00Z, or so long ago as 30m, 2h or 7d.", "time")
    var since: String?
    @Option("Only changes of this account.", "id") var account: String?
    @Option("Only changes by this principal: token:NAME, jwt:SUBJECT, stream-token, everyone, ....", "name")
    var principal: String?
    @Flag(help: "Write the log's lines as they are: one JSON document a line.") var json = false
    @Option("The server's data folder; that of real markets is its subfolder live.", "folder")
    var dataDir = DataDirectory.chosen()

    func run() async throws {
        try await Failure.exitCleanly {
            let filter = AuditReader.Filter(since: try since.map(time), account: account, principal: principal)
            var rows: [AuditRecord] = []
            try AuditReader.read(dataDir, filter) { record, line in
                if json { Console.write(Data(line + [0x0A]), to: .standardOutput) } else { rows.append(record) }
            }
            guard !json else { return }
            guard !rows.isEmpty else { return Console.writeError("There is no such change.\n") }
            Console.write(
                TextTable.text(rows) { row in
                    [
                        .left("TIME (UTC)", TimeText.utc(row.time)), .left("PRINCIPAL", row.principal),
                        .left("ADDRESS", row.address), .left("ACTION", row.action), .left("ACCOUNT", row.account),
                        .left("ORDER", row.order), .right("STATUS", row.status), .left("CODE", row.code),
                        .left("CORRELATION ID", row.correlationID),
                    ]
                })
        }
    }

    private func time(_ text: String) throws -> Double {
        let units = ["m": 60.0, "h": 3600, "d": 86_400]
        if let unit = text.last.flatMap({ units[String($0)] }), let count = Double(text.dropLast()), count >= 0,
            count.isFinite
        {
            return Date().timeIntervalSince1970 - count * unit
        }
        return try require(
            CSVTimeFormat.time(text, zone: .utc),
            "--since must be a time as 2026-11-26T09:00:00Z, or 30m, 2h or 7d; it is \"\(text)\".")
    }
}

extension CommandAudit {
    /// Makes a change, and records its outcome in the audit log of a data folder.
    /// - Parameters:
    ///   - action: the command, without secrets.
    ///   - hasLive: see `record`.
    static func recording<Value>(
        _ action: String, in directory: String, hasLive: Bool, _ change: () async throws -> Value
    ) async throws -> Value {
        let value: Value
        do { value = try await change() } catch {
            note(action, status: 500, code: "failed", in: directory, hasLive: hasLive)
            throw error
        }
        note(action, status: 200, in: directory, hasLive: hasLive)
        return value
    }

    /// Records a change, acting as the folder's owner, and warns where a log cannot be written.
    static func note(
        _ action: String, account: String? = nil, status: Int, code: String? = nil, in directory: String,
        hasLive: Bool
    ) {
        var failed = [directory]
        if let acting = try? DataDirectory.actAsOwner(of: directory) {
            failed = record(action, account: account, status: status, code: code, in: directory, hasLive: hasLive)
            acting.end()
        }
        for folder in failed {
            Console.writeError("Warning: the audit log in \(folder) cannot be written; this change is not in it.\n")
        }
    }
}
