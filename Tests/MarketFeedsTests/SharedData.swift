import Foundation

/// The recordings beside the repository. Where they are absent, `Scripts/swift-test` has sessions made in the documented
/// layouts; tests that know one real file skip.
enum SharedData {
    private static let real = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared/data").path
    private static let made = ProcessInfo.processInfo.environment["CANDLEWIRE_TEST_DATA"]

    static let folder = isPresent ? real : made ?? real

    static var isPresent: Bool { FileManager.default.fileExists(atPath: real) }

    /// Whether there are sessions of the venues, recorded or made.
    static var hasSessions: Bool { isPresent || made != nil }

    static func recording(_ name: String) -> String { "\(folder)/recordings/\(name).jsonl.gz" }
}
