/// The formula of one kind of study.
///
/// A machine is what must be remembered of all bars before the next one: plain numbers, so that copying it is a copy of
/// some words. The forming bar is computed on a copy as often as it changes; only a closed bar moves the machine itself
/// on. So the value of a bar comes from one function however it is reached, and incremental equals batch to the bit.
/// What a window must look back on is not remembered but read from the series or from the study's own columns.
protocol StudyMachine {
    /// - Parameter plan: gives windows their scratch memory, and learns how many rows before the current one `step` reads.
    init(_ settings: StudySettings, _ plan: inout ScratchPlan)

    /// Reads row `at`: writes the values of all its columns and remembers what the next row needs.
    ///
    /// `at` follows the row of the step before, and all rows up to it are there.
    mutating func step(_ at: Int, _ tape: StudyTape)
}

/// Divides a study's scratch memory among its windows.
///
/// Scratch memory holds what can be recomputed from the rows (see `BlockWindow`). It is shared by all copies of a
/// machine, so each window's part begins with a tag that says of which block it is.
struct ScratchPlan {
    /// The tags lie together at the front; no study has more windows.
    static let tags = 8
    private(set) var count = ScratchPlan.tags
    private var windows = 0
    /// How many rows before the current one the study reads.
    private(set) var reach = 0

    mutating func reads(_ rows: Int) { reach = max(reach, rows) }

    mutating func window(ofValues values: Int) -> (tag: Int, values: Int) {
        defer {
            windows += 1
            count += values
        }
        return (windows, count)
    }
}
