import Foundation
import MarketModel
import Testing

/// Foundation's time zones come from the system's copy of the same database, worked out by other code.
@Suite("Time zones against Foundation")
struct ZoneOracleTests {
    private static let end = 2_145_916_800.0  // 2038-01-01

    @Test(
        "every change of every zone from 1970 through 2037 is Foundation's",
        arguments: TimeZoneRules.identifiers.map { "\($0)" })
    func changes(name: String) throws {
        let zone = try #require(TimeZoneRules(name))
        let oracle = try #require(TimeZone(identifier: name))
        var time = 0.0
        var count = 0
        func same(_ time: Double) -> Bool {
            let theirs = oracle.secondsFromGMT(for: Date(timeIntervalSince1970: time))
            if Double(theirs) == zone.offset(at: time) { return true }
            Issue.record("\(name) at \(Date(timeIntervalSince1970: time)): \(zone.offset(at: time)), not \(theirs)")
            return false
        }
        guard same(0) else { return }
        // Each of ours is one of theirs...
        while let change = zone.nextTransition(after: time), change < Self.end {
            guard same(change - 1), same(change) else { return }
            count += 1
            time = change
        }
        // ...and every six hours they agree, so they have no other one that lasts.
        for time in stride(from: 0, to: Self.end, by: 6 * 3600) { guard same(time) else { return } }
        #expect(count < 300)
    }
}
