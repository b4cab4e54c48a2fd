/// What the background writer tells whoever runs the store (for logs and metrics).
public enum StoreEvent: Sendable, Equatable {
    /// A batch was written in one transaction.
    case flushed(rows: Int)
    /// A batch could not be written; its rows are kept and tried again. Told at the 1st, 2nd, 4th, 8th... failure in a
    /// row, so that a full disk does not fill the log as well.
    case writeFailed(StoreError, failuresInARow: Int, pendingRows: Int)
    /// The first batch after failures was written.
    case recovered(afterFailures: Int)
    /// The buffer was full, and this many new rows were lost since the last such event.
    case dropped(rows: Int)
}

/// Counters of a store since it was opened.
public struct StoreStatistics: Sendable, Equatable {
    /// Rows in the buffer or in the batch that is being written.
    public var pendingRows = 0
    public var writtenRows = 0
    public var batches = 0
    public var failedBatches = 0
    /// Rows lost because the buffer was full (after long write failures).
    public var droppedRows = 0
    /// Rows that were not taken: a malformed candle, or the store was closed.
    public var refusedRows = 0
}
