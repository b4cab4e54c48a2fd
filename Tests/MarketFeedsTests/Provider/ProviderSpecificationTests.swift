import Foundation
import Testing

@testable import MarketFeeds

@Suite("Providers as --feed names them")
struct ProviderSpecificationTests {
    private static func file(_ text: String, _ name: String = "acme.json") throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: path)
        return path.path
    }

    @Test(
        "a file, and symbols behind it, which may have colons",
        arguments: [
            ("acme.json", ":BTC-USD,ETH-USD,BTC-USD", ["BTC-USD", "ETH-USD"]),
            ("acme.json", ":BINANCE:BTCUSDT", ["BINANCE:BTCUSDT"]), ("acme.json", "", ["A/B"]), ("acme", ":X", ["X"]),
        ])
    func parses(name: String, list: String, symbols: [String]) throws {
        let path = try Self.file(#"{"url":"wss://a","name":"acme","symbols":["A/B"]}"#, name)
        let specification = try FeedSpecification("provider:\(path)\(list)")
        guard case .provider(let configuration, let found) = specification else {
            Issue.record("not a provider")
            return
        }
        #expect(found == symbols && configuration.name == "acme" && specification.name == "acme")
    }

    @Test("what it may not say, in one sentence")
    func refuses() throws {
        let bare = try Self.file(#"{"url":"wss://a"}"#)
        for (text, part) in [
            ("provider", "needs a file"), ("provider:", "needs a file"),
            ("provider:/nowhere/x.json", "cannot be opened"),
            ("provider:\(bare)", "needs at least one symbol"), ("provider:\(bare):a b", "must have 1 to 64 printable"),
            ("provider:\(try Self.file("{\n\"urk\":1}"))", "acme.json, line 1: \"url\" is missing"),
        ] {
            #expect {
                try FeedSpecification(text)
            } throws: {
                "\($0)".contains(part)
            }
        }
    }
}
