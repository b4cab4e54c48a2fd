import Foundation
import Testing

@testable import CandlewireServer

@Suite("The audit log")
struct AuditLogTests {
    private static func folder() throws -> String {
        let folder = RunningServer.temporaryFolder()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    private static func record(_ number: Int, principal: String = "token:desk", account: String? = nil) -> AuditRecord {
        AuditRecord(
            time: 1_750_000_000 + Double(number), principal: principal, address: "192.0.2.1",
            action: "POST /v1/orders", account: account, order: "paper-main-o\(number)", status: 201,
            correlationID: "c-\(number) \"quoted\"\n")
    }

    private static func read(
        _ folder: String, _ filter: AuditReader.Filter = AuditReader.Filter()
    ) throws -> [AuditRecord] {
        var found: [AuditRecord] = []
        try AuditReader.read(folder, filter) { record, _ in found.append(record) }
        return found
    }

    @Test("has what was appended, in order, for its owner's eyes alone, and goes on after a restart")
    func roundTrip() throws {
        let folder = try Self.folder()
        let log = try AuditLog(directory: folder)
        let records = (0..<10).map { Self.record($0) }
        for record in records[..<5] { log.append(record) }
        log.flush()
        #expect(try Self.read(folder) == Array(records[..<5]))
        let again = try AuditLog(directory: folder)
        for record in records[5...] { again.append(record) }
        again.flush()
        #expect(try Self.read(folder) == records)
        let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/audit.jsonl")[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("can be read by time, account and principal")
    func filters() throws {
        let folder = try Self.folder()
        let log = try AuditLog(directory: folder)
        for number in 0..<6 {
            log.append(
                Self.record(
                    number, principal: number < 3 ? "jwt:ada" : "jwt:bob",
                    account: number.isMultiple(of: 2) ? "paper-ada" : nil))
        }
        log.flush()
        func orders(_ filter: AuditReader.Filter) throws -> [String] {
            try Self.read(folder, filter).compactMap { $0.order.map { String($0.suffix(1)) } }
        }
        #expect(try orders(.init(since: 1_750_000_004)) == ["4", "5"])
        #expect(try orders(.init(account: "paper-ada")) == ["0", "2", "4"])
        #expect(try orders(.init(account: "paper-ada", principal: "jwt:bob")) == ["4"])
        #expect(throws: ServerError.self) { try Self.read("/nowhere") }
    }

    @Test("keeps so many files of so many bytes, and the newest records")
    func rotation() throws {
        let folder = try Self.folder()
        var options = AuditLog.Options()
        (options.maxBytes, options.files) = (2000, 3)
        let log = try AuditLog(directory: folder, options: options)
        for number in 0..<200 {
            log.append(Self.record(number))
            log.flush()
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(files == ["audit.1.jsonl", "audit.2.jsonl", "audit.jsonl"])
        for file in files {
            let size = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(file)")[.size] as? Int
            #expect(size ?? .max <= 2000)
        }
        let numbers = try Self.read(folder).map { Int($0.time) - 1_750_000_000 }
        #expect(numbers == Array((200 - numbers.count)..<200) && numbers.count > 15)
    }

    @Test("syncs the disk once for all that waits, and never keeps the caller waiting")
    func groups() throws {
        let folder = try Self.folder()
        let log = try AuditLog(directory: folder)
        for number in 0..<5000 { log.append(Self.record(number)) }
        log.flush()
        #expect(log.counts.written == 5000 && log.counts.syncs < 1000, "\(log.counts)")
    }

    @Test("a line that a crash cut off is left out, and swallows no other")
    func tornLine() throws {
        let folder = try Self.folder()
        let whole = try AuditLog(directory: folder)
        whole.append(Self.record(1))
        whole.flush()
        let path = "\(folder)/audit.jsonl"
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(#"{"time":17500,"princ"#.utf8))
        try handle.close()
        let log = try AuditLog(directory: folder)
        log.append(Self.record(2))
        log.flush()
        #expect(try Self.read(folder) == [Self.record(1), Self.record(2)])
    }

    @Test("several processes append at the same time, and rotate, without a lost or torn line")
    func severalWriters() async throws {
        let folder = try Self.folder()
        var options = AuditLog.Options()
        (options.maxBytes, options.files) = (4000, 100)
        // Each append opens the file anew, and so has a lock of its own, as processes have.
        let file = RotatingFile.audit(folder, options)
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<100 { #expect(file.append(Self.record(1000 * writer + number).line)) }
                }
            }
        }
        let numbers = try Self.read(folder).map { Int($0.time) - 1_750_000_000 }
        #expect(numbers.count == 400 && Set(numbers).count == 400)
        for writer in 0..<4 {
            let own = numbers.filter { $0 / 1000 == writer }
            #expect(own == own.sorted(), "in the order in which each wrote")
        }
    }

    @Test("a process that was stopped while it wrote does not stop the server: what is not written is counted")
    func heldLock() throws {
        let folder = try Self.folder()
        let log = try AuditLog(directory: folder)
        let held = open("\(folder)/audit.jsonl", O_RDWR)
        #expect(flock(held, LOCK_EX) == 0)
        log.append(Self.record(1))
        log.flush()
        #expect(log.counts.written == 0 && log.counts.lost == 1)
        close(held)
        log.append(Self.record(2))
        log.flush()
        #expect(try Self.read(folder).map(\.action) == [Self.record(2).action, "1 changes were not recorded"])
    }

    @Test("a file that is full and cannot be renamed grows on, and no older one is deleted")
    func fullAndNotRenamed() throws {
        let folder = try Self.folder()
        let paths = ["log", "none/log.1", "log.2"].map { "\(folder)/\($0)" }
        try Data("older".utf8).write(to: URL(fileURLWithPath: paths[2]))
        let file = RotatingFile(paths: paths, maxBytes: 50, isSynced: false)
        for number in 0..<20 { #expect(file.append(Array("line \(number)\n".utf8))) }
        #expect(try String(contentsOfFile: paths[0], encoding: .utf8).split(separator: "\n").count == 20)
        #expect(try String(contentsOfFile: paths[2], encoding: .utf8) == "older")
    }

    @Test("what could not be written is counted, and the count is written when it can be")
    func losses() throws {
        let folder = try Self.folder()
        let log = try AuditLog(directory: folder)
        try FileManager.default.removeItem(atPath: folder)
        log.append(Self.record(1))
        log.append(Self.record(2))
        log.flush()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        log.append(Self.record(3))
        log.flush()
        let found = try Self.read(folder)
        #expect(found.first == Self.record(3))
        #expect(found.last?.code == "audit_lost" && found.last?.action == "2 changes were not recorded", "\(found)")
    }
}
