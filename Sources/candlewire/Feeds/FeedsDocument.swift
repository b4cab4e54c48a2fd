import MarketFeeds
import MarketModel
import StreamCore

/// Feeds as JSON, for programs.
enum FeedsDocument {
    static func text(_ feeds: [FeedOutline]) -> String {
        var sink: [UInt8] = []
        sink.json("{\"feeds\":")
        sink.list(feeds) { write($1, into: &$0) }
        sink.json("}\n")
        return String(decoding: sink, as: UTF8.self)
    }

    private static func write(_ feed: FeedOutline, into sink: inout [UInt8]) {
        sink.string("{\"name\":", feed.name)
        sink.string(",\"title\":", feed.title)
        sink.string(",\"symbol\":", feed.symbol)
        sink.json(",\"live\":")
        if let adapter = feed.adapter { live(adapter, into: &sink) } else { sink.json("null") }
        sink.json(",\"credentials\":")
        if let name = feed.adapter?.credentialsName { sink.string(name) } else { sink.json("null") }
        sink.json(",\"history\":")
        if let history = feed.history {
            sink.json("{\"timeframes\":")
            sink.list(history.timeframes) { $0.string($1.rawValue) }
            sink.integer(",\"candles_per_request\":", history.rows)
            sink.bool(",\"newest_only\":", history.isNewestOnly)
            sink.number(",\"requests_per_second\":", history.requestsPerSecond)
            sink.json("}")
        } else {
            sink.string("null,\"no_history\":", FeedOutline.withoutHistory(feed.name))
        }
        sink.string(",\"markets\":", feed.markets.rawValue)
        sink.string(",\"simulated_by\":", feed.simulation.rawValue)
        sink.json("}")
    }

    private static func live(_ adapter: any FeedAdapter, into sink: inout [UInt8]) {
        let (can, limits) = (adapter.capabilities, adapter.limits)
        sink.string("{\"address\":", adapter.endpoint)
        sink.string(",\"missing_trades\":", can.gaps.rawValue)
        sink.bool(",\"sees_repeated\":", can.seesDuplicates)
        sink.bool(",\"acknowledges\":", can.acknowledges)
        sink.bool(",\"tells_sides\":", can.tellsSides)
        sink.bool(",\"needs_key\":", can.needsKey)
        sink.integer(",\"symbols_per_connection\":", limits.symbolsPerConnection)
        sink.integer(",\"symbols_per_request\":", limits.symbolsPerRequest)
        sink.number(",\"requests_per_second\":", limits.messagesPerSecond)
        sink.json(",\"replaced_after\":")
        if let rotation = limits.rotation { sink.number(rotation) } else { sink.json("null") }
        sink.json("}")
    }
}
