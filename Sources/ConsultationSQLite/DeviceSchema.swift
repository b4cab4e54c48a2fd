import GRDB
import HistoryStore

/// The tables of a device's conversations, as a list of migrations that is only ever added to.
enum DeviceSchema {
    static var migrator: DatabaseMigrator {
        DatabaseMigrator([
            "1 conversations": """
            CREATE TABLE conversation (
                id TEXT PRIMARY KEY,
                changed_at REAL NOT NULL,
                waiting INTEGER NOT NULL,
                -- JSON, as StoredConversation writes it: the order of the messages and where the server's events stopped.
                head TEXT NOT NULL
            ) WITHOUT ROWID;
            CREATE INDEX conversation_by_age ON conversation (changed_at);
            CREATE TABLE message (
                conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
                id TEXT NOT NULL,
                body TEXT NOT NULL,
                PRIMARY KEY (conversation, id)
            ) WITHOUT ROWID;
            """
        ])
    }

    static let head = """
        INSERT INTO conversation (id, changed_at, waiting, head) VALUES (?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET changed_at = excluded.changed_at, waiting = excluded.waiting, head = excluded.head
        """

    static let message = """
        INSERT INTO message (conversation, id, body) VALUES (?, ?, ?)
        ON CONFLICT (conversation, id) DO UPDATE SET body = excluded.body
        """

    /// Deletes what is beyond the number of conversations, but not the one named, nor one in which a message waits.
    static let trim = """
        DELETE FROM conversation WHERE waiting = 0 AND id <> ?1 AND id IN (
            SELECT id FROM conversation ORDER BY changed_at DESC, id LIMIT -1 OFFSET ?2)
        """
}
