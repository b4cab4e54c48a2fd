import Foundation
import HistoryStore
import TradingCore

/// Proves a ledger's files, also those of a running server: the chain of hashes up to its signed head, each entry following
/// from those before, the sums, the positions against the fills, the snapshots against what the entries make, and the index
/// of the past.
package struct LedgerVerification: Sendable {
    package struct Account: Sendable {
        package var name: String
        package var entries = 0
        package var orders = 0
        package var fills = 0
        package var isDeleted = false
        /// What is wrong with it, in a sentence.
        package var problem: String?
    }

    /// The database file.
    package var path = ""
    package var accounts: [Account] = []
    /// What of the ledger is not as its head says.
    package var headProblem: String?

    package var problems: [String] { [headProblem].compactMap(\.self) + accounts.compactMap(\.problem) }

    /// - Parameters:
    ///   - directory: with the ledger.
    ///   - keyFile: of the ledger's key; `nil`: in the directory.
    /// - Throws: `StoreError` where there is no ledger that can be read.
    package init(directory: String, keyFile: String? = nil) throws {
        self = try LedgerInspection.run(directory: directory, keyFile: keyFile) { inspection in
            var found = LedgerVerification(path: inspection.path)
            found.headProblem = try inspection.headProblem()
            for name in try inspection.accounts() {
                var replay = AccountReplay(name, try inspection.snapshots(of: name))
                let problem = try inspection.follow(name) { replay.problem(after: $0) }
                var account = replay.account
                let last = try problem ?? replay.lastProblem(index: inspection.index(of: name, from: replay.first))
                account.problem = last.map { "In the ledger \(inspection.path), \($0)." }
                found.accounts.append(account)
            }
            return found
        }
    }

    private init(path: String) { self.path = path }
}

/// Follows one account's entries and adds up what must agree.
private struct AccountReplay {
    var account: LedgerVerification.Account
    /// The first entry that is there.
    private(set) var first = 0
    private var state: AccountState<Paper>?
    private var snapshots: [Int: (snapshot: LedgerSnapshot, isSigned: Bool)] = [:]
    private let decoder = JSONDecoder()
    /// Since the account was opened or reset.
    private var sizes: [String: ExactDecimal] = [:]
    private var realized: [String: ExactDecimal] = [:]
    private var fees: [String: ExactDecimal] = [:]
    /// Count, sum of numbers, sum of entries.
    private var orders = [0, 0, 0]
    private var fills = [0, 0, 0]

    init(_ name: String, _ snapshots: [(snapshot: LedgerSnapshot, isSigned: Bool)]) {
        account = LedgerVerification.Account(name: name)
        for entry in snapshots { self.snapshots[entry.snapshot.sequence] = entry }
    }

    mutating func problem(after record: LedgerRecord) -> String? {
        let place = "entry \(record.sequence) of account \(account.name)"
        account.entries += 1
        if first == 0 { first = record.sequence }
        do {
            let entry = try LedgerCodec.entry(record, decoder)
            if state == nil { state = AccountState(id: entry.account) }
            try state?.apply(entry)
            try add(entry)
        } catch {
            return "\(place) does not follow from those before it: \(error)"
        }
        guard let kept = snapshots.removeValue(forKey: record.sequence) else { return nil }
        guard kept.isSigned else {
            return "the snapshot at \(place) was changed, or was signed with another key"
        }
        guard let snapshot = try? AccountState<Paper>(snapshot: kept.snapshot.state) else {
            return "the snapshot at \(place) cannot be read"
        }
        return snapshot == state ? nil : "the snapshot at \(place) is not what the entries make"
    }

    private mutating func add(_ entry: LedgerEntry<Paper>) throws {
        switch entry.event {
        case .accountOpened, .accountReset, .accountDeleted: (sizes, realized, fees) = ([:], [:], [:])
        default: break
        }
        let index = LedgerCodec.index(of: entry)
        if let order = index.order {
            account.orders += 1
            orders = [orders[0] + 1, orders[1] + order.number, orders[2] + entry.sequence]
        }
        guard let fill = entry.event.fill else { return }
        account.fills += 1
        fills = [fills[0] + 1, fills[1] + fill.id.number, fills[2] + entry.sequence]
        let signed = fill.side == .buy ? fill.quantity : -fill.quantity
        let size = try (sizes[fill.symbol] ?? .zero) + signed
        sizes[fill.symbol] = size.isZero ? nil : size
        let currency = fill.fee.currency
        realized[currency] = try (realized[currency] ?? .zero) + fill.realizedPnL.amount
        fees[currency] = try (fees[currency] ?? .zero) + fill.fee.amount
    }

    /// What does not agree at the end.
    mutating func lastProblem(index: (orders: [Int], fills: [Int])) throws -> String? {
        guard let state else { return nil }
        let place = "of account \(account.name) at entry \(state.sequence)"
        account.isDeleted = state.isDeleted
        for (symbol, size) in state.positionSizes {
            let sum = sizes.removeValue(forKey: symbol) ?? .zero
            guard sum == size else { return "the position in \(symbol) \(place) is \(size), and its fills make \(sum)" }
        }
        if let (symbol, size) = sizes.min(by: { $0.key < $1.key }) {
            return "the position in \(symbol) \(place) is missing, and its fills make \(size)"
        }
        for (currency, balance) in state.balances.sorted(by: { $0.key < $1.key }) {
            let cash = try balance.capital + balance.realized - balance.fees + balance.writtenOff
            guard cash == balance.cash else {
                return "the balance in \(currency) \(place) is \(balance.cash), and its parts make \(cash)"
            }
            guard balance.realized == realized[currency] ?? .zero, balance.fees == fees[currency] ?? .zero else {
                return "profit and fees in \(currency) \(place) are not those of its fills"
            }
        }
        // An accepted order of the time before a deletion may have been removed.
        guard index.orders == orders, index.fills == fills else {
            return "the index of the past \(place) does not have the orders and fills of the entries"
        }
        return nil
    }
}
