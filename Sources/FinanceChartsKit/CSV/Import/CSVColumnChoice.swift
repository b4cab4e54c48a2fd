/// What a column of an imported file may hold.
package enum CSVColumnRole: String, Sendable, CaseIterable {
    case time
    /// The time of day where `time` holds only the date.
    case clock
    case open, high, low, close
    case volume
    /// A trade's.
    case price

    /// Headers that mean it, the best first.
    fileprivate var usualNames: [String] {
        switch self {
        case .time: ["timestamp", "datetime", "unix", "date", "time", "open_time", "open time", "start"]
        case .clock: []
        case .volume: ["volume", "amount", "size", "quantity", "qty"]
        default: [rawValue]
        }
    }
}

/// Which column holds what, where a file's header does not say so: by name, or by number from 1.
package struct CSVColumnChoice: Sendable, Equatable {
    enum Column: Sendable, Equatable {
        case number(Int)
        case name(String)
        /// The file does not have it.
        case absent
    }

    var chosen: [CSVColumnRole: Column] = [:]

    package static let allowed =
        "columns are chosen as ROLE=NAME or ROLE=NUMBER with commas between, for example "
        + "time=1,open=2,close=3,high=4,low=5,volume=none; the roles are "
        + CSVColumnRole.allCases.map(\.rawValue).joined(separator: ", ")

    package init() {}

    /// - Parameter text: `time=date,volume=volume_btc` or `time=1,open=2`.
    /// - Returns: `nil` where it is written otherwise, or names a role twice.
    package init?(_ text: String) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1).map { $0.trimmed }
            guard sides.count == 2, let role = CSVColumnRole(rawValue: sides[0].lowercased()), chosen[role] == nil,
                !sides[1].isEmpty
            else { return nil }
            if let number = Int(sides[1]) {
                guard (1...10_000).contains(number) else { return nil }
                chosen[role] = .number(number)
            } else {
                chosen[role] = sides[1].lowercased() == "none" ? Column.absent : .name(sides[1])
            }
        }
    }

    /// Whether a line is a header: it holds a name that was chosen, or one of those that only a header has.
    func isHeader(_ fields: [String], of content: CSVImportFormat.Content) -> Bool {
        let names = Set(fields.map { $0.lowercased() })
        let prices: [CSVColumnRole] = content == .trades ? [.price] : [.open, .high, .low, .close]
        if prices.contains(where: { names.contains($0.rawValue) }) { return true }
        return chosen.values.contains {
            if case .name(let name) = $0 { names.contains(name.lowercased()) } else { false }
        }
    }

    struct Missing: Error { var names: [String] }

    /// Where each role's column is, counted from 0.
    /// - Parameter header: the names of the columns; `nil` where the file has none.
    func positions(header: [String]?, of content: CSVImportFormat.Content) -> Result<[CSVColumnRole: Int], Missing> {
        let names = header?.map { $0.lowercased() }
        let needed: [CSVColumnRole] = content == .trades ? [.time, .price] : [.time, .open, .high, .low, .close]
        let usual: [CSVColumnRole] = needed + [.volume]
        var found: [CSVColumnRole: Int] = [:]
        var missing: [String] = []
        for role in usual + [.clock] {
            switch chosen[role] {
            case .number(let number)?: found[role] = number - 1
            case .name(let name)?:
                if let at = names?.firstIndex(of: name.lowercased()) { found[role] = at } else { missing.append(name) }
            case .absent?: break
            case nil:
                if let names {
                    found[role] = role.usualNames.lazy.compactMap { names.firstIndex(of: $0) }.first
                } else {
                    found[role] = usual.firstIndex(of: role)
                }
            }
        }
        // A date alone gets its time from the column of that name.
        if chosen[.clock] == nil, chosen[.time] == nil, let names, let time = found[.time], names[time] == "date" {
            found[.clock] = names.firstIndex(of: "time")
        }
        missing += needed.filter { found[$0] == nil && chosen[$0] == nil }.map(\.rawValue)
        return missing.isEmpty ? .success(found) : .failure(Missing(names: missing))
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
