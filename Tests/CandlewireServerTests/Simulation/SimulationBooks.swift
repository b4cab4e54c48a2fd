import Foundation
import GRDB
import MarketModel
import TradingCore

@testable import CandlewireServer
@testable import HistoryStore

/// Candles by plain arithmetic from all trades that the server accepted, and what of them must be in its store.
struct CandleBook {
    struct Key: Hashable {
        var market: Int
        var timeframe: Timeframe
        var start: Double
    }

    struct Bar {
        var candle: Candle
        var revision = 0
    }

    private struct Bucket {
        var row: Bar
        var openTime: Double
        var closeTime: Double
    }

    static let timeframes: [Timeframe] = [.s5, .m1, .m15, .h1, .d1]
    static let ages: [Timeframe: Double] = [.s5: 86_400, .m1: 2 * 86_400]

    /// Of the server's present life.
    private var buckets: [Key: Bucket] = [:]
    private var newest: [Int: Double] = [:]
    /// Those whose bars are final and not written.
    private var waiting: Set<Key> = []
    /// What is on disk for good.
    private var base: [Key: Bar] = [:]
    /// What was written since: a power cut may lose the last ones.
    private var batches: [[Key: Bar]] = []
    private(set) var newestTrade = 0.0
    private(set) var compared = 0

    // MARK: Trades

    mutating func add(_ tick: Tick, market: Int) {
        newestTrade = max(newestTrade, tick.timestamp)
        let newest = max(self.newest[market] ?? -.infinity, tick.timestamp)
        self.newest[market] = newest
        for timeframe in Self.timeframes {
            let key = Key(market: market, timeframe: timeframe, start: timeframe.bucketStart(of: tick.timestamp))
            waiting.insert(key)
            guard var bucket = buckets[key] else {
                let candle = Candle(
                    timestamp: key.start, open: tick.price, high: tick.price, low: tick.price, close: tick.price,
                    volume: tick.volume)
                buckets[key] = Bucket(row: Bar(candle: candle), openTime: tick.timestamp, closeTime: tick.timestamp)
                continue
            }
            if tick.timestamp < bucket.openTime {
                (bucket.openTime, bucket.row.candle.open) = (tick.timestamp, tick.price)
            }
            if tick.timestamp >= bucket.closeTime {
                (bucket.closeTime, bucket.row.candle.close) = (tick.timestamp, tick.price)
            }
            bucket.row.candle.high = max(bucket.row.candle.high, tick.price)
            bucket.row.candle.low = min(bucket.row.candle.low, tick.price)
            bucket.row.candle.volume += tick.volume
            if key.start < timeframe.bucketStart(of: newest) { bucket.row.revision += 1 }
            buckets[key] = bucket
        }
    }

    // MARK: The store

    /// All that is final is being written.
    mutating func beginWriting() {
        var batch: [Key: Bar] = [:]
        for key in waiting {
            guard let newest = newest[key.market], key.start < key.timeframe.bucketStart(of: newest) else { continue }
            batch[key] = buckets[key]?.row
        }
        waiting.subtract(batch.keys)
        batches.append(batch)
    }

    /// It was not written, and waits again.
    mutating func writingFailed() { if let batch = batches.popLast() { waiting.formUnion(batch.keys) } }

    /// What was written before the last time is on disk for good.
    mutating func synced() {
        for batch in batches.dropLast() { Self.apply(batch, to: &base) }
        batches = batches.suffix(1)
        // Old ones are not looked for any more than the store keeps them.
        if base.count > 40_000 { base = base.filter { !isOld($0.key) } }
        if buckets.count > 20_000 {
            let oldest = newestTrade - 3600
            buckets = buckets.filter { $0.key.timeframe.bucketEnd(ofBucketAt: $0.key.start) > oldest }
        }
    }

    /// A new life begins: bars that were open are forgotten.
    mutating func restarted() { (buckets, newest, waiting) = ([:], [:], []) }

    private static func apply(_ batch: [Key: Bar], to rows: inout [Key: Bar]) {
        for (key, row) in batch where row.revision >= rows[key]?.revision ?? 0 { rows[key] = row }
    }

    /// Whether the store may have deleted it.
    private func isOld(_ key: Key) -> Bool { Self.ages[key.timeframe].map { key.start < newestTrade - $0 } ?? false }

    /// Compares what was written since the last comparison; at the end everything.
    /// - Parameter mayLose: the power was off: the last writes may be gone, those from some moment on and no others.
    mutating func problem(in store: CandleStore, mayLose: Bool, everything: Bool = false) throws -> String? {
        var since: [Timeframe: Double] = [:]
        for key in batches.flatMap(\.keys) { since[key.timeframe] = min(since[key.timeframe] ?? .infinity, key.start) }
        if everything { for timeframe in Self.timeframes { since[timeframe] = 0 } }
        let found = try Self.read(store, since)
        var state = base.filter { everything || $0.key.start >= since[$0.key.timeframe] ?? .infinity }
        func differs(_ key: Key, _ row: Bar?) -> Bool {
            guard let row else { return found[key] != nil }
            guard let candles = found[key] else { return !isOld(key) }
            return !candles.contains(row.candle)
        }
        let keys = Set(state.keys).union(found.keys).union(batches.flatMap(\.keys))
        compared += keys.count
        var wrong = keys.filter { differs($0, state[$0]) }
        var fitting = wrong.isEmpty ? 0 : nil as Int?
        for (index, batch) in batches.enumerated() {
            Self.apply(batch, to: &state)
            for key in batch.keys { if differs(key, state[key]) { wrong.insert(key) } else { wrong.remove(key) } }
            if wrong.isEmpty { fitting = index + 1 }
        }
        if mayLose, let fitting {
            for batch in batches.prefix(fitting) { Self.apply(batch, to: &base) }
            batches = []
            return nil
        }
        if wrong.isEmpty { return nil }
        let key = wrong.min { ($0.start, $0.timeframe.index) < ($1.start, $1.timeframe.index) }!
        return "candle \(key): stored \(found[key] as Any), and the trades make \(state[key] as Any); "
            + "\(wrong.count) differ after \(batches.count) writes"
    }

    /// What is stored, set aside or not.
    private static func read(_ store: CandleStore, _ since: [Timeframe: Double]) throws -> [Key: [Candle]] {
        var found: [Key: [Candle]] = [:]
        try store.pool.read { db in
            for (market, symbol) in SimulationFeed.symbols.enumerated() {
                for (timeframe, start) in since {
                    for table in ["candles", "quarantined_candles"] {
                        let rows = try Row.fetchCursor(
                            db,
                            sql: """
                                SELECT timestamp, open, high, low, close, volume FROM \(table) WHERE timestamp >= ?
                                AND series = (SELECT id FROM series WHERE symbol = ? AND timeframe = ?)
                                """, arguments: [start, symbol, timeframe.rawValue])
                        while let row = try rows.next() {
                            let candle = Candle(
                                timestamp: row[0], open: row[1], high: row[2], low: row[3], close: row[4],
                                volume: row[5])
                            let key = Key(market: market, timeframe: timeframe, start: candle.timestamp)
                            found[key, default: []].append(candle)
                        }
                    }
                }
            }
        }
        return found
    }
}

/// What clients were told of their orders and fills, held against the entries in the ledger.
struct TradingBook {
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
    /// Told, and not looked for yet.
    private var told: [Order<Paper>] = []
    private var toldFills: Set<FillID<Paper>> = []
    private var refused: [(account: String, id: String)] = []
    /// Requests whose answer nobody got.
    private(set) var unanswered: [String: (account: AccountID<Paper>, request: OrderRequest)] = [:]
    private(set) var entries = 0
    private(set) var confirmed = 0

    // MARK: What clients know

    mutating func asked(_ request: OrderRequest, _ account: AccountID<Paper>) {
        unanswered[request.clientOrderID] = (account, request)
    }

    mutating func acknowledged(_ order: Order<Paper>) {
        unanswered[order.clientOrderID] = nil
        told.append(order)
    }

    mutating func refused(_ request: OrderRequest, _ account: AccountID<Paper>) {
        unanswered[request.clientOrderID] = nil
        refused.append((account.description, request.clientOrderID))
    }

    mutating func published(_ order: Order<Paper>) { if order.status != .rejected { told.append(order) } }
    mutating func published(_ fill: Fill<Paper>) { toldFills.insert(fill.id) }

    // MARK: The ledger

    /// Reads what is new in the ledger, and looks for everything that clients were told.
    mutating func problem(in ledger: LedgerStore) throws -> String? {
        for name in try ledger.accounts() { if let problem = try follow(name, ledger) { return problem } }
        for order in told {
            let account = accounts[order.id.account.description]
            guard let version = account?.versions[order.id.number], version >= order.version else {
                return "order \(order.id) in version \(order.version) was acknowledged, and is lost"
            }
            confirmed += 1
        }
        if let lost = toldFills.first(where: { !fills.contains($0) }) {
            return "fill \(lost) was published, and is lost"
        }
        for (account, id) in refused where accounts[account]?.orders[id] != nil {
            return "order \(id) of \(account) was refused, and is in the ledger"
        }
        (told, toldFills, refused) = ([], [], [])
        return nil
    }

    private mutating func follow(_ name: String, _ ledger: LedgerStore) throws -> String? {
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
