import FinanceChartsKit
import Foundation

/// The rows that were left out: the first ones are shown, all are counted, and all go to a file on request.
final class RejectedRows {
    static let shown = 20

    private(set) var count = 0
    private(set) var first: [String] = []
    private let path: String?
    private var handle: FileHandle?
    private var pending = ""

    /// - Parameter path: the file for all of them; it is made at once, so that a bad name is reported before the work.
    init(path: String?) throws {
        self.path = path
        guard let path else { return }
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw CommandFailure(73, "\(path) cannot be written; check its folder and permissions.") }
        self.handle = handle
        pending = "line,column,reason,row\n"
    }

    func add(_ error: CandleCSVError, row: String) throws {
        try add(line: error.line ?? 0, column: error.column, reason: error.message, row: row)
    }

    func add(line: Int, column: Int?, reason: String, row: String) throws {
        count += 1
        if first.count < Self.shown {
            first.append("line \(line)" + (column.map { ", column \($0)" } ?? "") + ": \(reason)")
        }
        guard handle != nil else { return }
        pending += "\(line),\(column.map { "\($0)" } ?? ""),\(Self.quoted(reason)),\(Self.quoted(row))\n"
        if pending.utf8.count > 1 << 16 { try flush() }
    }

    func finish() throws {
        try flush()
        try? handle?.close()
    }

    private func flush() throws {
        guard let handle, let path else { return }
        do {
            try handle.write(contentsOf: Data(pending.utf8))
        } catch {
            throw CommandFailure(
                73, "\(path) cannot be written any further: \((error as NSError).localizedDescription)")
        }
        pending = ""
    }

    private static func quoted(_ text: String) -> String {
        "\"\(text.replacing("\"", with: "\"\""))\""
    }
}
