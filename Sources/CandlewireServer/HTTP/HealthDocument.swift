import HistoryStore
import MarketModel
import StreamCore

/// Writes the answer of `GET /health`.
struct HealthDocument: JSONObjectDocument {
    /// The server was told to stop.
    var isDraining: Bool
    var connections: ConnectionCounts
    var uptime: Double
    var feeds: [FeedStatus]
    var counts: PipelineCounts
    /// Of each event loop.
    var loops: [ReaderCounts]
    var admissions: AdmissionCounts.Totals
    var streams: (active: Int, published: Int, publishedInBinary: Int)
    var store: StoreStatistics
    var trading: TradingHealth
    /// `nil`: there are none.
    var consultations: ConsultationHealth?
    /// Wrong tokens and keys, and requests refused after too many of them.
    var logins: (wrong: Int, refused: Int)

    /// Seconds that the system's clock is ahead of the server's time; 0 where the server follows it.
    var clockLead = WallClock.systemLead

    /// `closing` while the server stops; else `ok`, or `degraded` while candles, the ledger or conversations cannot be written, or the clock is not to be trusted.
    var status: String {
        if isDraining { return "closing" }
        return (store.failedBatches > 0 && store.pendingRows > 0) || !trading.isOK || consultations?.isOK == false
            || clockLead != 0
            ? "degraded" : "ok"
    }

    func writeMembers(into sink: inout [UInt8]) {
        let readers = loops.reduce(into: ReaderCounts()) { $0.add($1) }
        sink.fields("status", status, "uptime", (uptime * 10).rounded() / 10, "feed", feeds.combined)
        sink.object("clock") { $0.fields("state", clockLead == 0 ? "ok" : "held", "system_ahead", clockLead) }
        sink.list("feeds", feeds)
        sink.object("ticks") { sink in
            sink.fields("accepted", counts.accepted, "corrected", counts.corrected, "rejected", counts.rejections)
        }
        sink.field("connections", connections)
        sink.object("streams") { streams(readers, into: &$0) }
        sink.object("store") { sink in
            sink.fields("pending_rows", store.pendingRows, "written_rows", store.writtenRows)
            sink.fields("failed_batches", store.failedBatches, "dropped_rows", store.droppedRows)
        }
        sink.fields("trading", trading, "consultations", consultations)
        sink.object("logins") { $0.fields("wrong", logins.wrong, "refused_after_wrong", logins.refused) }
    }

    private func streams(_ readers: ReaderCounts, into sink: inout [UInt8]) {
        sink.fields("connections", readers.connections, "skipped", readers.skipped)
        sink.object("skipped_by_cause") { sink in
            sink.fields("slow_reader", readers.skippedForReader, "max_rate", readers.skippedForRate)
            sink.field("busy_server", readers.skippedForLoad)
        }
        sink.fields("snapshots_for_slow_readers", readers.snapshots, "closed_slow_readers", readers.closes[.slowReader])
        sink.fields("active", streams.active, "published", streams.published)
        sink.field("published_in_binary", streams.publishedInBinary)
        sink.fields("raw_connections", admissions.echoes, "accepted", admissions.accepted)
        sink.object("refused") { sink in
            sink.fields("address", admissions.address, "total", admissions.total, "origin", admissions.origin)
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
        sink.fields("bytes_in", counts.bytesIn, "bytes_out", counts.bytesOut)
    }
}
