import Foundation

/// The recordings beside the repository; tests that need them skip where they are absent.
enum SharedData {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared/data").path

    static var isPresent: Bool { FileManager.default.fileExists(atPath: folder) }

    static func recording(_ name: String) -> String { "\(folder)/recordings/\(name).jsonl.gz" }
}
