import FinanceChartsKit
import Foundation
import Testing

@Suite("The kit's articles")
@MainActor
struct KitGuideTests {
    nonisolated static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    nonisolated static let articles = root.appendingPathComponent("Sources/FinanceChartsKit/Documentation.docc")
    nonisolated static let names = [
        "ApplePlatforms", "Exporting", "FinanceChartsKit", "LiveData", "OnTheChart", "QuickStart", "Terminals",
    ]

    static func text(_ name: String) throws -> String {
        try String(contentsOf: articles.appendingPathComponent("\(name).md"), encoding: .utf8)
    }

    /// The lines of a piece of code, without imports, indentation and empty lines at the ends.
    static func lines(_ code: String) -> [String] {
        let lines = code.components(separatedBy: "\n").filter { !$0.hasPrefix("import ") }
        let indent = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        let trimmed = lines.map { String($0.dropFirst(indent)) }
        let isEmpty = { (line: String) in line.allSatisfy { $0 == " " } }
        return Array(trimmed.drop(while: isEmpty).reversed().drop(while: isEmpty).reversed())
    }

    static func blocks(_ name: String) throws -> [[String]] {
        try text(name).components(separatedBy: "\n```swift\n").dropFirst().map {
            lines($0.components(separatedBy: "\n```")[0])
        }
    }

    static func regions() throws -> [[String]] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("KitSnippets.swift")
        return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "// snippet\n").dropFirst().map {
            // Up to the start of the line that says so.
            lines($0.components(separatedBy: "// end")[0])
        }
    }

    @Test("every Swift block is compiled", arguments: names)
    func blocksAreCompiled(name: String) throws {
        let regions = try Self.regions()
        for block in try Self.blocks(name) {
            #expect(regions.contains(block), "not in KitSnippets.swift:\n\(block.joined(separator: "\n"))")
        }
    }

    @Test("every article is listed and reachable, every compiled region is in one, every picture is shown")
    func nothingIsForgotten() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.articles.path)
        #expect(Set(files.filter { $0.hasSuffix(".md") }) == Set(Self.names.map { $0 + ".md" }))
        let landing = try Self.text("FinanceChartsKit")
        for name in Self.names where name != "FinanceChartsKit" {
            #expect(landing.contains("<doc:\(name)>"), "\(name)")
        }
        let blocks = try Self.names.flatMap(Self.blocks)
        for region in try Self.regions() {
            #expect(blocks.contains(region), "in no article:\n\(region.joined(separator: "\n"))")
        }
        let all = try Self.names.map(Self.text).joined()
        let resources = Self.articles.appendingPathComponent("Resources").path
        for picture in try FileManager.default.contentsOfDirectory(atPath: resources) {
            #expect(all.contains("](\(picture.dropLast(4)))"), "\(picture) is shown nowhere")
        }
    }

    @Test("what the articles show runs as they say")
    func runs() throws {
        let candles = walk(300, timeframe: .m5, start: 1_699_999_800)
        let controller = KitSnippets.landing(candles)
        #expect(controller.totalCandleCount == 300 && controller.studies.count == 3)
        var builder = OHLCBuilder(timeframe: .m5)
        let last = try #require(controller.lastCandle)
        KitSnippets.tick(Tick(timestamp: last.timestamp + 300, price: 100, volume: 1), &builder, controller)
        #expect(controller.totalCandleCount == 301 && controller.lastPrice == 100)
        KitSnippets.look(controller)
        #expect(controller.kind == .heikinAshi && controller.panes.last?.hasVolume == true)
        #expect(controller.timeZone == TimeZoneRules("America/New_York") && controller.comparisons.count == 1)
        var notes: [String] = []
        KitSnippets.objects(controller) { notes.append($0) }
        controller.updateLast(.at(last.timestamp + 600, 67_000))
        controller.updateLast(.at(last.timestamp + 600, 68_001))
        #expect(notes == ["BTC-USD is at 68000.0"] && controller.objects.orders.count == 1)
        try KitSnippets.drawings(controller, time: last.timestamp)
        #expect(controller.drawings.map(\.kind) == [.horizontalLine])
        let layout = controller.layout
        try KitSnippets.layout(controller)
        #expect(controller.layout == layout)
        KitSnippets.throttled(
            controller, Tick(timestamp: last.timestamp + 900, price: 100, volume: 1), "BTC-USD", .m5,
            now: last.timestamp + 900)
        var rows: [String] = []
        var series = CandleSeries(capacity: 300)
        series.replaceAll(with: candles)
        KitSnippets.terminal(series) { rows.append($0) }
        #expect(rows.count == 24)
        #if os(Linux)
            #expect(try KitSnippets.picture(candles).starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #endif
    }
}
