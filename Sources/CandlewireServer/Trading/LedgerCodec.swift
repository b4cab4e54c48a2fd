import Foundation
import HistoryStore
import StreamCore
import TradingCore

/// Ledger entries as the store keeps them, and back.
enum LedgerCodec {
    static func record(_ entry: LedgerEntry<Paper>) -> LedgerRecord {
        var body: [UInt8] = []
        body.reserveCapacity(768)
        write(entry.event, into: &body)
        return LedgerRecord(
            account: entry.account.description, sequence: entry.sequence, time: entry.time,
            kind: entry.event.kind.rawValue, body: String(decoding: body, as: UTF8.self))
    }

    /// - Throws: where the record is not what this version writes; the account's log cannot be read past it.
    static func entry(_ record: LedgerRecord, _ decoder: JSONDecoder) throws -> LedgerEntry<Paper> {
        LedgerEntry(
            account: try AccountID<Paper>(record.account), sequence: record.sequence, time: record.time,
            event: try decoder.decode(LedgerEvent<Paper>.self, from: Data(record.body.utf8)))
    }

    private static func write(_ event: LedgerEvent<Paper>, into sink: inout [UInt8]) {
        sink.json("{\"kind\":")
        sink.string(event.kind.rawValue)
        if let fill = event.fill {
            sink.name("fill")
            OrderDocument.write(fill, into: &sink)
        }
        if let order = event.order {
            sink.name("order")
            OrderDocument.write(order, into: &sink)
        }
        switch event {
        case .accountOpened(let capital), .accountReset(let capital):
            sink.list("capital", capital) { write($0, into: &$1) }
        case .deposited(let money):
            sink.name("money")
            write(money, into: &sink)
        case .leverageChanged(let symbol, let leverage):
            sink.field("symbol", symbol)
            sink.field("leverage", leverage)
        case .liquidationWarned(let call), .marginRestored(let call), .liquidated(let call):
            sink.json(",\"margin\":{\"currency\":")
            sink.string(call.currency)
            sink.field("equity", call.equity)
            sink.field("maintenance_margin", call.maintenanceMargin)
            sink.field("written_off", call.writtenOff)
            sink.json("}")
        case .orderAccepted, .orderRejected, .orderAmended, .orderTriggered, .trailMoved, .orderFilled,
            .orderCancelled, .orderExpired:
            break
        }
        sink.json("}")
    }

    private static func write(_ money: Money, into sink: inout [UInt8]) {
        sink.json("{\"amount\":")
        sink.decimal(money.amount)
        sink.field("currency", money.currency)
        sink.json("}")
    }
}
