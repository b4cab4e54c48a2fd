import Foundation

/// A configuration file: `key = value` in each line, where a key is an option of `serve` without its dashes.
///
/// ```
/// # A line that begins with # is a comment.
/// host = 0.0.0.0
/// feed = coinbase:BTC-USD,ETH-USD
/// feed = kraken:BTC/USD
/// demo = false
/// ```
/// An option that may be repeated has a line for each value. A value may stand in double quotes.
struct OptionFile: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        var key: String
        var value: String
        /// From 1 on.
        var line: Int
    }

    /// What is wrong in a line.
    struct Flaw: Error, Sendable, Equatable {
        /// `nil`: the file as a whole.
        var line: Int?
        var sentence: String
    }

    static let maxBytes = 1 << 20

    var entries: [Entry] = []
    var flaws: [Flaw] = []

    /// Reads all lines, the wrong ones too.
    /// - Parameter options: what keys are allowed.
    init(parsing text: String, options: [ServeOption]) {
        var lines: [String: Int] = [:]
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let number = index + 1
            let line = line.trimmingCharacters(in: .whitespaces.union(.newlines))
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard let mark = line.firstIndex(of: "=") else {
                flaws.append(Flaw(line: number, sentence: "\"\(line)\" is not KEY = VALUE."))
                continue
            }
            let key = line[..<mark].trimmingCharacters(in: .whitespaces)
            var value = line[line.index(after: mark)...].trimmingCharacters(in: .whitespaces)
            if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
                value = String(value.dropFirst().dropLast())
            }
            guard key != ServeOption.fileName, let option = options.first(where: { $0.name == key }) else {
                flaws.append(Flaw(line: number, sentence: Self.unknown(key, options)))
                continue
            }
            if !option.isRepeating, let first = lines.updateValue(number, forKey: key) {
                flaws.append(
                    Flaw(line: number, sentence: "\(key) is set in line \(first) already, and has one value only."))
                continue
            }
            entries.append(Entry(key: key, value: value, line: number))
        }
    }

    /// - Throws: `CommandFailure` where the file cannot be read.
    init(path: String) throws {
        let handle = try require(
            FileHandle(forReadingAtPath: path), "The configuration file \(path) cannot be read.")
        // No more than a configuration may have: the path may be a device that never ends.
        let data = try require(
            try? handle.read(upToCount: Self.maxBytes + 1) ?? Data(), "The configuration file \(path) cannot be read.")
        try require(
            data.count <= Self.maxBytes, "The configuration file \(path) has more than \(Self.maxBytes) bytes.")
        let text = try require(
            String(data: data, encoding: .utf8), "The configuration file \(path) is not UTF-8.")
        self.init(parsing: text, options: ServeOption.all)
    }

    private static func unknown(_ key: String, _ options: [ServeOption]) -> String {
        if key == ServeOption.fileName { return "config names a configuration file, and none can name another." }
        let names = options.map(\.name).filter { $0 != ServeOption.fileName }
        let near = names.filter { Self.distance($0, key.replacing("_", with: "-").lowercased()) <= 2 }
        let hint =
            near.isEmpty
            ? "allowed are \(names.joined(separator: ", "))" : "is \(near.joined(separator: " or ")) meant?"
        return "Unknown key \"\(key)\"; \(hint)\(near.isEmpty ? "." : "")"
    }

    /// How many letters must be changed, added or left out.
    static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one.utf8), Array(other.utf8.prefix(64)))
        var row = Array(0...other.count)
        for (i, letter) in one.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for j in other.indices {
                let next = min(row[j] + 1, row[j + 1] + 1, diagonal + (letter == other[j] ? 0 : 1))
                diagonal = row[j + 1]
                row[j + 1] = next
            }
        }
        return row[other.count]
    }
}
