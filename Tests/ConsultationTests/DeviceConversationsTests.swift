import Consultation
import Foundation
import GRDB
import HistoryStore
import Testing

@testable import ConsultationSQLite
@testable import ConversationCore

@MainActor
@Suite struct DeviceConversationsTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chat-\(UUID().uuidString)").path

    private var path: String { "\(folder)/chat.sqlite" }

    private func change(_ time: Double, waiting: Int = 0, ids: [String] = []) -> ConversationChange {
        let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
        return ConversationChange(
            time: time, head: #"{"sequence":0,"messages":[\#(list)],"offered":[],"stopping":[]}"#,
            written: ids.map {
                .init(
                    id: $0, json: #"{"message_id":"\#($0)","role":"user","content":"text of \#($0)","timestamp":1}"#)
            },
            waiting: waiting)
    }

    @Test("what is not there, cannot be written, is no database or comes from a newer version is said in a sentence")
    func errors() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try DeviceConversations(path: path).close()
        func code(_ path: String) -> StoreError.Code? {
            do throws(StoreError) {
                _ = try DeviceConversations(path: path)
                return nil
            } catch {
                #expect(error.description.contains(path) || error.description.contains(folder))
                #expect(error.localizedDescription == error.description)
                return error.code
            }
        }
        #expect(code(path) == nil)
        #expect(code("\(path)/below/chat.sqlite") == .notADirectory)
        #expect(code(folder) == .unwritable)
        let damaged = "\(folder)/damaged.sqlite"
        try Data(repeating: 65, count: 8192).write(to: URL(fileURLWithPath: damaged))
        #expect(code(damaged) == .corrupt)
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('2 of a later version')") }
        try queue.close()
        #expect(code(path) == .newerSchema)
    }

    @Test("a file of the first version is read")
    func firstVersion() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    INSERT INTO grdb_migrations VALUES ('1 conversations');
                    CREATE TABLE conversation (id TEXT PRIMARY KEY, changed_at REAL NOT NULL, waiting INTEGER NOT NULL,
                        head TEXT NOT NULL) WITHOUT ROWID;
                    CREATE TABLE message (conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
                        id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (conversation, id)) WITHOUT ROWID;
                    INSERT INTO conversation VALUES ('c', 5, 1,
                        '{"has_older":true,"messages":["m1","m2"],"offered":["m2"],"sequence":7,"stopping":[]}');
                    INSERT INTO message VALUES ('c', 'm1',
                        '{"content":"hello","message_id":"m1","role":"user","timestamp":1}');
                    INSERT INTO message VALUES ('c', 'm2',
                        '{"content":"later","message_id":"m2","role":"user","timestamp":2,"unsent":""}');
                    """)
        }
        try queue.close()
        let device = try DeviceConversations(path: path)
        let stored = try #require(try device.storage(for: "c").load())
        #expect(stored.sequence == 7 && stored.hasOlder)
        #expect(stored.messages.map(\.text) == ["hello", "later"])
        #expect(stored.messages.map(\.state) == [.sent, .pending])
    }

    @Test("the conversations that did not change for the longest time go first, never one with waiting messages")
    func bounded() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var limits = DeviceConversations.Limits()
        limits.conversations = 3
        let device = try DeviceConversations(path: path, limits: limits)
        try device.storage(for: "waits").save(change(0, waiting: 1, ids: ["w"]))
        for number in 1...5 {
            try device.storage(for: "c\(number)").save(change(Double(number), ids: ["m\(number)", "n\(number)"]))
        }
        #expect(try device.conversations().map(\.id) == ["c5", "c4", "c3", "waits"])
        #expect(try device.conversations().last?.waiting == 1)
        #expect(try device.storage(for: "c1").load() == nil)
        #expect(try device.storage(for: "c5").load()?.messages.map(\.id) == ["m5", "n5"])
        try device.remove("waits")
        #expect(try device.storage(for: "waits").load() == nil)
        try device.close()
        // What went is not in the file, either.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes.range(of: Data("text of m1".utf8)) == nil && bytes.range(of: Data("text of w".utf8)) == nil)
        #expect(bytes.range(of: Data("text of m5".utf8)) != nil)
        #expect(throws: StoreError.self) { try device.storage(for: "c5").save(change(9)) }
    }
}
