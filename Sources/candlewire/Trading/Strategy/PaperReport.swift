import Foundation
import TradingCore

/// A paper run as a document: the requests, what the exchange did, and what the account was worth. With the trades
/// it is enough to compute every fill again.
struct PaperReport: Encodable {
    /// The rules by which orders were filled.
    struct Rules: Encodable {
        var fillModel: String
        var participation: ExactDecimal?
        var makerFee: ExactDecimal
        var takerFee: ExactDecimal
        var slippageBasisPoints: ExactDecimal
        var latency: Double
        var maintenanceRate: ExactDecimal
    }

    var format = "candlewire-paper-run"
    var version = 1
    var mode = Paper.name
    var account: AccountID<Paper>
    var recording: String
    var trades: Int
    var capital: [Money]
    var rules: Rules
    var requests: [PaperRun.Request]
    var orders: [Order<Paper>]
    var fills: [Fill<Paper>]
    var snapshots: [PaperRun.Snapshot]
    var portfolios: [Portfolio]
    var positions: [Position<Paper>]
    var ledger: [LedgerEntry<Paper>]

    init(_ run: PaperRun, recording: String, rules: Rules) {
        let exchange = run.exchange
        account = exchange.account.id
        self.recording = recording
        self.rules = rules
        trades = run.trades
        capital = exchange.settings.initialCapital
        requests = run.requests
        orders = exchange.account.orders(limit: .max).reversed()
        fills = run.ledger.compactMap(\.event.fill)
        snapshots = run.snapshots
        portfolios = exchange.portfolios()
        positions = exchange.positions()
        ledger = run.ledger
    }

    /// One line of JSON, its keys sorted: the same run is the same bytes.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return try encoder.encode(self) + Data("\n".utf8)
    }
}
