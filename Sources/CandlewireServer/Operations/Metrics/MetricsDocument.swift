import HistoryStore
import MarketModel
import StreamCore

/// Writes the answer of `GET /metrics`: what `/health` counts, and more. Every label has a bounded number of values: reasons
/// and causes of the code, feeds of the configuration, patterns of routes. Nothing that a client or a venue chooses is one.
struct MetricsDocument {
    var health: HealthDocument
    var requests: RequestCounts.Totals
    var readiness: Readiness.State
    /// Seconds that a job waited for the market loop just now.
    var marketLoopDelay: Double
    var isReplay: Bool
    /// The server's time, seconds since 1970 UTC.
    var now = WallClock.now()
    var process = ProcessFigures.read()

    func write(into text: inout PrometheusText) {
        writeServer(into: &text)
        writeTicks(into: &text)
        writeFeeds(into: &text)
        writeConnections(into: &text)
        writeStreams(into: &text)
        writeRequests(into: &text)
        writeStores(into: &text)
        writeModels(into: &text)
        process.write(into: &text)
    }

    private func writeServer(into text: inout PrometheusText) {
        text.metric("candlewire_build_info", .gauge, "1, with the version as a label.") {
            $0.add(1, [("version", CandlewireRelease.version)])
        }
        text.gauge("candlewire_uptime_seconds", "Seconds since the server began to answer.", health.uptime)
        text.gauge(
            "candlewire_ready", "1 where /readyz says ready, 0 while the server starts or stops.",
            readiness == .ready ? 1 : 0)
        text.gauge(
            "candlewire_clock_held", "1 while the system's clock has jumped and the server keeps its own time.",
            health.clockLead == 0 ? 0 : 1)
        text.gauge(
            "candlewire_clock_ahead_seconds", "Seconds that the system's clock is ahead of the server's time.",
            health.clockLead)
        text.gauge(
            "candlewire_market_loop_delay_seconds", "Seconds that the scrape's own job waited for the market loop.",
            marketLoopDelay)
    }

    private func writeTicks(into text: inout PrometheusText) {
        let counts = health.counts
        text.counter("candlewire_ticks_accepted_total", "Ticks that were applied.", counts.accepted)
        text.counter(
            "candlewire_ticks_corrected_total", "Ticks and venue candles that changed a finished candle.",
            counts.corrected)
        text.metric("candlewire_ticks_rejected_total", .counter, "Ticks that were not applied, by reason.") { series in
            for reason in TickRejection.allCases {
                series.add(counts.rejections[reason], [("reason", "\(reason.name)")])
            }
        }
        text.counter("candlewire_candles_final_total", "Candles that ended or were corrected.", counts.finalCandles)
    }

    // MARK: Feeds

    private func writeFeeds(into text: inout PrometheusText) {
        text.metric("candlewire_feed_up", .gauge, "1 while the feed delivers, 0 while it does not.") { series in
            for feed in health.feeds {
                series.add(["live", "playing"].contains(feed.state) ? 1 : 0, [("feed", feed.name)])
            }
        }
        text.metric(
            "candlewire_feed_age_seconds", .gauge,
            "Seconds since the feed's newest tick was received; of no recording, and not before its first tick."
        ) { series in
            for feed in health.feeds {
                if let at = feed.lastTickAt, !isReplay {
                    series.add(max(0, now - at), [("feed", feed.name)])
                }
            }
        }
        for (figure, name, help) in Self.feedFigures {
            text.metric("candlewire_feed_\(name)_total", .counter, help) { series in
                for feed in health.feeds {
                    let value = feed.figures.first { $0.name == figure }?.value
                    if let value { series.add(value, [("feed", feed.name)]) }
                }
            }
        }
    }

    /// What live feeds report: its name in `/health`, the one here, and what it is.
    private static let feedFigures = [
        ("messages", "messages", "Messages of the venue."),
        ("trades", "trades", "Trades in them."),
        ("duplicates", "duplicate_trades", "Trades that came again."),
        ("missing", "missing_trades", "Trades that the venue's numbers show to be missing: gaps."),
        ("malformed", "malformed_messages", "Messages that cannot be read."),
        ("outages", "outages", "Times that a connection was lost."),
        ("reconnect_attempts", "reconnect_attempts", "Attempts to connect again."),
        ("reconnects", "reconnects", "Attempts that succeeded."),
        ("history_failures", "history_failures", "Requests for past candles that failed."),
        ("dropped_candles", "dropped_candles", "Candles of the venue that were not used."),
    ]

    // MARK: Connections

    private func writeConnections(into text: inout PrometheusText) {
        let counts = health.connections
        text.metric(
            "candlewire_connections", .gauge,
            "Connections that are open; http: also those that may still become others."
        ) { series in
            series.add(counts.openHTTP, [("kind", "http")])
            series.add(counts.openWebSockets, [("kind", "websocket")])
        }
        text.counter("candlewire_connections_accepted_total", "Connections that were accepted.", counts.accepted)
        text.metric(
            "candlewire_connections_refused_total", .counter,
            "Connections that were refused, by the limit."
        ) { series in
            series.add(counts.refusedByAddress, [("reason", "address_limit")])
            series.add(counts.refusedInAll, [("reason", "total_limit")])
        }
        text.metric(
            "candlewire_connections_cut_total", .counter,
            "Connections that were closed because their client was too slow, or sent no HTTP, by reason."
        ) { series in
            for (reason, count) in [
                ("late_head", counts.lateHeads), ("late_body", counts.lateBodies), ("late_reader", counts.lateReaders),
                ("invalid", counts.invalid),
            ] { series.add(count, [("reason", reason)]) }
        }
        text.counter(
            "candlewire_accept_failures_total",
            "Times that no connection could be accepted, because all file descriptors were in use (EMFILE).",
            counts.outOfDescriptors)
    }

    // MARK: Streams

    private func writeStreams(into text: inout PrometheusText) {
        let readers = health.loops.reduce(into: ReaderCounts()) { $0.add($1) }
        let admissions = health.admissions
        text.gauge("candlewire_stream_connections", "Stream connections that are open.", readers.connections)
        text.gauge("candlewire_streams_active", "Streams that have readers, or had some lately.", health.streams.active)
        text.counter(
            "candlewire_websockets_accepted_total", "WebSockets that were opened, of any kind.", admissions.accepted)
        text.metric(
            "candlewire_websockets_refused_total", .counter, "Requests for a WebSocket that were refused, by reason."
        ) { series in
            for (reason, count) in [
                ("address_limit", admissions.address), ("total_limit", admissions.total),
                ("origin", admissions.origin), ("timeout", admissions.timeout),
                ("unauthenticated", admissions.unauthenticated),
            ] { series.add(count, [("reason", reason)]) }
        }
        text.counter(
            "candlewire_stream_messages_published_total", "Messages, each counted once however many read it.",
            health.streams.published)
        text.counter(
            "candlewire_stream_deliveries_total", "Messages given to sockets, once for each reader.", readers.deliveries
        )
        text.counter("candlewire_stream_sent_bytes_total", "Bytes of frames given to sockets.", readers.bytesOut)
        text.counter("candlewire_stream_received_bytes_total", "Bytes of clients' messages.", readers.bytesIn)
        text.metric(
            "candlewire_stream_skipped_total", .counter,
            "Messages that a reader did not get: replaced by newer ones because it was slow or the server was busy, or left "
                + "out by its max_rate. A message says how many."
        ) { series in
            series.add(readers.skippedForReader, [("cause", "slow_reader")])
            series.add(readers.skippedForRate, [("cause", "max_rate")])
            series.add(readers.skippedForLoad, [("cause", "busy_server")])
        }
        text.counter(
            "candlewire_stream_snapshots_total", "Snapshots in the place of candles that a slow reader did not get.",
            readers.snapshots)
        text.metric(
            "candlewire_stream_closed_total", .counter, "Readers that the server closed, by reason."
        ) { series in
            for code in ReaderCounts.Closes.codes {
                series.add(readers.closes[code], [("reason", Self.word(code))])
            }
        }
        text.metric(
            "candlewire_tick_to_send_seconds", .histogram,
            "From the first message of a round until all readers of one event loop have it in their sockets: one value for "
                + "each round and loop."
        ) { $0.add(readers.sendDelay ?? DurationHistogram(DurationHistogram.internalBounds)) }
    }

    private static func word(_ code: WebSocketCloseCode) -> String {
        switch code {
        case .slowReader: "slow_reader"
        case .tooManyMessages: "too_many_messages"
        case .badRequests: "bad_requests"
        case .unauthorized: "unauthorized"
        default: "\(code.rawValue)"
        }
    }

    // MARK: Requests

    private func writeRequests(into text: inout PrometheusText) {
        text.gauge("candlewire_http_requests_in_flight", "Requests that have no answer yet.", requests.inFlight)
        text.metric(
            "candlewire_http_requests_total", .counter, "Requests by route pattern, method and class of the status."
        ) { series in
            for (request, answers) in requests.answers.sorted(by: { $0.key < $1.key }) {
                for (status, count) in answers.sorted(by: { $0.key < $1.key }) {
                    series.add(
                        count, [("route", request.route), ("method", request.method), ("status", status)])
                }
            }
        }
        text.metric(
            "candlewire_http_request_duration_seconds", .histogram,
            "From a request's head until its answer begins, by route pattern and method."
        ) { series in
            for (request, histogram) in requests.durations.sorted(by: { $0.key < $1.key }) {
                series.add(histogram, [("route", request.route), ("method", request.method)])
            }
        }
        text.counter(
            "candlewire_http_rate_limited_total", "Requests refused with 429, because their client made too many.",
            requests.limited)
        let readers = health.loops.reduce(into: ReaderCounts()) { $0.add($1) }
        text.metric(
            "candlewire_auth_failures_total", .counter, "Missing and wrong tokens and logins, by interface."
        ) { series in
            series.add(requests.unauthenticated, [("interface", "http")])
            series.add(readers.closes[.unauthorized], [("interface", "stream")])
            series.add(health.consultations?.unauthorized ?? 0, [("interface", "consultation")])
            series.add(health.admissions.unauthenticated, [("interface", "upgrade")])
        }
        text.metric("candlewire_render_duration_seconds", .histogram, "Time in which a picture was drawn, by lane.") {
            for lane in ChartRenderer.lanes {
                $0.add(
                    requests.pictures[lane] ?? DurationHistogram(DurationHistogram.requestBounds), [("lane", lane)])
            }
        }
        text.metric("candlewire_render_jobs", .gauge, "Pictures that wait or are being drawn, by lane.") { series in
            for lane in ChartRenderer.lanes { series.add(requests.waitingPictures[lane] ?? 0, [("lane", lane)]) }
        }
        text.metric(
            "candlewire_render_refused_total", .counter, "Pictures refused because too many waited."
        ) { series in
            for lane in ChartRenderer.lanes { series.add(requests.refusedPictures[lane] ?? 0, [("lane", lane)]) }
        }
    }

    // MARK: Disk

    private func writeStores(into text: inout PrometheusText) {
        let (candles, ledger) = (health.store, health.trading.ledger)
        var groups = [("ledger", ledger)]
        if let talk = health.consultations { groups.append(("conversations", talk.store.writes)) }
        func each(
            _ name: String, _ kind: PrometheusText.Kind, _ help: String, _ text: inout PrometheusText,
            candles ofCandles: Int, _ value: (GroupCommitStatistics) -> Int
        ) {
            text.metric(name, kind, help) { series in
                series.add(ofCandles, [("store", "candles")])
                for (store, statistics) in groups { series.add(value(statistics), [("store", store)]) }
            }
        }
        each(
            "candlewire_store_written_rows_total", .counter, "Rows that were written.", &text,
            candles: candles.writtenRows, \.writtenEntries)
        each(
            "candlewire_store_commits_total", .counter, "Transactions that were committed.", &text,
            candles: candles.batches, \.groups)
        each(
            "candlewire_store_failed_commits_total", .counter, "Transactions that failed.", &text,
            candles: candles.failedBatches, \.failedGroups)
        each(
            "candlewire_store_waiting_rows", .gauge, "Rows that wait for the disk.", &text,
            candles: candles.pendingRows, \.waitingRows)
        text.counter(
            "candlewire_store_dropped_rows_total", "Candles lost because they could not be written for too long.",
            candles.droppedRows)
        text.metric(
            "candlewire_store_transaction_seconds", .histogram, "Time of a transaction with its commit, by store."
        ) { series in
            series.add(candles.times.transactions, [("store", "candles")])
            for (store, statistics) in groups { series.add(statistics.times.transactions, [("store", store)]) }
        }
        text.metric(
            "candlewire_store_commit_seconds", .histogram,
            "Time of the COMMIT alone: of the ledger and the conversations the log's write and fsync, of the candles, whose "
                + "log is synced at checkpoints, mostly the write."
        ) { series in
            series.add(candles.times.commits, [("store", "candles")])
            for (store, statistics) in groups { series.add(statistics.times.commits, [("store", store)]) }
        }
        text.gauge(
            "candlewire_ledger_writable", "1 while orders are accepted, 0 while the ledger cannot be written.",
            health.trading.isOK ? 1 : 0)
        text.gauge("candlewire_trading_accounts", "Paper accounts.", health.trading.accounts)
    }

    // MARK: The assistant

    private func writeModels(into text: inout PrometheusText) {
        let talk = health.consultations
        let models = talk?.present.models ?? ModelCounts()
        text.gauge("candlewire_consultation_connections", "Consultation sockets that are open.", talk?.connections ?? 0)
        text.gauge(
            "candlewire_model_answers_running", "Answers that are being written.", talk?.present.answers ?? 0)
        text.metric("candlewire_model_answers_total", .counter, "Answers that ended, by outcome.") { series in
            for outcome in ModelCounts.Outcome.allCases {
                series.add(models.ended[outcome] ?? 0, [("outcome", outcome.rawValue)])
            }
        }
        text.metric(
            "candlewire_model_first_event_seconds", .histogram, "From the request to a model until its first word."
        ) { $0.add(models.first) }
        text.metric(
            "candlewire_model_answer_seconds", .histogram, "From the request to a model until the end of its answer."
        ) { $0.add(models.whole) }
        text.metric(
            "candlewire_model_tokens_total", .counter, "Tokens as models report them, by direction; many report none."
        ) { series in
            series.add(talk?.present.inputTokens ?? 0, [("direction", "input")])
            series.add(talk?.present.outputTokens ?? 0, [("direction", "output")])
        }
    }
}
