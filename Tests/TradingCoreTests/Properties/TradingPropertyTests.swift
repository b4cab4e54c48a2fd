import Foundation
import MarketModel
import Testing

@testable import TradingCore

/// The design's rules about money, as properties over random sequences of requests and ticks with named seeds.
///
/// `CANDLEWIRE_TRADING_SEQUENCES=100000` for the long run, `CANDLEWIRE_TRADING_SEED` for another first seed.
@Suite("Trading properties")
struct TradingPropertyTests {
    static let environment = ProcessInfo.processInfo.environment
    static let sequences = environment["CANDLEWIRE_TRADING_SEQUENCES"].flatMap { Int($0) } ?? 2000
    static let firstSeed = environment["CANDLEWIRE_TRADING_SEED"].flatMap { UInt64($0) } ?? 1
    static let steps = 30

    @Test("cash, margin and profit conserve; no fill outside its limit or beyond what was traded; the log is the state")
    func properties() throws {
        var counts = RandomTrading.Counts()
        for offset in 0..<Self.sequences {
            let seed = Self.firstSeed + UInt64(offset)
            var trading = RandomTrading(seed: seed)
            trading.run(steps: Self.steps)
            let account = trading.exchange.account
            let replayed = try AccountState(id: account.id, replaying: trading.log)
            #expect(replayed == account, "replay, seed \(seed)")
            counts += trading.counts
        }
        print(
            "trading properties: \(Self.sequences) sequences from seed \(Self.firstSeed), \(counts.steps) steps, \(counts.orders) orders, \(counts.fills) fills (\(counts.partial) partial), \(counts.rejected) rejected, \(counts.liquidations) liquidations, \(counts.quiet) quiet ticks"
        )
        // A run that fills nothing would pass everything.
        #expect(counts.fills > Self.sequences)
        #expect(counts.partial > Self.sequences / 10)
        #expect(counts.liquidations > Self.sequences / 200)
        #expect(counts.quiet > Self.sequences)
        #expect(counts.withoutVolume > Self.sequences / 10)
    }

    @Test("the log is the state after a round trip of every entry through JSON, too")
    func codable() throws {
        for seed in UInt64(1)...60 {
            var trading = RandomTrading(seed: seed)
            trading.run(steps: 150)
            let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
            let entries = try trading.log.map {
                try decoder.decode(LedgerEntry<Paper>.self, from: encoder.encode($0))
            }
            #expect(entries == trading.log, "seed \(seed)")
            let replayed = try AccountState(id: trading.exchange.account.id, replaying: entries)
            #expect(replayed == trading.exchange.account, "seed \(seed)")
        }
    }

    @Test("the same seed gives the same bytes, and another seed others")
    func deterministic() throws {
        func bytes(_ seed: UInt64, alwaysMatches: Bool = false) throws -> Data {
            var trading = RandomTrading(seed: seed, alwaysMatches: alwaysMatches)
            trading.run(steps: 150)
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return try encoder.encode(trading.log)
        }
        for seed in UInt64(500)...540 {
            let first = try bytes(seed)
            #expect(try bytes(seed) == first, "seed \(seed)")
            #expect(
                try bytes(seed, alwaysMatches: true) == first, "a quiet tick is one that changes nothing, seed \(seed)")
            #expect(try bytes(seed + 1000) != first)
        }
    }

    @Test("an exchange that continues the account goes on: nothing that waits is lost, nothing is filled twice")
    func restart() throws {
        for seed in UInt64(1)...100 {
            var trading = RandomTrading(seed: seed)
            trading.run(steps: 80)
            let before = trading.exchange.account
            try trading.restart()
            #expect(trading.exchange.account == before)
            for _ in 0..<80 { trading.stepAfterRestart() }
            let again = try AccountState(id: before.id, replaying: trading.log)
            #expect(again == trading.exchange.account, "seed \(seed)")
        }
    }

    @Test("an entry that does not follow is refused and changes nothing")
    func refusedEntries() throws {
        var trading = RandomTrading(seed: 7)
        trading.run(steps: 200)
        let log = trading.log
        var state = AccountState<Paper>(id: trading.exchange.account.id)
        for (index, entry) in log.enumerated() {
            let before = state
            // The entry before, the one after, one of another account, and the first not an opening.
            if index > 0 { #expect(throws: LedgerError.self) { try state.apply(log[index - 1]) } }
            if index + 1 < log.count { #expect(throws: LedgerError.self) { try state.apply(log[index + 1]) } }
            var other = entry
            other.account = try AccountID(name: "other")
            #expect(throws: LedgerError.self) { try state.apply(other) }
            if var order = entry.event.order {
                order.version += 1
                for event in [LedgerEvent<Paper>.orderAccepted(order), .orderCancelled(order), .orderAmended(order)] {
                    var wrong = entry
                    wrong.event = event
                    #expect(throws: LedgerError.self) { try state.apply(wrong) }
                }
            }
            if case .orderFilled(var fill, let order) = entry.event {
                fill.realizedPnL.amount = try fill.realizedPnL.amount + 1
                var wrong = entry
                wrong.event = .orderFilled(fill, order)
                // A wrong profit shows where it closes the position; a wrong quantity always does.
                if order.status == .filled, (try? state.copyApplied(entry).openSymbols.contains(order.symbol)) == false
                {
                    #expect(throws: LedgerError.self) { try state.apply(wrong) }
                }
                fill.quantity = try fill.quantity + 1
                wrong.event = .orderFilled(fill, order)
                #expect(throws: LedgerError.self) { try state.apply(wrong) }
            }
            #expect(state == before)
            try state.apply(entry)
        }
        #expect(state == trading.exchange.account)
    }
}

extension AccountState {
    func copyApplied(_ entry: LedgerEntry<Mode>) throws -> AccountState {
        var copy = self
        try copy.apply(entry)
        return copy
    }
}
