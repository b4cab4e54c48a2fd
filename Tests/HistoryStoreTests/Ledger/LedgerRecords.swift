import HistoryStore

/// Entries `first`, `first + 1`, … of an account.
func records(_ account: String, _ numbers: ClosedRange<Int>) -> [LedgerRecord] {
    numbers.map { record(account, $0) }
}

func record(_ account: String, _ number: Int) -> LedgerRecord {
    LedgerRecord(
        account: account, sequence: number, time: 1_700_000_000.25 + Double(number), kind: "order_accepted",
        body: "{\"quantity\":\"0.\(number)\",\"note\":\"é 🕯\"}")
}

/// The entry that ends an account.
func deletion(_ account: String, _ number: Int) -> LedgerRecord {
    LedgerRecord(account: account, sequence: number, time: 1_800_000_000, kind: LedgerRecord.deletion, body: "{}")
}

extension LedgerStore {
    func all() throws -> [LedgerRecord] {
        var all: [LedgerRecord] = []
        for account in try accounts() { try load(account) { all.append($0) } }
        return all
    }
}
