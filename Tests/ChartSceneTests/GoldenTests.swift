import ChartScene
import Foundation
import Testing

@Suite("Pictures as recorded")
struct GoldenTests {
    /// Recorded with CANDLEWIRE_RECORD=1, on purpose only: recording fails the run, so that it cannot pass unseen.
    @Test("a scene is drawn as recorded", arguments: GoldenScene.all.map(\.name))
    func golden(name: String) throws {
        let scene = try #require(GoldenScene.all.first { $0.name == name })
        var view = scene.chart()
        var list = DisplayList()
        view.render(into: &list)
        try expect(list.dump(), asIn: name)
    }

    @Test("each scene is another picture")
    func different() {
        let dumps = GoldenScene.all.map { scene in
            var view = scene.chart()
            var list = DisplayList()
            view.render(into: &list)
            return list.dump()
        }
        #expect(Set(dumps).count == dumps.count - 1, "candles and the linear scale are the default chart, twice")
    }

    private func expect(_ dump: String, asIn name: String) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden")
        let file = folder.appendingPathComponent("\(name).txt")
        if ProcessInfo.processInfo.environment["CANDLEWIRE_RECORD"] == "1" {
            try dump.write(to: file, atomically: true, encoding: .utf8)
            Issue.record("recorded \(name).txt; look at the difference and run again without recording")
            return
        }
        let lines = dump.split(separator: "\n", omittingEmptySubsequences: false)
        let golden = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        for (index, (line, expected)) in zip(lines, golden).enumerated() where line != expected {
            Issue.record("line \(index + 1): \(line), recorded: \(expected)")
            return
        }
        #expect(lines.count == golden.count)
    }
}
