import Foundation
import Testing

/// Compares a dumped picture with `Golden/NAME.txt`, line by line; the first line that differs is reported.
///
/// Recorded with CANDLEWIRE_RECORD=1, on purpose only: recording fails the run, so that it cannot pass unseen.
func expectGolden(_ dump: String, _ name: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden")
    let file = folder.appendingPathComponent("\(name).txt")
    if ProcessInfo.processInfo.environment["CANDLEWIRE_RECORD"] == "1" {
        try dump.write(to: file, atomically: true, encoding: .utf8)
        Issue.record("recorded \(name).txt; look at the difference and run again without recording")
        return
    }
    let lines = dump.split(separator: "\n", omittingEmptySubsequences: false)
    let golden = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    for (index, (line, expected)) in zip(lines, golden).enumerated() where line != expected {
        Issue.record("line \(index + 1): \(line), recorded: \(expected)")
        return
    }
    #expect(lines.count == golden.count)
}
