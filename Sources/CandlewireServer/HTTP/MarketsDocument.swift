import MarketFeeds
import MarketModel
import StreamCore

/// Writes the answer of `GET /v1/markets`.
enum MarketsDocument {
    static func write(
        _ summaries: [MarketSummary], registry: MarketRegistry, feeds: [FeedStatus], serverTime: Double,
        into sink: inout [UInt8]
    ) {
        sink.object { sink in
            sink.list("markets", summaries) { market($0, registry: registry, into: &$1) }
            sink.list("timeframes", Timeframe.allCases) { $1.string($0.rawValue) }
            let feed = feeds.combined
            sink.field("feed", feed.name)
            sink.field("feed_state", feed.state)
            sink.list("feeds", feeds)
            sink.field("server_time", serverTime)
        }
    }

    static func market(_ summary: MarketSummary, registry: MarketRegistry, into sink: inout [UInt8]) {
        let market = registry.markets[summary.market]
        let feed = registry.feedNames[summary.market]
        let day = summary.day
        sink.object { sink in
            sink.field("symbol", market.symbol)
            sink.field("base", market.baseCurrency)
            sink.field("quote", market.quoteCurrency)
            sink.field("precision", max(market.precision, min(summary.decimals, 12)))
            sink.field("feed", feed.isEmpty ? nil : feed)
            sink.field("feed_state", summary.feed == .live ? nil : summary.feed.name)
            sink.field("feed_reason", summary.feed.reason)
            if summary.isWaiting { sink.field("waiting", true) }
            // NaN is written as null: these are there in any case.
            sink.field("price", summary.lastPrice ?? .nan)
            sink.field("timestamp", summary.lastTime ?? .nan)
            sink.field("bid", summary.bid)
            sink.field("ask", summary.ask)
            sink.field("open_24h", day?.open ?? .nan)
            sink.field("high_24h", day?.high ?? .nan)
            sink.field("low_24h", day?.low ?? .nan)
            sink.field("volume_24h", day?.volume ?? .nan)
            sink.field("change_24h", day?.change ?? .nan)
            sink.field("change_percent_24h", day?.changePercent ?? .nan)
            sink.list("sparkline", summary.sparkline) { $1.number($0) }
        }
    }
}

/// Writes the answer of `GET /v1/stocks`: the stocks in the tracker's list, and the market of each.
enum StocksDocument {
    static func write(
        _ part: FeedSet.Part, _ stocks: [TrackedStock], registry: MarketRegistry, into sink: inout [UInt8]
    ) {
        sink.list("stocks", stocks.enumerated()) { entry, sink in
            let (index, stock) = entry
            sink.object { sink in
                sink.field("symbol", stock.symbol)
                sink.field("market", registry.markets[part.base + index].symbol)
                sink.field("company", stock.company)
                sink.field("description", stock.description)
                sink.field("initial_price", stock.initialPrice)
                sink.field("price", stock.price(delta: stock.initialDelta) ?? stock.initialPrice)
                sink.field("precision", stock.decimals)
            }
        }
    }
}
