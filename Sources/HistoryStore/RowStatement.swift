import GRDB
import GRDBSQLite

/// A prepared statement that is run for many rows, through SQLite's own interface: of each row GRDB makes an array of values
/// and looks for observers, of which there are none, which takes as long as the row.
struct RowStatement {
    private let statement: Statement
    private let db: Database

    init(_ sql: String, _ db: Database) throws {
        statement = try db.cachedStatement(sql: sql)
        self.db = db
    }

    // SQLite copies texts and bytes.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    func bind(_ index: Int32, _ value: Int) { sqlite3_bind_int64(statement.sqliteStatement, index, Int64(value)) }

    func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(statement.sqliteStatement, index, value) }

    func bind(_ index: Int32, _ text: String?) {
        guard var text else { return bindNull(index) }
        text.withUTF8 { text in
            _ = text.withMemoryRebound(to: CChar.self) { text in
                sqlite3_bind_text(statement.sqliteStatement, index, text.baseAddress, Int32(text.count), Self.copied)
            }
        }
    }

    func bind(_ index: Int32, _ bytes: [UInt8]?) {
        guard let bytes else { return bindNull(index) }
        _ = bytes.withUnsafeBytes {
            // A null pointer would bind NULL.
            $0.isEmpty
                ? sqlite3_bind_zeroblob(statement.sqliteStatement, index, 0)
                : sqlite3_bind_blob(statement.sqliteStatement, index, $0.baseAddress, Int32($0.count), Self.copied)
        }
    }

    private func bindNull(_ index: Int32) { sqlite3_bind_null(statement.sqliteStatement, index) }

    /// Runs it with the values that were bound. Those that are not bound again stay for the next row.
    func run() throws {
        let code = sqlite3_step(statement.sqliteStatement)
        // Also where it failed: the next row must find it ready. The message stays that of the failure.
        sqlite3_reset(statement.sqliteStatement)
        guard code == SQLITE_DONE else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage)
        }
    }
}
