import Foundation
import GRDB
import Testing

@testable import HistoryStore

@Suite("The store of conversations", .timeLimit(.minutes(15)))
struct ConversationStoreTests {
    private func append(_ store: ConversationStore, _ append: ConversationAppend) async -> Result<Void, StoreError> {
        await withCheckedContinuation { continuation in
            store.append(append) { continuation.resume(returning: $0) }
        }
    }

    private func entries(_ numbers: ClosedRange<Int>, _ text: String = "x") -> [ConversationRecord] {
        numbers.map { ConversationRecord(number: $0, time: 100 + Double($0), kind: "test", body: "\(text) \($0)") }
    }

    private func opening(_ id: String, user: String = "anna", kind: String = "nutrition") -> ConversationAppend {
        ConversationAppend(conversation: id, opening: .init(user: user, kind: kind), records: entries(1...1))
    }

    @Test("gives back what was written after it was closed and opened again, in order")
    func reopening() async throws {
        let directory = try TemporaryDirectory()
        let store = try ConversationStore(directory: directory.path)
        try await append(store, opening("a")).get()
        try await append(
            store,
            ConversationAppend(conversation: "a", records: entries(2...4), title: "First words", messages: 2)
        ).get()
        try await append(store, ConversationAppend(conversation: "a", records: entries(5...5), title: "Later")).get()
        try store.close()

        let again = try ConversationStore(directory: directory.path)
        #expect(try await again.records(of: "a") == entries(1...5))
        #expect(try await again.records(of: "b").isEmpty)
        let summary = try #require(try await again.summary(of: "a"))
        #expect(
            summary
                == ConversationSummary(
                    id: "a", user: "anna", kind: "nutrition", title: "First words", createdAt: 101, updatedAt: 105,
                    messages: 2))
        #expect(try await again.owners() == ["a": "anna"])
        try again.close()
    }

    @Test("users of a file from before namespaces get new names once, in the list and in the log")
    func renaming() async throws {
        let directory = try TemporaryDirectory()
        let database = try DatabasePool(path: directory.path + "/" + ConversationStore.fileName)
        let migrator = ConversationSchema.migrator { $0 }
        try migrator.migrate(database, upTo: "1 conversations")
        try await database.write { db in
            for (number, user) in ["anna", "ben"].enumerated() {
                let body = #"{"kind":"opened","user":"\#(user)","number":1}"#
                try db.execute(ConversationSchema.open, [user, user, "markets", nil, 1.0, 1.0, 0, 1])
                try db.execute(ConversationSchema.insert, [user, 1, Double(number), "opened", body])
            }
        }
        try database.close()
        var options = ConversationStore.Options()
        options.renameUser = { $0 == "anna" ? "jwt\u{1F}anna" : $0 }
        for _ in 0..<2 {
            let store = try ConversationStore(directory: directory.path, options: options)
            #expect(try await store.owners() == ["anna": "jwt\u{1F}anna", "ben": "ben"])
            #expect(try await store.records(of: "anna")[0].body.contains(#""user":"jwt\u001fanna""#))
            #expect(try await store.records(of: "ben")[0].body.contains(#""user":"ben""#))
            let shown = try await store.summaries(user: nil, without: "\u{1F}", limit: 9)
            #expect(shown.map(\.id) == ["ben"])
            try store.close()
            // Whatever is configured later.
            options.renameUser = { "other \($0)" }
        }
    }

    @Test("refuses what does not follow, and nothing else of the same group")
    func conflicts() async throws {
        let directory = try TemporaryDirectory()
        let store = try ConversationStore(directory: directory.path)
        try await append(store, opening("a")).get()
        let wrong: [ConversationAppend] = [
            opening("a"),
            ConversationAppend(conversation: "a", records: entries(3...3)),
            ConversationAppend(conversation: "a", records: entries(2...2) + entries(4...4)),
            ConversationAppend(conversation: "unknown", records: entries(2...2)),
            ConversationAppend(
                conversation: "a", records: [ConversationRecord(number: 2, time: .nan, kind: "test", body: "")]),
        ]
        await withTaskGroup(of: Void.self) { group in
            for wrong in wrong {
                group.addTask { await #expect(throws: StoreError.self) { try await append(store, wrong).get() } }
            }
            group.addTask {
                await #expect(throws: Never.self) { try await append(store, opening("b", user: "ben")).get() }
            }
        }
        #expect(try await store.records(of: "a") == entries(1...1))
        #expect(try await store.records(of: "b") == entries(1...1))
        #expect(!store.statistics.writes.isFailing)
        try store.close()
        await #expect(throws: StoreError.self) { try await append(store, opening("c")).get() }
    }

    @Test("lists the newest first, page by page, by user and by type")
    func listing() async throws {
        let directory = try TemporaryDirectory()
        let store = try ConversationStore(directory: directory.path)
        for number in 1...7 {
            try await append(
                store, opening("c\(number)", user: number % 3 == 0 ? "ben" : "anna", kind: number > 4 ? "markets" : "x")
            ).get()
        }
        func ids(_ user: String?, _ kind: String? = nil, before: String? = nil, limit: Int = 10) async throws
            -> [String]
        {
            try await store.summaries(user: user, kind: kind, before: before, limit: limit).map(\.id)
        }
        #expect(try await ids(nil) == ["c7", "c6", "c5", "c4", "c3", "c2", "c1"])
        #expect(try await ids("anna", limit: 2) == ["c7", "c5"])
        #expect(try await ids("anna", before: "c5", limit: 2) == ["c4", "c2"])
        #expect(try await ids("ben", "markets") == ["c6"])
        #expect(try await ids(nil, before: "nowhere").isEmpty)
        try store.close()
    }

    @Test("deleting a conversation leaves none of its text in the files, and refuses further records")
    func deleting() async throws {
        let directory = try TemporaryDirectory()
        let store = try ConversationStore(directory: directory.path)
        let secret = "my very private question"
        try await append(store, opening("a")).get()
        try await append(store, ConversationAppend(conversation: "a", records: entries(2...60, secret))).get()
        try await append(store, opening("b")).get()
        #expect(try Self.contents(of: directory.path).contains(secret))
        try await withCheckedThrowingContinuation { continuation in
            store.delete(["a", "nowhere"]) { continuation.resume(with: $0) }
        }
        #expect(try await store.records(of: "a").isEmpty)
        #expect(try await store.summary(of: "a") == nil)
        #expect(try await store.records(of: "b").count == 1)
        await #expect(throws: StoreError.self) {
            try await append(store, ConversationAppend(conversation: "a", records: entries(61...61))).get()
        }
        #expect(try !Self.contents(of: directory.path).contains(secret))
        try store.close()
    }

    @Test("what is deleted during a read leaves the files when the read ends, without another write")
    func deletingUnderAReader() async throws {
        let directory = try TemporaryDirectory()
        var options = ConversationStore.Options()
        options.cleanUpInterval = .milliseconds(20)
        let store = try ConversationStore(directory: directory.path, options: options)
        let secret = "my very private question"
        try await append(store, opening("a")).get()
        try await append(store, ConversationAppend(conversation: "a", records: entries(2...60, secret))).get()
        // Another process that reads, a backup for example: it sees the moment at which it began.
        let reader = try DatabaseQueue(path: store.path, configuration: Self.unsafe)
        try await reader.writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN")
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM entry") == 60)
        }
        try await withCheckedThrowingContinuation { continuation in
            store.delete(["a", "nowhere"]) { continuation.resume(with: $0) }
        }
        #expect(try await store.summary(of: "a") == nil)
        #expect(try Self.contents(of: directory.path).contains(secret))
        #expect(store.statistics.hasRemains && store.statistics.deletedRemaining == 1)
        // Writing goes on meanwhile.
        try await append(store, opening("b")).get()
        try await reader.writeWithoutTransaction { db in try db.execute(sql: "COMMIT") }
        try reader.close()
        while store.statistics.hasRemains { try await Task.sleep(for: .milliseconds(5)) }
        #expect(store.statistics.deletedRemaining == 0)
        #expect(try !Self.contents(of: directory.path).contains(secret))
        try store.close()
    }

    @Test("opening the store removes the deleted text that a killed server left in the write-ahead log")
    func remainsOfAKilledServer() async throws {
        let directory = try TemporaryDirectory()
        let secret = "my very private question"
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = directory.path as String, secret = secret as String] in
            var options = ConversationStore.Options()
            options.cleanUpInterval = .seconds(3600)
            let store = try ConversationStore(directory: path, options: options)
            _ = await withCheckedContinuation { continuation in
                store.append(
                    ConversationAppend(
                        conversation: "a", opening: .init(user: "anna", kind: "x"),
                        records: [ConversationRecord(number: 1, time: 1, kind: "test", body: secret)])
                ) { continuation.resume(returning: $0) }
            }
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let reader = try DatabaseQueue(path: store.path, configuration: configuration)
            try await reader.writeWithoutTransaction { db in
                try db.execute(sql: "BEGIN")
                _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM entry")
            }
            _ = await withCheckedContinuation { continuation in
                store.delete(["a"]) { continuation.resume(returning: $0) }
            }
            Foundation.kill(getpid(), SIGKILL)
        }
        #expect(try Self.contents(of: directory.path).contains(secret))
        let store = try ConversationStore(directory: directory.path)
        #expect(try !Self.contents(of: directory.path).contains(secret))
        try store.close()
    }

    /// For readers that stay where they began.
    private static var unsafe: Configuration {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        return configuration
    }

    /// Every file of the folder, byte by byte.
    private static func contents(of folder: String) throws -> String {
        try FileManager.default.contentsOfDirectory(atPath: folder).map { name in
            String(decoding: FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data(), as: UTF8.self)
        }.joined()
    }

    @Test("finds the conversations in which nothing happened since a time, the oldest first")
    func quiet() async throws {
        let directory = try TemporaryDirectory()
        let store = try ConversationStore(directory: directory.path)
        for (id, last) in [("a", 9), ("b", 2), ("c", 5)] {
            try await append(store, opening(id)).get()
            try await append(store, ConversationAppend(conversation: id, records: entries(2...last))).get()
        }
        #expect(try await store.quiet(since: 106, limit: 10) == ["b", "c"])
        #expect(try await store.quiet(since: 1_000, limit: 1) == ["b"])
        #expect(try await store.quiet(since: 102, limit: 10).isEmpty)
        try store.close()
    }

    @Test("every acknowledged record is there after kill -9, without a hole", arguments: [1, 30])
    func kill(after acknowledged: Int) async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String, acknowledged] in
            let store = try ConversationStore(directory: path)
            let notes = open("\(path)/notes", O_WRONLY | O_CREAT | O_APPEND, 0o600)
            for number in 1...100_000 {
                let record = ConversationRecord(
                    number: number, time: Double(number), kind: "test", body: "body \(number)")
                let append = ConversationAppend(
                    conversation: "a", opening: number == 1 ? .init(user: "anna", kind: "x") : nil, records: [record])
                let result = await withCheckedContinuation { continuation in
                    store.append(append) { continuation.resume(returning: $0) }
                }
                guard case .success = result else { return }
                let note = Array("\(number)\n".utf8)
                _ = write(notes, note, note.count)
                if number >= acknowledged { Foundation.kill(getpid(), SIGKILL) }
            }
        }
        let notes = try String(contentsOfFile: "\(directory.path)/notes", encoding: .utf8)
        let last = notes.split(separator: "\n").last.flatMap { Int($0) } ?? 0
        #expect(last >= acknowledged)
        let store = try ConversationStore(directory: directory.path)
        let records = try await store.records(of: "a")
        #expect(records.count >= last)
        for (index, record) in records.enumerated() {
            #expect(record.number == index + 1)
            #expect(record.body == "body \(record.number)")
        }
        try store.close()
    }
}
