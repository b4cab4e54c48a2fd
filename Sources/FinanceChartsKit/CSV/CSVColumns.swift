/// Which column holds what.
struct CSVColumns: Equatable {
    var time: Int
    /// The time of day where `time` holds only the date.
    var timeOfDay: Int?
    var open: Int
    var high: Int
    var low: Int
    var close: Int
    var volume: Int?

    static let allowed =
        "a header names timestamp (or date, time, datetime), open, high, low, close and may name volume, in any order"

    /// The order of a file without a header: time, open, high, low, close, and volume where there is a sixth column.
    static func headerless(count: Int) -> CSVColumns? {
        guard count >= 5 else { return nil }
        return CSVColumns(time: 0, open: 1, high: 2, low: 3, close: 4, volume: count > 5 ? 5 : nil)
    }

    /// Whether a line is meant as a header: it names at least one of the prices.
    static func isHeader(_ fields: [String]) -> Bool {
        let prices: Set<String> = ["open", "high", "low", "close"]
        return fields.contains { prices.contains($0.lowercased()) }
    }

    /// - Returns: `nil` and the names that are missing, or the columns; unknown ones are passed over.
    static func header(_ fields: [String]) -> Result<CSVColumns, Missing> {
        let names = fields.map { $0.lowercased() }
        func find(_ name: String) -> Int? { names.firstIndex(of: name) }
        // Where there are several, a number or a whole date and time is better than a date alone.
        let time = find("timestamp") ?? find("datetime") ?? find("unix") ?? find("date") ?? find("time")
        let prices = ["open", "high", "low", "close"].map(find)
        guard let time, let open = prices[0], let high = prices[1], let low = prices[2], let close = prices[3] else {
            var missing = time == nil ? ["timestamp"] : []
            missing += zip(["open", "high", "low", "close"], prices).filter { $0.1 == nil }.map(\.0)
            return .failure(Missing(names: missing))
        }
        return .success(
            CSVColumns(
                time: time, timeOfDay: names[time] == "date" ? find("time") : nil, open: open, high: high, low: low,
                close: close, volume: find("volume")))
    }

    struct Missing: Error, Equatable {
        var names: [String]
    }
}
