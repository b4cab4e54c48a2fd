import Foundation
import MarketFeeds
import MarketModel
import StreamCore
import TestKit
import Testing
import WebSocketTransport

/// The articles' code is compiled, and most of it run.
@Suite("The guide", .timeLimit(.minutes(15)))
struct GuideTests {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    static let articles = root.appendingPathComponent("Sources/WebSocketTransport/Documentation.docc")
    static let names = ["Connecting", "Subscribing", "Channels", "Recovery", "SlowReaders", "TestingWithFaults"]

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The Swift blocks of a Markdown text.
    static func blocks(_ markdown: String) -> [String] {
        markdown.components(separatedBy: "\n```swift\n").dropFirst().map {
            String($0.components(separatedBy: "\n```")[0])
        }
    }

    /// Imports stand at the head of a file, not of a region; how far a comment stands from its line is a matter of taste.
    static func normalised(_ code: String) -> (imports: Set<String>, lines: [String]) {
        var imports: Set<String> = []
        var lines: [String] = []
        for line in code.components(separatedBy: "\n") {
            if line.hasPrefix("import ") {
                imports.insert(line)
            } else if !(lines.isEmpty && line.isEmpty) {
                lines.append(line.replacingOccurrences(of: " +//", with: " //", options: .regularExpression))
            }
        }
        let indent = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return (imports, lines.map { String($0.dropFirst(indent)) })
    }

    /// The regions of a source file. A function that is a static member there is a plain one in an article.
    static func regions(_ source: String) -> [[String]] {
        source.components(separatedBy: "// snippet\n").dropFirst().map { part in
            let region = part.components(separatedBy: "// end")[0]
            var lines = normalised(region).lines.map { $0.replacing("static func", with: "func") }
            while lines.last?.allSatisfy({ $0 == " " }) == true { lines.removeLast() }
            return lines
        }
    }

    @Test("every Swift block of an article is a region of the compiled snippets", arguments: names)
    func articlesAreCompiled(name: String) throws {
        let source = try Self.text("Tests/CandlewireServerTests/Guide/Snippets.swift")
        let regions = Self.regions(source)
        let article = try String(contentsOf: Self.articles.appendingPathComponent("\(name).md"), encoding: .utf8)
        let blocks = Self.blocks(article)
        #expect(!blocks.isEmpty)
        for block in blocks {
            let (imports, lines) = Self.normalised(block)
            #expect(regions.contains(lines), "not in Snippets.swift:\n\(lines.joined(separator: "\n"))")
            for line in imports { #expect(source.contains(line + "\n")) }
        }
    }

    @Test("every article is in the list above, and every region in an article")
    func nothingIsForgotten() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.articles.path)
        let names = files.filter { $0.hasSuffix(".md") && $0 != "WebSocketTransport.md" }.map { String($0.dropLast(3)) }
        #expect(Set(names) == Set(Self.names))
        let landing = try String(
            contentsOf: Self.articles.appendingPathComponent("WebSocketTransport.md"), encoding: .utf8)
        var blocks: [[String]] = []
        for name in names {
            #expect(landing.contains("<doc:\(name)>"))
            let article = try String(contentsOf: Self.articles.appendingPathComponent("\(name).md"), encoding: .utf8)
            blocks += Self.blocks(article).map { Self.normalised($0).lines }
        }
        for region in Self.regions(try Self.text("Tests/CandlewireServerTests/Guide/Snippets.swift")) {
            #expect(blocks.contains(region), "in no article:\n\(region.joined(separator: "\n"))")
        }
    }

    @Test("every Swift block of the README is in an example that is compiled")
    func readmeIsCompiled() throws {
        let examples = Self.root.appendingPathComponent("Examples")
        let sources = try FileManager.default.subpathsOfDirectory(atPath: examples.path).filter {
            $0.hasSuffix(".swift")
        }.map { try Self.text("Examples/" + $0) }
        let blocks = Self.blocks(try Self.text("README.md"))
        #expect(!blocks.isEmpty)
        for block in blocks {
            let (imports, lines) = Self.normalised(block)
            let code = lines.joined(separator: "\n")
            let holder = sources.first { Self.normalised($0).lines.joined(separator: "\n").contains(code) }
            #expect(holder != nil, "in no example:\n\(code)")
            for line in imports { #expect(holder?.contains(line + "\n") == true) }
        }
    }

    @Test("what the articles show runs as they say")
    func runs() async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["BTC-USD", "ETH-USD"])) { server in
            let client = try await Snippets.open(url: "ws://127.0.0.1:\(server.port)/v1/stream")
            #expect(client.state == .open)
            await Snippets.candles(client)
            #expect(await Snippets.events(client) != nil)
            try await Snippets.slow(client) { bar in #expect(bar.isFinal) }
            let live = await Snippets.recovery(client)
            #expect(live.series.count > 300)
            let chart = Snippets.views(client)
            for await event in chart.events {
                if case .snapshot(let candles, _) = event {
                    #expect(candles.count == 300)
                    break
                }
            }
            #expect(Snippets.view(client).timeframe == .m1)
            #expect(Snippets.everything(client).symbol == "BTC-USD")
            Snippets.hints(client)
            await Snippets.inside(client)
            try await Snippets.faults(serverPort: server.port)
        }
    }

    @Test("what needs no server runs too")
    func runsAlone() async throws {
        #expect(Snippets.conflate() == 2)
        #expect(Snippets.rotation().session.rotation == 82_800)
        try await Snippets.clock()
        try Snippets.machine()
        #expect(Snippets.label(.waiting(until: 12.5), now: 10) == "Next attempt in 3 s")
        let proxy = try await ChaosProxy.start(target: .init(port: 1), seed: 1)
        Snippets.settings(proxy)
        #expect(proxy.settings == .calm)
        await proxy.stop()
        #expect(throws: (any Error).self) { try Snippets.secrets(Snippets.Login()) }
        #expect(Snippets.frames { _ in }.onFrame != nil)
    }
}
