import CZlib
import Foundation
import GRDB

/// Neighbouring entries of an account's past, compressed: a tenth of what they take as rows. Their chain goes on through
/// them, so they are proved as rows are; their hashes are computed, and that of the last is kept.
struct LedgerBlock {
    /// Few, since one entry of a page costs a whole block.
    static let size = 128

    let first: Int
    let records: [LedgerRecord]
    /// Of the last entry.
    let hash: LedgerHash

    var last: Int { first + records.count - 1 }

    // MARK: In the database

    /// Packs the next entries of an account, and removes their rows, in the caller's transaction.
    /// - Returns: whether there were enough.
    static func pack(_ account: String, _ db: Database) throws -> Bool {
        // A deletion's entry has the hash before it, which a block does not keep.
        if try LedgerReading.deletion(of: account, db) != nil { return false }
        // Snapshots are found by the rows of their entries.
        let end = try Int.fetchOne(
            db, sql: "SELECT MIN(sequence) FROM snapshots WHERE account = ?", arguments: [account])
        guard let end else { return false }
        var records: [LedgerRecord] = []
        var last: LedgerHash?
        let start = try Int.fetchOne(
            db, sql: "SELECT MAX(last) FROM blocks WHERE account = ?", arguments: [account])
        try LedgerReading.rows(account, after: start ?? 0, limit: size, db) { entry in
            records.append(entry.record)
            last = entry.hash
        }
        guard let last, records.count == size, records[size - 1].sequence < end,
            records[size - 1].sequence - records[0].sequence == size - 1
        else { return false }
        let block = LedgerBlock(first: records[0].sequence, records: records, hash: last)
        try db.execute(
            "INSERT INTO blocks (account, first, last, hash, content) VALUES (?, ?, ?, ?, ?)",
            [account, block.first, block.last, Data(last.bytes), Data(try block.compressed())])
        try db.execute(
            "DELETE FROM ledger WHERE account = ? AND sequence BETWEEN ? AND ?", [account, block.first, block.last])
        return true
    }

    /// The first block with entries after a number.
    static func next(_ account: String, after sequence: Int, _ db: Database) throws -> LedgerBlock? {
        try fetch("account = ? AND last > ? ORDER BY last LIMIT 1", account, sequence, db)
    }

    static func containing(_ sequence: Int, of account: String, _ db: Database) throws -> LedgerBlock? {
        let block = try next(account, after: sequence - 1, db)
        return block.flatMap { $0.first <= sequence ? $0 : nil }
    }

    private static func fetch(
        _ condition: String, _ account: String, _ sequence: Int, _ db: Database
    ) throws -> LedgerBlock? {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT first, last, hash, content FROM blocks WHERE \(condition)"),
            arguments: [account, sequence])
        guard let row else { return nil }
        let (first, last): (Int, Int) = (row[0], row[1])
        guard let hash = LedgerReading.hash(row[2]),
            let records = records(account, first: first, count: last - first + 1, [UInt8](row[3] as Data))
        else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT,
                message: "the entries \(first) to \(last) of account \(account) cannot be read")
        }
        return LedgerBlock(first: first, records: records, hash: hash)
    }

    /// The hash of one of its entries.
    /// - Parameter previous: the hash before its first.
    func hash(of sequence: Int, after previous: LedgerHash) -> LedgerHash {
        records.prefix(sequence - first + 1).reduce(previous) { $1.hash(after: $0) }
    }

    // MARK: Bytes

    private func compressed() throws -> [UInt8] {
        var bytes: [UInt8] = []
        func number(_ value: UInt64, _ width: UInt64) {
            for shift in stride(from: UInt64(0), to: width, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
        func text(_ value: String) {
            number(UInt64(value.utf8.count), 32)
            bytes += value.utf8
        }
        for record in records {
            number(record.time.bitPattern, 64)
            text(record.kind)
            text(record.body)
            bytes.append(record.principal == nil ? 0 : 1)
            if let principal = record.principal { text(principal) }
        }
        var length = compressBound(uLong(bytes.count))
        var packed = [UInt8](repeating: 0, count: Int(length))
        guard compress2(&packed, &length, bytes, uLong(bytes.count), 6) == Z_OK else {
            throw DatabaseError(resultCode: .SQLITE_NOMEM, message: "entries cannot be compressed")
        }
        packed.removeLast(packed.count - Int(length))
        // How long it is without compression.
        let size = UInt32(bytes.count)
        return stride(from: UInt32(0), to: 32, by: 8).map { UInt8(truncatingIfNeeded: size >> $0) } + packed
    }

    /// - Returns: `nil` for bytes that no block has.
    private static func records(_ account: String, first: Int, count: Int, _ content: [UInt8]) -> [LedgerRecord]? {
        guard content.count > 4, count > 0 else { return nil }
        let size = content.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        // No more than a damaged length may cost; entries are some hundred bytes.
        guard size <= 64 << 20 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        var length = uLong(size)
        let packed = Array(content.dropFirst(4))
        guard uncompress(&bytes, &length, packed, uLong(packed.count)) == Z_OK, Int(length) == size else { return nil }
        var place = 0
        func number(_ width: Int) -> UInt64? {
            guard place + width <= bytes.count else { return nil }
            defer { place += width }
            return bytes[place..<place + width].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        func text() -> String? {
            guard let count = number(4), Int(count) <= bytes.count - place else { return nil }
            defer { place += Int(count) }
            return String(validating: bytes[place..<place + Int(count)], as: UTF8.self)
        }
        var records: [LedgerRecord] = []
        for offset in 0..<count {
            guard let time = number(8), let kind = text(), let body = text(), let flag = number(1) else { return nil }
            let principal = flag == 0 ? nil : text()
            records.append(
                LedgerRecord(
                    account: account, sequence: first + offset, time: Double(bitPattern: time), kind: kind, body: body,
                    principal: principal))
        }
        return place == bytes.count ? records : nil
    }
}
