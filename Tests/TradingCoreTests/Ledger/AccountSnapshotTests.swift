import MarketModel
import Testing

@testable import TradingCore

@Suite("Snapshots of an account")
struct AccountSnapshotTests {
    @Test("are the same account again, to the last digit, at any entry of a random life, and go on alike")
    func roundTrip() throws {
        for seed in UInt64(1)...120 {
            var trading = RandomTrading(seed: seed)
            trading.run(steps: 120)
            let cut = trading.log.count / 2
            let id = trading.exchange.account.id
            let half = try AccountState(id: id, replaying: trading.log.prefix(cut))
            var restored = try AccountState<Paper>(snapshot: half.snapshot())
            #expect(restored == half, "seed \(seed)")
            for entry in trading.log.dropFirst(cut) { try restored.apply(entry) }
            #expect(restored == trading.exchange.account, "seed \(seed)")
            #expect(restored.groups == trading.exchange.account.groups, "seed \(seed)")
            #expect(restored.snapshot() == trading.exchange.account.snapshot(), "equal states are equal bytes")
        }
    }

    @Test("have their markets under other names where they are kept so")
    func names() throws {
        var trading = RandomTrading(seed: 3)
        trading.run(steps: 150)
        let account = trading.exchange.account
        let kept = account.snapshot { "kraken:" + $0 }
        #expect(try AccountState<Paper>(snapshot: kept).holdings.allSatisfy { $0.symbol.hasPrefix("kraken:") })
        #expect(try AccountState<Paper>(snapshot: kept) { String($0.dropFirst(7)) } == account)
    }

    @Test("that are cut, damaged or of a later version are refused, and nothing crashes")
    func damaged() throws {
        var trading = RandomTrading(seed: 11)
        trading.run(steps: 150)
        let bytes = trading.exchange.account.snapshot()
        for count in stride(from: 0, to: bytes.count, by: 7) {
            #expect(throws: SnapshotError.self) { try AccountState<Paper>(snapshot: Array(bytes.prefix(count))) }
        }
        #expect(throws: SnapshotError.malformed) { try AccountState<Paper>(snapshot: bytes + [0]) }
        var later = bytes
        later[0] = 4
        #expect(throws: SnapshotError.otherVersion) { try AccountState<Paper>(snapshot: later) }
        var random = SeededGenerator(seed: 5)
        for _ in 0..<3000 {
            var wrong = bytes
            wrong[Int(random.next() % UInt64(wrong.count))] = UInt8(truncatingIfNeeded: random.next())
            _ = try? AccountState<Paper>(snapshot: wrong)
        }
        #expect(throws: SnapshotError.self) { try AccountState<Live>(snapshot: bytes) }
    }
}

@Suite("An account that is deleted")
struct DeletedAccountTests {
    @Test("has nothing left, and opened again goes on with its numbers")
    func delete() throws {
        var desk = Desk()
        desk.trade(100, 10)
        desk.order(.buy, "2")
        desk.order(.buy, "1", .limit, limit: "90")
        guard case .rejected(_, let refused?) = desk.place(.buy, "99999", leverage: 1) else {
            Issue.record("accepted")
            return
        }
        desk.exchange.delete(now: desk.time)
        desk.drain()
        let deleted = desk.exchange.account
        #expect(deleted.isDeleted && deleted.balances.isEmpty && deleted.holdings.isEmpty && deleted.orders.isEmpty)
        #expect(try desk.replayed() == deleted)
        #expect(try AccountState<Paper>(snapshot: deleted.snapshot()) == deleted)
        // What was before the deletion may be gone.
        let alone = try AccountState(id: deleted.id, replaying: desk.log.suffix(1))
        #expect(alone.sequence == deleted.sequence && alone.nextOrderNumber == refused.id.number + 1)
        var entry = desk.log[0]
        entry.sequence = deleted.sequence + 1
        entry.event = .deposited(Money(1, "USD"))
        var state = alone
        #expect(throws: LedgerError.opening) { try state.apply(entry) }

        desk.exchange = try PaperExchange(
            opening: deleted.id, after: alone, settings: Desk.plain, seed: 1, now: desk.time)
        desk.exchange.register(Desk.market)
        desk.drain()
        desk.trade(100, 10)
        let next = desk.order(.buy, "1")
        #expect(next.number == refused.id.number + 1)
        #expect(desk.exchange.account.firstOrderNumber == next.number)
        #expect(try desk.replayed() == desk.exchange.account)
    }
}
