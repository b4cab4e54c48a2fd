import HistoryStore
import MarketModel
import StreamCore

/// Writes the answer of `GET /health`.
struct HealthDocument: JSONDocument {
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
        sink.object { sink in
            sink.field("status", status)
            sink.field("uptime", (uptime * 10).rounded() / 10)
            sink.field("feed", feeds.combined)
            sink.list("feeds", feeds)
            sink.object("ticks") { sink in
                sink.field("accepted", counts.accepted)
                sink.field("corrected", counts.corrected)
                sink.field("rejected", counts.rejections)
            }
            sink.object("streams") { streams(readers, into: &$0) }
            sink.object("store") { sink in
                sink.field("pending_rows", store.pendingRows)
                sink.field("written_rows", store.writtenRows)
                sink.field("failed_batches", store.failedBatches)
                sink.field("dropped_rows", store.droppedRows)
            }
            sink.field("trading", trading)
            sink.field("consultations", consultations)
        }
    }

    private func streams(_ readers: ReaderCounts, into sink: inout [UInt8]) {
        sink.field("connections", readers.connections)
        sink.field("skipped", readers.skipped)
        sink.field("snapshots_for_slow_readers", readers.snapshots)
        sink.field("closed_slow_readers", readers.closes[.slowReader])
        sink.field("active", streams.active)
        sink.field("published", streams.published)
        sink.field("raw_connections", admissions.echoes)
        sink.field("accepted", admissions.accepted)
        sink.object("refused") { sink in
            sink.field("address", admissions.address)
            sink.field("total", admissions.total)
            sink.field("origin", admissions.origin)
            sink.field("timeout", admissions.timeout)
        }
        let closed = ReaderCounts.Closes.codes.map { ("\($0.rawValue)", JSONValue.number(Double(readers.closes[$0]))) }
        sink.field("closed", JSONValue.object(Dictionary(uniqueKeysWithValues: closed)))
        traffic(of: readers, into: &sink)
        sink.list("event_loops", loops) { loop, sink in
            sink.object { sink in
                sink.field("connections", loop.connections)
                traffic(of: loop, into: &sink)
            }
        }
    }

    private func traffic(of counts: ReaderCounts, into sink: inout [UInt8]) {
        sink.field("bytes_in", counts.bytesIn)
        sink.field("bytes_out", counts.bytesOut)
    }
}
