/// The values of one study, a row for each bar of a series.
///
/// ```swift
/// var rsi = StudyColumns(StudySettings(.rsi))
/// rsi.rebuild(series)
/// series.place(candle)                              // the newest bar moved, or a new one came
/// rsi.update(series, from: series.count - 1)
/// rsi.value(output: 0, at: series.count - 1)        // 0 to 100, NaN while there are not enough bars
/// ```
///
/// **Incremental equals batch, bit for bit.** Whatever the order of updates, the values are those of one pass over the
/// bars. Dropping the oldest bars (`dropFirst`) changes no value of the others: a study goes on as if they were still
/// there. Two things make it restart at the oldest bar that is left, as `rebuild` does: a correction so near to it
/// that the state before is not known any more, and a series that keeps fewer bars than the study's window.
///
/// Nothing here traps on data. Values are finite or NaN.
///
/// - Complexity: an update of the newest bar, or of one after it, is O(1) in the length of the series and allocates
///   nothing once there is room; per bar it costs some nanoseconds, for CCI O(period), and a window sums up its last
///   block once in `period` bars. A correction of an older bar costs the bars from there on and at most 512 before.
public struct StudyColumns: Sendable {
    public let settings: StudySettings
    /// After all bars but the newest, which may still change.
    private var state: StudyState
    private var checkpoints = StudyCheckpoints()
    /// How many rows before the current one the study reads.
    private let reach: Int
    private var storage: StudyStorage
    private var scratch: [Double]
    /// How many bars were dropped since the study began; its windows and seeds go on counting from the first of them.
    private(set) var carried = 0
    /// The window reaches over more than is left, so the next update rebuilds it.
    private var needsRebuild = false

    public init(_ settings: StudySettings) {
        self.settings = settings
        var plan = ScratchPlan()
        state = StudyState(settings, &plan)
        reach = plan.reach
        scratch = [Double](repeating: -1, count: plan.count)
        let description = settings.kind.description
        storage = StudyStorage(columns: description.outputs.count + description.hiddenColumns)
    }

    /// How many bars are known: each has a row.
    public var count: Int { storage.count }

    /// The value of an output (`StudyKind.outputs`) at a bar; NaN where there is none.
    public func value(output: Int, at index: Int) -> Double {
        guard output >= 0, output < settings.kind.outputs.count, index >= 0, index < count else { return .nan }
        return storage.value(output, index)
    }

    /// All values of an output, one a bar, without copying; the pointer is valid inside `body` only. For an output
    /// that the kind does not have there are none.
    public func withOutput<R>(_ output: Int, _ body: (UnsafeBufferPointer<Double>) -> R) -> R {
        guard output >= 0, output < settings.kind.outputs.count, count > 0 else {
            return body(UnsafeBufferPointer(start: nil, count: 0))
        }
        return storage.withColumn(output, body)
    }

    /// Recomputes all values from the bars of the series alone.
    /// - Complexity: O(n)
    public mutating func rebuild(_ series: CandleSeries) {
        forget()
        run(series, closed: 0)
    }

    /// Computes what changed.
    /// - Parameter index: bars from here on are new or changed. An index beyond what is known counts as the newest
    ///   known bar, which may have changed when it closed.
    public mutating func update(_ series: CandleSeries, from index: Int) {
        guard !needsRebuild, count > 0, !series.isEmpty else { return rebuild(series) }
        let closed = count - 1
        let from = min(max(index, 0), series.count - 1)
        if from >= closed { return run(series, closed: closed) }
        // Windows of the bars after a checkpoint reach back before it.
        let earliest = carried == 0 ? 0 : carried + reach
        let latest = carried + from
        guard earliest <= latest, let (kept, age) = checkpoints.rewind(to: earliest...latest) else {
            return rebuild(series)
        }
        state = kept
        forgetBlocks()
        run(series, closed: age - carried)
    }

    /// Follows a series that dropped its oldest bars; call it before the update for the bars that came then.
    public mutating func dropFirst(_ dropped: Int) {
        guard dropped > 0 else { return }
        guard dropped < count else { return forget() }
        storage.dropFirst(dropped)
        carried += dropped
        checkpoints.drop(before: carried)
        if count - 1 < reach { needsRebuild = true }
    }

    /// Goes on from `state`, which is that before row `closed`.
    private mutating func run(_ series: CandleSeries, closed: Int) {
        storage.resize(to: series.count)
        guard !series.isEmpty else { return }
        // Locals, because the closures below hold the storage exclusively.
        let (source, base, last) = (settings.source, carried, series.count - 1)
        var (state, checkpoints, scratch) = (state, checkpoints, scratch)
        (self.checkpoints, self.scratch) = (StudyCheckpoints(), [])
        storage.withColumns { columns, stride in
            scratch.withUnsafeMutableBufferPointer { scratch in
                series.withColumns { bars in
                    guard let scratch = scratch.baseAddress else { return }
                    let tape = StudyTape(
                        bars: bars, base: base, source: source, columns: columns, stride: stride, scratch: scratch)
                    if closed < last { state.advance(closed..<last, tape, &checkpoints) }
                    state.peek(last, tape)
                }
            }
        }
        (self.state, self.checkpoints, self.scratch) = (state, checkpoints, scratch)
    }

    private mutating func forget() {
        var plan = ScratchPlan()
        state = StudyState(settings, &plan)
        checkpoints.removeAll()
        forgetBlocks()
        storage.removeAll()
        carried = 0
        needsRebuild = false
    }

    private mutating func forgetBlocks() {
        for tag in 0..<ScratchPlan.tags { scratch[tag] = -1 }
    }
}
