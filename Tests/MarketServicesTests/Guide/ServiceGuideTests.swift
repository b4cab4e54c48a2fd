import Foundation
import MarketServices
import TestKit
import Testing

/// The articles' code is compiled: each block is a part of the example, or of this file.
@Suite("The guide to the services", .timeLimit(.minutes(15)))
struct ServiceGuideTests {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func lines(_ code: String) -> [String] {
        code.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test(
        "every Swift block is compiled",
        arguments: [
            ("UsingServices", "trading-services", 3), ("WritingAContainer", "trading-services", 3),
            ("TradingAtAVenue", "live-trading", 2),
        ])
    func compiled(name: String, example: String, count: Int) throws {
        let article = try String(
            contentsOf: Self.root.appendingPathComponent("Sources/MarketServices/Documentation.docc/\(name).md"),
            encoding: .utf8)
        let folder = Self.root.appendingPathComponent("Examples/\(example)")
        var sources = try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
            try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
        }
        sources.append(try String(contentsOfFile: #filePath, encoding: .utf8))
        let code = sources.map { Self.lines($0).joined(separator: "\n") }
        let blocks = article.components(separatedBy: "\n```swift\n").dropFirst().map {
            Self.lines($0.components(separatedBy: "\n```")[0]).joined(separator: "\n")
        }
        #expect(blocks.count >= count)
        for block in blocks { #expect(code.contains { $0.contains(block) }, "not compiled:\n\(block)") }
    }

    @Test("a simulation on a test's clock, as the guide shows it")
    func simulation() async throws {
        let clock = ManualClock()
        let services = try SimulatedServiceContainer(SimulationSettings(), clock: ServiceClock(clock, startingAt: 0))
        try await services.connect()
        clock.advance(by: .seconds(2))
        for await markets in services.markets.marketUpdates {
            #expect(markets.count == 12)
            break
        }
        await services.shutDown()
    }
}
