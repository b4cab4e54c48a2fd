import Foundation
import GRDB
import MarketModel
import TradingCore

@testable import CandlewireServer
@testable import HistoryStore

/// What clients know of their orders and fills, compared with the entries in the ledger.
struct ExpectedTrading {
    private struct Account {
        var last = 0
        var hash = Data()
        var cash = ExactDecimal.zero
        var positions: [String: ExactDecimal] = [:]
        /// The number of the order that each client order id made.
        var orders: [String: Int] = [:]
        var versions: [Int: Int] = [:]
    }

    private var accounts: [String: Account] = [:]
    private var fills: Set<FillID<Paper>> = []
    /// What clients were told since the last comparison.
    private var reportedOrders: [Order<Paper>] = []
    private var reportedFills: Set<FillID<Paper>> = []
    private var refused: [(account: String, id: String)] = []
    /// Requests whose answer nobody got.
    private(set) var unanswered: [String: (account: AccountID<Paper>, request: OrderRequest)] = [:]
    private(set) var entries = 0
    private(set) var confirmed = 0

    // MARK: What clients know

    mutating func requested(_ request: OrderRequest, _ account: AccountID<Paper>) {
        unanswered[request.clientOrderID] = (account, request)
    }

    mutating func acknowledged(_ order: Order<Paper>) {
        unanswered[order.clientOrderID] = nil
        reportedOrders.append(order)
    }

    mutating func refused(_ request: OrderRequest, _ account: AccountID<Paper>) {
        unanswered[request.clientOrderID] = nil
        refused.append((account.description, request.clientOrderID))
    }

    mutating func published(_ order: Order<Paper>) { if order.status != .rejected { reportedOrders.append(order) } }
    mutating func published(_ fill: Fill<Paper>) { reportedFills.insert(fill.id) }

    // MARK: The ledger

    /// Reads what is new in the ledger, and compares it with what clients know.
    mutating func problem(in ledger: LedgerStore) throws -> String? {
        for name in try ledger.accounts() { if let problem = try readNew(of: name, in: ledger) { return problem } }
        for order in reportedOrders {
            let account = accounts[order.id.account.description]
            guard let version = account?.versions[order.id.number], version >= order.version else {
                return "order \(order.id) in version \(order.version) was acknowledged, and is lost"
            }
            confirmed += 1
        }
        if let lost = reportedFills.first(where: { !fills.contains($0) }) {
            return "fill \(lost) was published, and is lost"
        }
        for (account, id) in refused where accounts[account]?.orders[id] != nil {
            return "order \(id) of \(account) was refused, and is in the ledger"
        }
        (reportedOrders, reportedFills, refused) = ([], [], [])
        return nil
    }

    private mutating func readNew(of name: String, in ledger: LedgerStore) throws -> String? {
        var account = accounts[name] ?? Account()
        let rows = try ledger.queue.pool.read { [last = account.last] db in
            try Row.fetchAll(
                db,
                sql:
                    "SELECT sequence, time, kind, body, hash FROM ledger WHERE account = ? AND sequence >= ? ORDER BY 1",
                arguments: [name, last])
        }
        if account.last > 0, rows.first?[0] as Int? != account.last || rows.first?[4] as Data? != account.hash {
            return "entry \(account.last) of \(name) is not what it was"
        }
        let decoder = JSONDecoder()
        for row in rows where row[0] > account.last {
            guard row[0] as Int == account.last + 1 else { return "entry \(account.last + 1) of \(name) is missing" }
            let entry = try LedgerCodec.entry(
                LedgerRecord(account: name, sequence: row[0], time: row[1], kind: row[2], body: row[3]), decoder)
            (account.last, account.hash) = (row[0], row[4])
            entries += 1
            if let problem = try Self.apply(entry, to: &account, &fills) { return problem }
        }
        accounts[name] = account
        return nil
    }

    private static func apply(
        _ entry: LedgerEntry<Paper>, to account: inout Account, _ fills: inout Set<FillID<Paper>>
    ) throws -> String? {
        if let order = entry.event.order { account.versions[order.id.number] = order.version }
        switch entry.event {
        case .accountOpened(let capital): account.cash = capital.first?.amount ?? .zero
        case .orderAccepted(let order):
            guard account.orders.updateValue(order.id.number, forKey: order.clientOrderID) == nil else {
                return "order \(order.clientOrderID) of \(entry.account) was accepted twice"
            }
        case .orderFilled(let fill, _):
            guard fills.insert(fill.id).inserted else { return "fill \(fill.id) is there twice" }
            let size =
                try (account.positions[fill.symbol] ?? .zero) + (fill.side == .buy ? fill.quantity : -fill.quantity)
            account.positions[fill.symbol] = size.isZero ? nil : size
            account.cash = try account.cash + fill.realizedPnL.amount - fill.fee.amount
        case .liquidated(let call): account.cash = try account.cash + call.writtenOff
        default: break
        }
        return nil
    }

    /// Compares a desk that has nothing under way with plain sums.
    func problem(of desk: TradingDesk) -> String? {
        for account in desk.accounts {
            guard let sums = accounts[account.id.description] else { continue }
            let state = account.exchange.account
            let positions = Dictionary(uniqueKeysWithValues: state.positionSizes.map { ($0.symbol, $0.size) })
            guard state.sequence == sums.last, positions == sums.positions, state.balances["USD"]?.cash == sums.cash
            else {
                return
                    "\(account.id) at \(state.sequence) has \(positions) and \(state.balances), and its entries up to "
                    + "\(sums.last) make \(sums.positions) and \(sums.cash)"
            }
        }
        return nil
    }
}
