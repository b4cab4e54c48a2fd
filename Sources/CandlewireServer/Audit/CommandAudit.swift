import Foundation
import HistoryStore

/// Records what commands of this machine change, in the audit logs that `candlewire audit` reads. A server may run meanwhile.
package enum CommandAudit {
    /// - Parameters:
    ///   - action: the command, without secrets.
    ///   - account: the account that it is about; `nil`: none, or several.
    ///   - status: as an answer over REST would have it.
    ///   - directory: the data folder.
    ///   - hasLive: whether the change is one of the subfolder for real markets, too. Its log gets the record then, where there
    ///     is one.
    /// - Returns: the folders whose log cannot be written.
    package static func record(
        _ action: String, account: String? = nil, status: Int, code: String? = nil, in directory: String,
        hasLive: Bool
    ) -> [String] {
        let line = AuditRecord(
            time: Date().timeIntervalSince1970, principal: "user:\(user)", address: "local command", action: action,
            account: account, status: status, code: code, correlationID: ""
        ).line
        let live = DataDirectory.live(directory)
        try? DataDirectory.create(directory)
        return (hasLive && hasLog(live) ? [directory, live] : [directory]).filter { folder in
            do throws(RotatingFile.Failure) { try RotatingFile.audit(folder).append(line) } catch { return true }
            return false
        }
    }

    package static func hasLog(_ directory: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(directory)/\(DataFile.auditLog(0))")
    }

    /// The account of the system that runs this process, as whomever it acts.
    private static var user: String {
        getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(getuid())"
    }
}
