import Foundation
import GRDB
import Synchronization

extension LedgerStore {
    /// The accounts that have entries, also those that were deleted, ascending.
    public func accounts() throws -> [String] {
        try readAtOnce { try String.fetchAll($0, sql: LedgerSchema.accounts) }
    }

    /// The number of an account's last entry; 0: it has none.
    package func lastSequence(of account: String) -> Int { heads.withLock { $0[account]?.sequence ?? 0 } }

    /// Reads an account's entries in their order, in steps.
    /// - Parameter snapshot: only the entries after it.
    /// - Throws: `StoreError` with the code `corrupt` that names the account and the entry where one is missing or is not what
    ///   was written, and whatever `body` throws.
    public func load(
        _ account: String, after snapshot: LedgerSnapshot? = nil, _ body: (LedgerRecord) throws -> Void
    ) throws {
        var chain = LedgerChain(account, after: try snapshot.map { try position(of: $0) })
        // Rows that a deletion will remove are not read.
        let deletion = try readAtOnce { try LedgerReading.deletion(of: account, $0) }
        var last = chain.position.sequence
        if let deletion, last < deletion { last = deletion - 1 }
        if last > chain.position.sequence { chain = LedgerChain(account) }
        while true {
            let start = last
            try readAtOnce { db in
                try LedgerReading.entries(account, after: start, limit: LedgerReading.step, db) { entry in
                    if let problem = chain.problem(of: entry) { throw StoreError.damagedLedger(path, problem) }
                    last = entry.record.sequence
                    try body(entry.record)
                }
            }
            if last == start { return }
        }
    }

    private func position(of snapshot: LedgerSnapshot) throws -> LedgerPosition {
        let hash = try readAtOnce { db in
            try Row.fetchOne(
                db, sql: "SELECT hash FROM ledger WHERE account = ? AND sequence = ?",
                arguments: [snapshot.account, snapshot.sequence]
            ).flatMap { LedgerReading.hash($0[0]) }
        }
        guard let hash else {
            let what = "entry \(snapshot.sequence) of account \(snapshot.account) is missing"
            throw StoreError.damagedLedger(path, what)
        }
        return LedgerPosition(sequence: snapshot.sequence, hash: hash)
    }

    /// The states that were kept of an account, the newest first; only those that this ledger's key has signed.
    public func snapshots(of account: String) throws -> [LedgerSnapshot] {
        try readAtOnce { db in
            try LedgerSnapshot.all(of: account, db).filter { entry in
                key.isSignature(entry.signature, of: entry.snapshot.signed(entry.hash))
            }.map(\.snapshot)
        }
    }

    /// What was refused lately, ascending.
    public func refused(of account: String) throws -> [RefusedRecord] {
        try readAtOnce { db in
            try Row.fetchAll(
                db, sql: "SELECT number, body FROM refused WHERE account = ? ORDER BY number", arguments: [account]
            ).map { RefusedRecord(account: account, number: $0[0], body: $0[1], oldestKept: 0) }
        }
    }

    private func readAtOnce<R>(_ body: (Database) throws -> R) throws -> R {
        do { return try queue.pool.read(body) } catch let error as DatabaseError { throw queue.failure(error) }
    }

    // MARK: The past

    /// Which orders at their end, or which fills, of an account: the newest first.
    public struct Page: Sendable {
        public var account: String
        /// The oldest number.
        public var first: Int
        /// Only smaller numbers.
        public var before: Int
        public var symbol: String?
        /// Orders: one of these states; `nil`: any.
        public var statuses: [String]?
        /// Fills: of this order.
        public var order: Int?
        public var limit: Int

        public init(
            account: String, first: Int, before: Int, symbol: String? = nil, statuses: [String]? = nil,
            order: Int? = nil, limit: Int
        ) {
            self.account = account
            self.first = first
            self.before = before
            self.symbol = symbol
            self.statuses = statuses
            self.order = order
            self.limit = limit
        }
    }

    /// The entries that ended orders, by the orders' numbers from the highest down.
    public func orders(_ page: Page) async throws -> [LedgerRecord] {
        let statuses = page.statuses ?? []
        let condition =
            page.statuses == nil ? "" : " AND status IN (\(statuses.map { _ in "?" }.joined(separator: ",")))"
        return try await past("past_orders", page, condition, StatementArguments(statuses))
    }

    /// The entries that are fills, by the fills' numbers from the highest down.
    public func fills(_ page: Page) async throws -> [LedgerRecord] {
        try await past(
            "past_fills", page, page.order == nil ? "" : " AND order_number = ?",
            page.order.map { [$0] } ?? StatementArguments())
    }

    private func past(
        _ table: String, _ page: Page, _ condition: String, _ more: StatementArguments
    ) async throws -> [LedgerRecord] {
        var arguments: StatementArguments = [page.account, page.first, page.before]
        if let symbol = page.symbol { arguments += [symbol] }
        arguments += more
        arguments += [max(0, page.limit)]
        let symbol = page.symbol == nil ? "" : " AND symbol = ?"
        return try await queue.read { [arguments] db in
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT found.sequence, time, kind, body, principal FROM (
                            SELECT account, number, sequence FROM \(table)
                            WHERE account = ? AND number >= ? AND number < ?\(symbol)\(condition)
                            ORDER BY number DESC LIMIT ?) AS found
                        LEFT JOIN ledger ON ledger.account = found.account AND ledger.sequence = found.sequence
                        ORDER BY found.number DESC
                        """), arguments: arguments)
            var block: LedgerBlock?
            return try rows.compactMap { row in
                let kind: String? = row[2]
                guard let kind else {
                    let sequence: Int = row[0]
                    if block.map({ ($0.first...$0.last).contains(sequence) }) != true {
                        block = try LedgerBlock.containing(sequence, of: page.account, db)
                    }
                    return block.map { $0.records[sequence - $0.first] }
                }
                return LedgerRecord(
                    account: page.account, sequence: row[0], time: row[1], kind: kind, body: row[3], principal: row[4])
            }
        }
    }

    /// The newest equity points of an account in one currency, ascending.
    public func equity(account: String, currency: String, limit: Int) async throws -> [EquityPoint] {
        try await queue.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT timestamp, equity FROM equity WHERE account = ? AND currency = ?
                    ORDER BY timestamp DESC LIMIT ?
                    """,
                arguments: [account, currency, max(0, limit)])
            return rows.reversed().map {
                EquityPoint(account: account, currency: currency, timestamp: $0[0], equity: $0[1])
            }
        }
    }
}

extension LedgerSnapshot {
    struct Stored {
        var snapshot: LedgerSnapshot
        /// Of its entry.
        var hash: LedgerHash
        var signature: [UInt8]
    }

    /// Those whose entry is there, the newest first.
    static func all(of account: String, _ db: Database) throws -> [Stored] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT snapshots.sequence, opened, state, events, signature, hash FROM snapshots
                JOIN ledger ON ledger.account = snapshots.account AND ledger.sequence = snapshots.sequence
                WHERE snapshots.account = ?1 AND snapshots.sequence >= COALESCE(
                    (SELECT sequence FROM deletions WHERE account = ?1), 0)
                ORDER BY snapshots.sequence DESC
                """, arguments: [account]
        ).compactMap { row in
            guard let hash = LedgerReading.hash(row[5]) else { return nil }
            func bytes(_ index: Int) -> [UInt8] { [UInt8](row[index] as Data) }
            return Stored(
                snapshot: LedgerSnapshot(
                    account: account, sequence: row[0], openedAt: row[1], state: bytes(2), events: bytes(3)),
                hash: hash, signature: bytes(4))
        }
    }

    /// What is signed of a snapshot.
    /// - Parameter hash: of its entry.
    func signed(_ hash: LedgerHash) -> [UInt8] {
        let text = "candlewire snapshot 1\n\(account) \(sequence) \(hash) \(openedAt.bitPattern) \(state.count)\n"
        return Array(text.utf8) + state + events
    }
}
