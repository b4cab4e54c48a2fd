import Foundation
import HistoryStore
import MarketModel
import Testing
import TradingCore

@testable import CandlewireServer

@Suite("The ledger's JSON")
struct LedgerCodecTests {
    /// A life with every kind of event in it that a few orders can bring about.
    static func entries() throws -> [LedgerEntry<Paper>] {
        var exchange = try PaperExchange(
            opening: AccountID(name: "main"), settings: PaperSettings(), seed: 7, now: 1_700_000_000.25)
        func order(_ id: String, _ change: (inout OrderRequest) -> Void = { _ in }) -> OrderRequest {
            var request = OrderRequest(
                clientOrderID: id, symbol: "BTC-USD", side: .buy, type: .market, quantity: ExactDecimal("0.5")!,
                leverage: 20)
            change(&request)
            return request
        }
        exchange.register("BTC-USD", currency: "USD")
        var time = 1_700_000_001.5
        func tick(_ price: Double, _ volume: Double = 3) {
            time += 1.125
            exchange.ingest("BTC-USD", Tick(timestamp: time, price: price, volume: volume), now: time)
        }
        tick(65_000.5)
        exchange.place(order("a\"\\"), now: time)
        exchange.place(
            order("a") {
                $0.takeProfit = 80_000; $0.stopLoss = 60_000
            }, now: time)
        tick(65_001, 0.2)
        tick(65_002)
        let waiting = exchange.place(
            order("b") {
                $0.type = .limit; $0.limitPrice = 50_000; $0.ocoGroup = "g"
            }, now: time)
        if let id = waiting.order?.id { try exchange.amend(id, OrderChange(limitPrice: 50_001), now: time) }
        exchange.place(
            order("c") {
                $0.type = .trailingStop; $0.side = .sell; $0.trail = .percent(1)
            }, now: time)
        exchange.place(
            order("d") {
                $0.type = .stopLimit; $0.stopPrice = 66_000; $0.limitPrice = 66_100; $0.timeInForce = .day
            },
            now: time)
        tick(65_500)
        exchange.place(order("e") { $0.quantity = 1_000_000 }, now: time)
        tick(64_000)
        exchange.cancelAll(now: time)
        try exchange.deposit(Money(10, "USD"), now: time)
        time += 90_000
        tick(63_000)
        exchange.place(order("f") { $0.quantity = 20 }, now: time)
        tick(63_000, 100)
        tick(59_500, 100)
        tick(40_000, 100)
        try exchange.reset(capital: [Money(ExactDecimal("12.5")!, "USD")], now: time)
        exchange.place(order("g") { $0.quantity = ExactDecimal("0.0001")! }, now: time)
        return exchange.drainEvents()
    }

    @Test("is what the types decode, for every entry of a long life")
    func roundTrip() throws {
        let entries = try Self.entries()
        let kinds = Set(entries.map(\.event.kind))
        #expect(
            kinds.isSuperset(of: [
                .accountOpened, .orderAccepted, .orderFilled, .orderAmended, .orderCancelled, .trailMoved,
                .deposited, .liquidated, .accountReset,
            ]), "\(kinds)")
        let decoder = JSONDecoder()
        for entry in entries {
            let record = LedgerCodec.record(entry)
            #expect(try LedgerCodec.entry(record, decoder) == entry, "\(record.body)")
            // Orders and fills are read without JSONDecoder, to the same values.
            let isScanned = entry.event.order.map { $0.trail == nil } ?? false
            #expect(LedgerScanner.event(record.body) == (isScanned ? entry.event : nil), "\(record.body)")
            // What the types themselves would write has the same members.
            let own = try JSONSerialization.jsonObject(with: JSONEncoder().encode(entry.event)) as? NSDictionary
            let ours = try JSONSerialization.jsonObject(with: Data(record.body.utf8)) as? NSDictionary
            #expect(own == ours, "\(record.body)")
        }
    }

    @Test("makes the same account again, and the same events, from the file")
    func replay() async throws {
        let entries = try Self.entries()
        let folder = RunningServer.temporaryFolder()
        let ledger = try LedgerStore(directory: folder)
        try await ledger.append(entries.map { LedgerCodec.record($0) })
        let loaded = try TradingLoader(ledger)
        let state = try AccountState<Paper>(id: AccountID(name: "main"), replaying: entries)
        #expect(loaded.accounts.map(\.state) == [state])
        var composer = EventComposer()
        #expect(Set(loaded.events.map(\.id)) == Set(entries.flatMap { composer.events(for: $0) }.map(\.id)))
        #expect(Set(loaded.events.map(\.id)).count == loaded.events.count)
        #expect(loaded.events.contains { $0.kind == .risk })
        #expect(loaded.events.contains { $0.kind == .positionClosed })
        try ledger.close()
    }

    @Test("names the account and the entry that does not follow")
    func inconsistent() async throws {
        let ledger = try LedgerStore(directory: RunningServer.temporaryFolder())
        var records = try Self.entries().prefix(3).map { LedgerCodec.record($0) }
        records[2].body = #"{"kind":"order_of_tomorrow"}"#
        try await ledger.append(records)
        let error = try #require(throws: ServerError.self) { try TradingLoader(ledger) }
        #expect(error.kind == .ledger)
        #expect(error.description.hasPrefix("Entry 3 of account paper-main"))
        try ledger.close()
    }
}
