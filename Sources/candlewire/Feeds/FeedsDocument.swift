import MarketFeeds
import MarketModel
import StreamCore

/// Feeds as JSON, for programs.
enum FeedsDocument {
    static func text(_ feeds: [FeedOutline]) -> String {
        var sink: [UInt8] = []
        sink.json("{\"feeds\":[")
        for (index, feed) in feeds.enumerated() {
            if index > 0 { sink.json(",") }
            write(feed, into: &sink)
        }
        sink.json("]}\n")
        return String(decoding: sink, as: UTF8.self)
    }

    private static func write(_ feed: FeedOutline, into sink: inout [UInt8]) {
        sink.json("{\"name\":")
        sink.string(feed.name)
        sink.json(",\"title\":")
        sink.string(feed.title)
        sink.json(",\"symbol\":")
        sink.string(feed.symbol)
        sink.json(",\"live\":")
        if let adapter = feed.adapter { live(adapter, into: &sink) } else { sink.json("null") }
        sink.json(",\"credentials\":")
        if let name = feed.adapter?.credentialsName { sink.string(name) } else { sink.json("null") }
        sink.json(",\"history\":")
        if let history = feed.history {
            sink.json("{\"timeframes\":[")
            for (index, timeframe) in history.timeframes.enumerated() {
                if index > 0 { sink.json(",") }
                sink.string(timeframe.rawValue)
            }
            sink.json("],\"candles_per_request\":")
            sink.integer(history.rows)
            sink.json(",\"newest_only\":")
            sink.json(history.isNewestOnly ? "true" : "false")
            sink.json(",\"requests_per_second\":")
            sink.number(history.requestsPerSecond)
            sink.json("}")
        } else {
            sink.json("null,\"no_history\":")
            sink.string(FeedOutline.withoutHistory(feed.name))
        }
        sink.json(",\"markets\":")
        sink.string(feed.markets.rawValue)
        sink.json(",\"simulated_by\":")
        sink.string(feed.simulation.rawValue)
        sink.json("}")
    }

    private static func live(_ adapter: any FeedAdapter, into sink: inout [UInt8]) {
        let (can, limits) = (adapter.capabilities, adapter.limits)
        sink.json("{\"address\":")
        sink.string(adapter.endpoint)
        sink.json(",\"missing_trades\":")
        sink.string(can.gaps.rawValue)
        for (name, value) in [
            (",\"sees_repeated\":", can.seesDuplicates), (",\"acknowledges\":", can.acknowledges),
            (",\"tells_sides\":", can.tellsSides), (",\"needs_key\":", can.needsKey),
        ] as [(StaticString, Bool)] {
            sink.json(name)
            sink.json(value ? "true" : "false")
        }
        sink.json(",\"symbols_per_connection\":")
        sink.integer(limits.symbolsPerConnection)
        sink.json(",\"symbols_per_request\":")
        sink.integer(limits.symbolsPerRequest)
        sink.json(",\"requests_per_second\":")
        sink.number(limits.messagesPerSecond)
        sink.json(",\"replaced_after\":")
        if let rotation = limits.rotation { sink.number(rotation) } else { sink.json("null") }
        sink.json("}")
    }
}
