import Foundation
import Testing

/// The client's machine, the server's hub and outbox, and a network that does whatever networks do.
///
/// `make test` runs a short one. `CANDLEWIRE_MODEL_STEPS=1000000` runs the long one (`make model`), from other seeds each
/// time where `CANDLEWIRE_MODEL_SEED` says so.
@Suite struct ModelTests {
    /// Steps between two healings.
    private static let stretch = 400

    @Test("no hole, no silent skip, no unbounded queue, whatever the network does")
    func faultyNetwork() {
        let environment = ProcessInfo.processInfo.environment
        let steps = environment["CANDLEWIRE_MODEL_STEPS"].flatMap { Int($0) } ?? 60_000
        let worlds = max(6, steps / 20_000)
        let firstSeed = environment["CANDLEWIRE_MODEL_SEED"].flatMap { UInt64($0) } ?? 1
        var totals = ModelWorld.Counts()
        for index in 0..<worlds {
            let world = ModelWorld(seed: firstSeed + UInt64(index))
            for step in 1...(steps / worlds) {
                world.step()
                if step % Self.stretch == 0 { world.heal() }
                if let problem = world.problem {
                    Issue.record("\(problem)")
                    return
                }
            }
            totals = totals + world.totals
        }
        print(
            """
            model: \(totals.steps) steps in \(worlds) worlds from seed \(firstSeed), \(totals.comparisons) comparisons
            \(totals.outages) outages, \(totals.restarts) restarts of the server, \(totals.rotations) rotations, \
            \(totals.tokenRefreshes) tokens fetched
            \(totals.messages) messages delivered, \(totals.finals) of them final candles, \(totals.snapshots) snapshots
            \(totals.channelMessages) messages of channels after \(totals.channelStarts) snapshots
            \(totals.recovered) streams recovered, \(totals.reloaded) reloaded
            \(totals.lost) messages lost inside a connection, \(totals.gaps) gaps detected
            \(totals.skipped) skipped and reported, \(totals.duplicates) duplicates dropped
            \(totals.lapses) times snapshots replaced finals for a slow reader, \(totals.slowClosed) slow readers closed, \
            at most \(totals.maxHeld) bytes held for one
            """)
        // A world in which nothing happens proves nothing.
        #expect(totals.outages > steps / 1000)
        #expect(totals.recovered > steps / 2000)
        #expect(totals.reloaded > steps / 4000)
        #expect(totals.gaps > steps / 4000)
        #expect(totals.rotations > 0)
        #expect(totals.channelMessages > steps / 10)
        #expect(totals.channelStarts > steps / 200)
        #expect(totals.lapses > 0)
        #expect(totals.skipped > steps / 100)
        #expect(totals.comparisons >= steps / Self.stretch - worlds)
    }
}
