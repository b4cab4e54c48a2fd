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
            """,
            "2 chain": """
            ALTER TABLE ledger ADD COLUMN principal TEXT;
            -- SHA-256 over the previous entry's hash and all fields but the checksum, which new entries have no more.
            ALTER TABLE ledger ADD COLUMN hash BLOB;
            -- The hash before an entry that ends an account: what was before it may be gone.
            ALTER TABLE ledger ADD COLUMN previous BLOB;
            DROP TRIGGER ledger_is_not_changed;
            DROP TRIGGER ledger_is_not_shortened;
            -- Entries of older versions get their hash, once.
            CREATE TRIGGER ledger_is_not_changed BEFORE UPDATE ON ledger
                WHEN OLD.hash IS NOT NULL OR OLD.account IS NOT NEW.account OR OLD.sequence IS NOT NEW.sequence
                    OR OLD.time IS NOT NEW.time OR OLD.kind IS NOT NEW.kind OR OLD.body IS NOT NEW.body
                    OR OLD.checksum IS NOT NEW.checksum OR OLD.principal IS NOT NEW.principal
                    OR OLD.previous IS NOT NEW.previous
                BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
            -- Only what a deletion has ended is removed, and what is in a block.
            CREATE TRIGGER ledger_is_not_shortened BEFORE DELETE ON ledger
                WHEN NOT EXISTS (
                    SELECT 1 FROM deletions
                    JOIN ledger AS ending ON ending.account = deletions.account AND ending.sequence = deletions.sequence
                    WHERE deletions.account = OLD.account AND deletions.sequence > OLD.sequence
                        AND ending.kind = 'account_deleted')
                    AND NOT EXISTS (
                        SELECT 1 FROM blocks WHERE blocks.account = OLD.account AND blocks.last >= OLD.sequence
                            AND blocks.first <= OLD.sequence)
                BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
            -- Entries of the past, compressed, in place of their rows.
            CREATE TABLE blocks (
                account TEXT NOT NULL,
                first INTEGER NOT NULL,
                last INTEGER NOT NULL,
                -- Of the last entry.
                hash BLOB NOT NULL,
                content BLOB NOT NULL,
                PRIMARY KEY (account, last)
            );
            CREATE TRIGGER blocks_are_not_changed BEFORE UPDATE ON blocks
                BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
            CREATE TRIGGER blocks_are_not_removed BEFORE DELETE ON blocks
                WHEN NOT EXISTS (
                    SELECT 1 FROM deletions
                    JOIN ledger AS ending ON ending.account = deletions.account AND ending.sequence = deletions.sequence
                    WHERE deletions.account = OLD.account AND deletions.sequence > OLD.last
                        AND ending.kind = 'account_deleted')
                BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
            -- Where each deleted account's ledger ended, the last time.
            CREATE TABLE deletions (account TEXT PRIMARY KEY, sequence INTEGER NOT NULL) WITHOUT ROWID;
            -- The newest two of each account.
            CREATE TABLE snapshots (
                account TEXT NOT NULL,
                sequence INTEGER NOT NULL,
                opened REAL NOT NULL,
                state BLOB NOT NULL,
                events BLOB NOT NULL,
                -- HMAC-SHA-256 by the ledger's key over all of it and the hash of its entry.
                signature BLOB NOT NULL,
                PRIMARY KEY (account, sequence)
            );
            -- Orders that were never accepted, the newest of each account.
            CREATE TABLE refused (
                account TEXT NOT NULL,
                number INTEGER NOT NULL,
                body TEXT NOT NULL,
                PRIMARY KEY (account, number)
            ) WITHOUT ROWID;
            -- The entries that ended orders and that are fills. They follow from the ledger.
            CREATE TABLE past_orders (
                account TEXT NOT NULL,
                number INTEGER NOT NULL,
                sequence INTEGER NOT NULL,
                symbol TEXT NOT NULL,
                status TEXT NOT NULL,
                PRIMARY KEY (account, number)
            ) WITHOUT ROWID;
            CREATE TABLE past_fills (
                account TEXT NOT NULL,
                number INTEGER NOT NULL,
                sequence INTEGER NOT NULL,
                symbol TEXT NOT NULL,
                order_number INTEGER NOT NULL,
                PRIMARY KEY (account, number)
            ) WITHOUT ROWID;
            -- Whether a head is kept beside the file.
            CREATE TABLE ledger_head (is_kept INTEGER NOT NULL);
            """,
        ])
    }

    static let insert = """
        INSERT INTO ledger (account, sequence, time, kind, body, checksum, principal, hash, previous)
        VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?)
        """

    static let insertPoint = """
        INSERT INTO equity (account, currency, timestamp, equity) VALUES (?, ?, ?, ?)
        ON CONFLICT (account, currency, timestamp) DO UPDATE SET equity = excluded.equity
        """

    static let insertOrder = """
        INSERT INTO past_orders (account, number, sequence, symbol, status) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING
        """

    static let insertFill = """
        INSERT INTO past_fills (account, number, sequence, symbol, order_number) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING
        """

    static let insertRefused = "INSERT OR REPLACE INTO refused (account, number, body) VALUES (?, ?, ?)"
    static let forgetRefused = "DELETE FROM refused WHERE account = ? AND number < ?"

    /// Drops every second point of the older half.
    static let thin = """
        DELETE FROM equity WHERE account = ?1 AND currency = ?2 AND timestamp IN (
            SELECT timestamp FROM (
                SELECT timestamp, ROW_NUMBER() OVER (ORDER BY timestamp) AS number FROM equity
                WHERE account = ?1 AND currency = ?2)
            WHERE number % 2 = 0 AND number <= ?3)
        """

    /// The accounts with entries, ascending, without reading the entries.
    static let accounts = """
        WITH RECURSIVE names (name) AS (
            SELECT MIN(account) FROM ledger
            UNION ALL
            SELECT (SELECT MIN(account) FROM ledger WHERE account > name) FROM names WHERE name IS NOT NULL)
        SELECT name FROM names WHERE name IS NOT NULL
        """
}
