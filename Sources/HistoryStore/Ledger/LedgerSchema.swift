import GRDB

/// The ledger's tables, as a list of migrations that is only ever added to.
enum LedgerSchema {
    static var migrator: DatabaseMigrator {
        DatabaseMigrator([
            "1 ledger": """
            -- One range of neighbouring rows an account; the key makes it impossible to write an entry twice.
            CREATE TABLE ledger (
                account TEXT NOT NULL,
                sequence INTEGER NOT NULL,
                time REAL NOT NULL,
                kind TEXT NOT NULL,
                body TEXT NOT NULL,
                checksum INTEGER NOT NULL,
                PRIMARY KEY (account, sequence)
            ) WITHOUT ROWID;
            -- Append-only for every program that opens it.
            CREATE TRIGGER ledger_is_not_changed BEFORE UPDATE ON ledger
                BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
            CREATE TRIGGER ledger_is_not_shortened BEFORE DELETE ON ledger
                BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
            -- For curves; what it says follows from the ledger and the market, so it may be thinned.
            CREATE TABLE equity (
                account TEXT NOT NULL,
                currency TEXT NOT NULL,
                timestamp REAL NOT NULL,
                equity TEXT NOT NULL,
                PRIMARY KEY (account, currency, timestamp)
            ) WITHOUT ROWID;
            """
        ])
    }

    static let insert = "INSERT INTO ledger (account, sequence, time, kind, body, checksum) VALUES (?, ?, ?, ?, ?, ?)"

    static let insertPoint = """
        INSERT INTO equity (account, currency, timestamp, equity) VALUES (?, ?, ?, ?)
        ON CONFLICT (account, currency, timestamp) DO UPDATE SET equity = excluded.equity
        """

    /// Drops every second point of the older half.
    static let thin = """
        DELETE FROM equity WHERE account = ?1 AND currency = ?2 AND timestamp IN (
            SELECT timestamp FROM (
                SELECT timestamp, ROW_NUMBER() OVER (ORDER BY timestamp) AS number FROM equity
                WHERE account = ?1 AND currency = ?2)
            WHERE number % 2 = 0 AND number <= ?3)
        """
}
