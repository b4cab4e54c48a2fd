import HistoryStore
import MarketModel
import StreamCore

/// Writes the answer of `GET /health`.
struct HealthDocument {
    var uptime: Double
    var feeds: [FeedStatus]
    var counts: PipelineCounts
    /// Of each event loop.
    var loops: [ReaderCounts]
    var admissions: AdmissionCounts.Totals
    var streams: (active: Int, published: Int)
    var store: StoreStatistics
    var trading: TradingHealth
    /// `nil`: there are none.
    var consultations: ConsultationHealth?

    /// `ok`, or `degraded` while candles, the ledger or conversations cannot be written.
    var status: String {
        (store.failedBatches > 0 && store.pendingRows > 0) || !trading.isOK || consultations?.isOK == false
            ? "degraded" : "ok"
    }

    func write(into sink: inout [UInt8]) {
        var readers = ReaderCounts()
        for loop in loops { readers.add(loop) }
        sink.json("{\"status\":")
        sink.string(status)
        sink.json(",\"uptime\":")
        sink.number((uptime * 10).rounded() / 10)
        sink.json(",\"feed\":")
        feeds.combined.write(into: &sink)
        sink.json(",\"feeds\":[")
        for (index, feed) in feeds.enumerated() {
            if index > 0 { sink.json(",") }
            feed.write(into: &sink)
        }
        sink.json("],\"ticks\":{\"accepted\":")
        sink.integer(counts.accepted)
        sink.json(",\"corrected\":")
        sink.integer(counts.corrected)
        sink.json(",\"rejected\":")
        counts.rejections.write(into: &sink)
        sink.json("},\"streams\":{\"connections\":")
        sink.integer(readers.connections)
        sink.json(",\"skipped\":")
        sink.integer(readers.skipped)
        sink.json(",\"snapshots_for_slow_readers\":")
        sink.integer(readers.snapshots)
        sink.json(",\"closed_slow_readers\":")
        sink.integer(readers.closes[.slowReader])
        sink.json(",\"active\":")
        sink.integer(streams.active)
        sink.json(",\"published\":")
        sink.integer(streams.published)
        connections(readers, into: &sink)
        sink.json("},\"store\":{\"pending_rows\":")
        sink.integer(store.pendingRows)
        sink.json(",\"written_rows\":")
        sink.integer(store.writtenRows)
        sink.json(",\"failed_batches\":")
        sink.integer(store.failedBatches)
        sink.json(",\"dropped_rows\":")
        sink.integer(store.droppedRows)
        sink.json("},\"trading\":")
        trading.write(into: &sink)
        if let consultations {
            sink.json(",\"consultations\":")
            consultations.write(into: &sink)
        }
        sink.json("}")
    }

    /// Who was let in, who was not, who was shut out again, and what went over the wire.
    private func connections(_ readers: ReaderCounts, into sink: inout [UInt8]) {
        sink.json(",\"raw_connections\":")
        sink.integer(admissions.echoes)
        sink.json(",\"accepted\":")
        sink.integer(admissions.accepted)
        let refused: [(StaticString, Int)] = [
            ("{\"address\":", admissions.address), (",\"total\":", admissions.total),
            (",\"origin\":", admissions.origin), (",\"timeout\":", admissions.timeout),
        ]
        sink.json(",\"refused\":")
        for (name, count) in refused {
            sink.json(name)
            sink.integer(count)
        }
        sink.json("},\"closed\":{")
        for (index, code) in ReaderCounts.Closes.codes.enumerated() {
            sink.json(index == 0 ? "\"" : ",\"")
            sink.integer(Int(code.rawValue))
            sink.json("\":")
            sink.integer(readers.closes[code])
        }
        sink.json("}")
        traffic(of: readers, into: &sink)
        sink.json(",\"event_loops\":[")
        for (index, loop) in loops.enumerated() {
            sink.json(index == 0 ? "{\"connections\":" : ",{\"connections\":")
            sink.integer(loop.connections)
            traffic(of: loop, into: &sink)
            sink.json("}")
        }
        sink.json("]")
    }

    private func traffic(of counts: ReaderCounts, into sink: inout [UInt8]) {
        sink.json(",\"bytes_in\":")
        sink.integer(counts.bytesIn)
        sink.json(",\"bytes_out\":")
        sink.integer(counts.bytesOut)
    }
}
