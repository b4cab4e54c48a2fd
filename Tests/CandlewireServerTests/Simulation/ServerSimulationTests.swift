import Foundation
import MarketModel
import Testing

/// The whole server against faults of disk, network, clock and venue.
///
/// `make test` runs 120 hours from seed 1, `make simulation HOURS=2000 SEED=1` more; each world of a seed lasts 30 hours.
@Suite(.serialized) struct ServerSimulationTests {
    private static let hoursOfWorld = 30.0

    @Test("nothing acknowledged is lost, no reader has a hole, and candles are what the trades make, whatever breaks")
    func faults() async throws {
        let environment = ProcessInfo.processInfo.environment
        let hours = environment["CANDLEWIRE_SIMULATION_HOURS"].flatMap { Double($0) } ?? 120
        let first = environment["CANDLEWIRE_SIMULATION_SEED"].flatMap { UInt64($0) } ?? 1
        var totals: [String: Int] = [:]
        for index in 0..<max(1, Int((hours / Self.hoursOfWorld).rounded(.up))) {
            let seed = first + UInt64(index)
            let world = try await Self.run(seed: seed, hours: min(hours, Self.hoursOfWorld))
            if let problem = world.problem {
                Issue.record("\(problem)")
                return
            }
            totals.merge(world.counts) { $0 + $1 }
        }
        let names = totals.keys.sorted()
        print(
            "simulation: \(Int(hours)) hours from seed \(first)\n"
                + names.map { "\($0) \(totals[$0]!)" }.joined(separator: ", "))
        // A world in which nothing happens proves nothing.
        for name in names { #expect(totals[name]! > 0, "\(name) never happened") }
    }

    @Test("the same seed makes the same history")
    func determinism() async throws {
        let one = try await Self.run(seed: 7, hours: 3)
        let other = try await Self.run(seed: 7, hours: 3)
        #expect(one.problem == nil && one.digest == other.digest, "\(one.problem ?? "another history")")
    }

    @Test(
        "a server that does one of these is found out within an hour or a few",
        arguments: ServerSimulation.Defect.allCases)
    func defects(_ defect: ServerSimulation.Defect) async throws {
        for seed in UInt64(1)...12 {
            guard let problem = try await Self.run(seed: seed, hours: 6, defect: defect).problem else { continue }
            print("simulation: \(defect) is found: \(problem.prefix { $0 != "\n" })")
            return
        }
        Issue.record("\(defect) is not found")
    }

    struct Outcome: Sendable {
        var problem: String?
        var counts: [String: Int]
        var digest: UInt64
    }

    /// On a thread of its own: the event loops of the simulation belong to one.
    private static func run(
        seed: UInt64, hours: Double, defect: ServerSimulation.Defect? = nil
    ) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result { try play(seed, hours, defect) }) }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    private static func play(_ seed: UInt64, _ hours: Double, _ defect: ServerSimulation.Defect?) throws -> Outcome {
        let shared = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        let folder = "\(shared)/candlewire-simulation-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let world = try ServerSimulation(seed: seed, folder: folder, defect: defect)
        world.run(hours: hours)
        world.end()
        var counts = [
            "compared candles": world.candles.compared, "ledger entries": world.trading.entries,
            "confirmed orders": world.trading.confirmed,
        ]
        let parts: [(String, Any)] =
            [("", world.counts), ("disk ", world.disk.counts), ("venue ", world.venue.counts)]
            + world.readers.map { ("reader ", $0.counts) }
        for (part, value) in parts {
            for child in Mirror(reflecting: value).children {
                if let name = child.label, let count = child.value as? Int {
                    counts["\(part)\(name)", default: 0] += count
                }
            }
        }
        return Outcome(problem: world.problem, counts: counts, digest: world.digest.value)
    }
}
