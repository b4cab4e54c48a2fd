import Foundation
import HistoryStore
import MarketModel
import StreamCore
import TradingCore

/// Ledger entries as the store keeps them, and back.
enum LedgerCodec {
    static func record(_ entry: LedgerEntry<Paper>, principal: String? = nil) -> LedgerRecord {
        var body: [UInt8] = []
        body.reserveCapacity(1280)
        write(entry.event, into: &body)
        return LedgerRecord(
            account: entry.account.description, sequence: entry.sequence, time: entry.time,
            kind: entry.event.kind.rawValue, body: String(decoding: body, as: UTF8.self), principal: principal,
            index: index(of: entry))
    }

    /// Under what the past is read later: an order by the entry that ended it, and each fill.
    static func index(of entry: LedgerEntry<Paper>) -> LedgerIndex {
        var index = LedgerIndex()
        if let order = entry.event.order, order.status.isDone {
            index.order = .init(number: order.id.number, symbol: order.symbol, status: order.status.rawValue)
        }
        if let fill = entry.event.fill {
            index.fill = .init(number: fill.id.number, symbol: fill.symbol, order: fill.orderID.number)
        }
        return index
    }

    /// An order that was refused, as it is kept beside the ledger.
    static func record(refused order: Order<Paper>) -> RefusedRecord {
        var body: [UInt8] = []
        body.object { order.writeMembers(into: &$0) }
        return RefusedRecord(
            account: order.id.account.description, number: order.id.number, body: String(decoding: body, as: UTF8.self),
            oldestKept: 0)
    }

    /// - Returns: `nil` for what this version cannot read: it was never accepted, so nothing depends on it.
    static func order(_ refused: RefusedRecord, _ decoder: JSONDecoder) -> Order<Paper>? {
        try? decoder.decode(Order<Paper>.self, from: Data(refused.body.utf8))
    }

    /// - Throws: where the record is not what this version writes; the account's log cannot be read past it.
    static func entry(_ record: LedgerRecord, _ decoder: JSONDecoder) throws -> LedgerEntry<Paper> {
        LedgerEntry(
            account: try AccountID<Paper>(record.account), sequence: record.sequence, time: record.time,
            event: try LedgerScanner.event(record.body)
                ?? decoder.decode(LedgerEvent<Paper>.self, from: Data(record.body.utf8)))
    }

    private static func write(_ event: LedgerEvent<Paper>, into sink: inout [UInt8]) {
        sink.object { sink in
            sink.fields("kind", event.kind.rawValue, "fill", event.fill, "order", event.order)
            switch event {
            case .accountOpened(let capital), .accountReset(let capital):
                sink.list("capital", capital)
            case .deposited(let money): sink.field("money", money)
            case .leverageChanged(let symbol, let leverage):
                sink.fields("symbol", symbol, "leverage", leverage)
            case .liquidationWarned(let call), .marginRestored(let call), .liquidated(let call):
                sink.object("margin") { sink in
                    sink.fields("currency", call.currency, "equity", call.equity)
                    sink.fields("maintenance_margin", call.maintenanceMargin, "written_off", call.writtenOff)
                }
            case .accountDeleted(let end):
                sink.object("end") { $0.fields("next_order", end.nextOrder, "next_fill", end.nextFill) }
            case .orderAccepted, .orderRejected, .orderAmended, .orderTriggered, .trailMoved, .orderFilled,
                .orderCancelled, .orderExpired:
                break
            }
        }
    }
}

extension Money: JSONObjectDocument {
    func writeMembers(into sink: inout [UInt8]) { sink.fields("amount", amount, "currency", currency) }
}

/// The names of markets in the ledger: those under which their candles are stored. What a market is called here depends on
/// how many feeds there are (`BTC/USD`, `kraken:BTC/USD`); what was bought in it must not.
struct LedgerNames: Sendable {
    private var kept: [String: String] = [:]
    private var shown: [String: String] = [:]

    /// As they are.
    init() {}

    init(_ registry: MarketRegistry) {
        for (market, name) in zip(registry.markets, registry.storeNames) { add(market.symbol, keptAs: name) }
    }

    mutating func add(_ symbol: String, keptAs name: String) {
        guard symbol != name else { return }
        kept[symbol] = name
        shown[name] = symbol
    }

    /// An entry as it is written.
    func kept(_ entry: LedgerEntry<Paper>) -> LedgerEntry<Paper> { renamed(entry, kept) }

    /// An entry as it is published.
    func shown(_ entry: LedgerEntry<Paper>) -> LedgerEntry<Paper> { renamed(entry, shown) }

    /// The name that a market is kept under.
    func kept(_ symbol: String) -> String { kept[symbol] ?? symbol }

    /// What a market of the ledger is called.
    func shown(_ name: String) -> String { shown[name] ?? name }

    func kept(_ order: Order<Paper>) -> Order<Paper> {
        var order = order
        order.symbol = kept(order.symbol)
        return order
    }

    func shown(_ order: Order<Paper>) -> Order<Paper> {
        var order = order
        order.symbol = shown(order.symbol)
        return order
    }

    private func renamed(_ entry: LedgerEntry<Paper>, _ names: [String: String]) -> LedgerEntry<Paper> {
        guard !names.isEmpty else { return entry }
        func renamed(_ order: Order<Paper>) -> Order<Paper> {
            var order = order
            order.symbol = names[order.symbol] ?? order.symbol
            return order
        }
        func renamed(_ fill: Fill<Paper>) -> Fill<Paper> {
            var fill = fill
            fill.symbol = names[fill.symbol] ?? fill.symbol
            return fill
        }
        var entry = entry
        switch entry.event {
        case .orderAccepted(let order): entry.event = .orderAccepted(renamed(order))
        case .orderRejected(let order): entry.event = .orderRejected(renamed(order))
        case .orderAmended(let order): entry.event = .orderAmended(renamed(order))
        case .orderTriggered(let order): entry.event = .orderTriggered(renamed(order))
        case .trailMoved(let order): entry.event = .trailMoved(renamed(order))
        case .orderFilled(let fill, let order): entry.event = .orderFilled(renamed(fill), renamed(order))
        case .orderCancelled(let order): entry.event = .orderCancelled(renamed(order))
        case .orderExpired(let order): entry.event = .orderExpired(renamed(order))
        case .leverageChanged(let symbol, let leverage):
            entry.event = .leverageChanged(symbol: names[symbol] ?? symbol, leverage: leverage)
        case .accountOpened, .deposited, .accountReset, .accountDeleted, .liquidationWarned, .marginRestored,
            .liquidated:
            break
        }
        return entry
    }
}
