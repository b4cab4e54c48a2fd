import GRDB

/// What can be compared of two copies of a database without knowing its tables.
enum DatabaseContents {
    /// Lets SQLite check a file that nobody writes, and counts its rows.
    /// - Parameter damage: makes an error of what SQLite found.
    /// - Complexity: O(n), one reading of the file and one of each table.
    static func read(
        _ path: String, damage: (String) -> StoreError
    ) throws -> (schema: [String], rows: [String: Int]) {
        var configuration = Configuration()
        configuration.readonly = true
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let contents = try queue.read { db in
                let flaw = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "ok"
                guard flaw == "ok" else { throw damage(flaw) }
                var rows: [String: Int] = [:]
                let tables = try String.fetchAll(
                    db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
                for table in tables {
                    rows[table] = try Int.fetchOne(
                        db, sql: "SELECT count(*) FROM \"\(table.replacing("\"", with: "\"\""))\"")
                }
                let schema =
                    tables.contains("grdb_migrations")
                    ? try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid") : []
                return (schema: schema, rows: rows)
            }
            try queue.close()
            return contents
        } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
            throw damage(error.message ?? "it is not an SQLite database")
        }
    }
}
