/// The name that somebody meant, for a sentence about one that does not exist.
enum NearestName {
    /// - Returns: `nil` where none is like it: more than a third of it would have to change.
    static func of(_ name: String, among names: [String]) -> String? {
        let near = names.map { ($0, distance(Array(name.lowercased().utf8.prefix(40)), Array($0.utf8))) }
            .min { $0.1 < $1.1 }
        guard let near, near.1 <= max(1, min(name.utf8.count, near.0.utf8.count) / 3) else { return nil }
        return near.0
    }

    /// Insertions, removals and replacements between two texts (Levenshtein).
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for i in a.indices {
            var diagonal = row[0]
            row[0] = i + 1
            for j in b.indices {
                let cost = min(row[j + 1] + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0 : 1))
                diagonal = row[j + 1]
                row[j + 1] = cost
            }
        }
        return row[b.count]
    }
}
