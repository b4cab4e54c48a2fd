import HistoryStore
import MarketModel
import StreamCore

/// Writes the answer of `GET /health`.
struct HealthDocument {
    var uptime: Double
    var feed: FeedStatus
    var counts: PipelineCounts
    var readers: ReaderCounts
    var streams: (active: Int, published: Int)
    var store: StoreStatistics

    /// `ok`, or `degraded` while candles cannot be written.
    var status: String { store.failedBatches > 0 && store.pendingRows > 0 ? "degraded" : "ok" }

    func write(into sink: inout [UInt8]) {
        sink.json("{\"status\":")
        sink.string(status)
        sink.json(",\"uptime\":")
        sink.number((uptime * 10).rounded() / 10)
        sink.json(",\"feed\":{\"name\":")
        sink.string(feed.name)
        sink.json(",\"state\":")
        sink.string(feed.state)
        for (name, value) in feed.figures {
            sink.json(",")
            sink.string(name)
            sink.json(":")
            sink.integer(value)
        }
        sink.json("},\"ticks\":{\"accepted\":")
        sink.integer(counts.accepted)
        sink.json(",\"corrected\":")
        sink.integer(counts.corrected)
        sink.json(",\"rejected\":{")
        for (index, reason) in TickRejection.allCases.enumerated() {
            sink.json(index == 0 ? "\"" : ",\"")
            sink.json(reason.name)
            sink.json("\":")
            sink.integer(counts.rejections[reason])
        }
        sink.json("}},\"streams\":{\"connections\":")
        sink.integer(readers.connections)
        sink.json(",\"skipped\":")
        sink.integer(readers.skipped)
        sink.json(",\"snapshots_for_slow_readers\":")
        sink.integer(readers.snapshots)
        sink.json(",\"closed_slow_readers\":")
        sink.integer(readers.closed)
        sink.json(",\"active\":")
        sink.integer(streams.active)
        sink.json(",\"published\":")
        sink.integer(streams.published)
        sink.json("},\"store\":{\"pending_rows\":")
        sink.integer(store.pendingRows)
        sink.json(",\"written_rows\":")
        sink.integer(store.writtenRows)
        sink.json(",\"failed_batches\":")
        sink.integer(store.failedBatches)
        sink.json(",\"dropped_rows\":")
        sink.integer(store.droppedRows)
        sink.json("}}")
    }
}
