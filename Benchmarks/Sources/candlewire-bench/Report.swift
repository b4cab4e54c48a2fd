import Foundation

/// Prints one line per figure, for people and (tab-separated, with `--tsv`) for the comparison script.
enum Report {
    nonisolated(unsafe) static var isTable = false

    static func rate(_ name: String, _ count: Int, _ times: Stopwatch.Times, unit: String) {
        let best = Double(count) / times.best
        let median = Double(count) / times.median
        if isTable {
            print("\(name)\t\(median)\t\(best)\t\(unit)/s")
        } else {
            print("\(padded(name)) \(millions(median)) million \(unit)/s (median), \(millions(best)) (best)")
        }
    }

    static func duration(_ name: String, _ times: Stopwatch.Times) {
        if isTable {
            print("\(name)\t\(times.median)\t\(times.best)\ts")
        } else {
            print("\(padded(name)) \(milliseconds(times.median)) ms (median), \(milliseconds(times.best)) (best)")
        }
    }

    private static func padded(_ name: String) -> String {
        name.padding(toLength: 58, withPad: " ", startingAt: 0)
    }

    private static func millions(_ value: Double) -> String { String(format: "%7.2f", value / 1e6) }
    private static func milliseconds(_ value: Double) -> String { String(format: "%8.4f", value * 1e3) }
}
