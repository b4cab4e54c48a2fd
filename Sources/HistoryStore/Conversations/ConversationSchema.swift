import GRDB

/// The conversations' tables, as a list of migrations that is only ever added to.
enum ConversationSchema {
    /// - Parameter renameUser: see `ConversationStore.Options`.
    static func migrator(renameUser: @escaping @Sendable (String) -> String) -> DatabaseMigrator {
        var migrator = DatabaseMigrator([
            "1 conversations": """
            CREATE TABLE conversation (
                -- In the order in which they were begun; never used again.
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL UNIQUE,
                user TEXT NOT NULL,
                kind TEXT NOT NULL,
                title TEXT,
                created_at REAL NOT NULL,
                updated_at REAL NOT NULL,
                messages INTEGER NOT NULL,
                last_entry INTEGER NOT NULL
            );
            CREATE INDEX conversation_of_user ON conversation (user, number);
            CREATE INDEX conversation_by_age ON conversation (updated_at);
            -- One range of neighbouring rows a conversation; the key makes it impossible to write an entry twice.
            CREATE TABLE entry (
                conversation INTEGER NOT NULL REFERENCES conversation (number) ON DELETE CASCADE,
                number INTEGER NOT NULL,
                time REAL NOT NULL,
                kind TEXT NOT NULL,
                body TEXT NOT NULL,
                PRIMARY KEY (conversation, number)
            ) WITHOUT ROWID;
            """
        ])
        migrator.registerMigration("2 namespaces of users") { db in
            for user in try String.fetchAll(db, sql: "SELECT DISTINCT user FROM conversation") {
                let renamed = renameUser(user)
                // The log's first entry has the user as well.
                try db.execute(
                    sql: """
                        UPDATE entry SET body = json_set(body, '$.user', ?1)
                        WHERE number = 1 AND conversation IN (SELECT number FROM conversation WHERE user = ?2);
                        """,
                    arguments: [renamed, user])
                try db.execute(sql: "UPDATE conversation SET user = ?1 WHERE user = ?2", arguments: [renamed, user])
            }
        }
        return migrator
    }

    static let open = """
        INSERT INTO conversation (id, user, kind, title, created_at, updated_at, messages, last_entry)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// Changes nothing where the entries do not follow what is on disk, or the conversation was deleted.
    static let extend = """
        UPDATE conversation SET title = COALESCE(title, ?1), updated_at = ?2, messages = messages + ?3, last_entry = ?4
        WHERE id = ?5 AND last_entry = ?6
        """

    static let insert = """
        INSERT INTO entry (conversation, number, time, kind, body)
        VALUES ((SELECT number FROM conversation WHERE id = ?), ?, ?, ?, ?)
        """

    static let summary = "SELECT id, user, kind, title, created_at, updated_at, messages FROM conversation"
}
