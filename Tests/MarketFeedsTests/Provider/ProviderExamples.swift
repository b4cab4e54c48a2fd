import Foundation

@testable import MarketFeeds

/// The examples of Docs/providers.md, by the word behind their fence.
enum ProviderExamples {
    static let blocks: [String: String] = {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Docs/providers.md").path
        let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
        var blocks: [String: String] = [:]
        var name: String?
        var lines: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let open = name, line == "```" {
                blocks[open] = lines.joined(separator: "\n")
                name = nil
            } else if name != nil {
                lines.append(String(line))
            } else if line.hasPrefix("```json ") {
                name = String(line.dropFirst(8))
                lines = []
            }
        }
        return blocks
    }()

    static let names = ["guide", "nested", "rows", "texts"]

    static func configuration(_ name: String) throws -> ProviderConfiguration {
        try ProviderConfigurationReader(name: name).read(Array((blocks[name] ?? "").utf8))
    }

    static func messages(_ name: String) -> [String] {
        (blocks["\(name)-messages"] ?? "").split(separator: "\n").map(String.init)
    }

    static func read(_ text: String) throws -> ProviderConfiguration {
        try ProviderConfigurationReader(name: "acme.json").read(Array(text.utf8))
    }
}
