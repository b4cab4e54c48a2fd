import Foundation
import MarketModel
import StreamCore
import TradingCore

/// What the market list shows of one market.
struct MarketSummary: Sendable {
    var market: Int
    var lastPrice: Double?
    /// Of the last trade, or of the newest candle.
    var lastTime: Double?
    /// When the last trade came in, by the feed's clock; `nil`: none has yet, what is known is stored.
    var receivedAt: Double?
    var day: DayStatistics?
    /// The session of the last trade, where the venue knows one.
    var session: SessionDay?
    /// Closes of the last 24 hours at half-hour steps, oldest first, the last price at the end.
    var sparkline: [Double]
    var feed = MarketFeedState.live
    /// Most decimals seen in its prices, where the feed did not declare them.
    var decimals = 0
    var bid: Double?
    var ask: Double?
    /// The highest leverage of an order; `nil`: nothing is traded here.
    var maxLeverage: Int?

    /// Whether its trades are received, and none has come yet.
    var isWaiting: Bool { feed == .live && receivedAt == nil }
}

extension MarketRegistry {
    /// Writes what the answer of `GET /v1/markets` says of one market.
    func write(_ summary: MarketSummary, into sink: inout [UInt8]) {
        let (market, names) = (markets[summary.market], names[summary.market])
        let (feed, day) = (names.feed, summary.day)
        sink.object { sink in
            sink.fields("symbol", market.symbol, "name", names.title)
            sink.fields("base", market.baseCurrency, "quote", market.quoteCurrency)
            sink.field("quote_decimals", QuoteCurrency.decimals(of: market.quoteCurrency))
            sink.fields(
                "precision", max(market.precision, min(summary.decimals, 12)), "feed", feed.isEmpty ? nil : feed,
                "feed_state", summary.feed == .live ? nil : summary.feed.name, "feed_reason", summary.feed.reason)
            if summary.isWaiting { sink.field("waiting", true) }
            // NaN is written as null: these are there in any case.
            sink.fields("price", summary.lastPrice ?? .nan, "timestamp", summary.lastTime ?? .nan, "bid", summary.bid)
            // A venue's open may be the difference of two numbers.
            sink.fields("ask", summary.ask, "open_24h", day?.open.withoutNoise ?? .nan, "high_24h", day?.high ?? .nan)
            sink.fields("low_24h", day?.low ?? .nan, "volume_24h", day?.volume.withoutNoise ?? .nan)
            sink.fields(
                "change_24h", day?.changeWithoutNoise ?? .nan, "change_percent_24h",
                day?.changePercent?.rounded(decimals: 4) ?? .nan)
            sink.fields("session", summary.session, "max_leverage", summary.maxLeverage)
            sink.list("sparkline", summary.sparkline)
        }
    }
}

extension DayStatistics {
    /// With no more decimals than the two prices have.
    fileprivate var changeWithoutNoise: Double {
        let (open, close) = (open.withoutNoise, close.withoutNoise)
        return (close - open).rounded(decimals: max(open.decimals, close.decimals))
    }
}

extension Double {
    /// What decimals add up to, without the noise of binary fractions: to the 15 digits that a double has of any decimal.
    fileprivate var withoutNoise: Double {
        guard isFinite, self > 0 else { return self }
        let whole = Int(log10(self).rounded(.down)) + 1
        return rounded(decimals: min(max(0, 15 - whole), 22))
    }

    /// Decimals of the shortest text that reads as this number, at most 12.
    var decimals: Int { (0..<12).first { rounded(decimals: $0) == self } ?? 12 }
}

/// What is still known of a market whose past is not in memory.
struct MarketDigest: Sendable {
    /// Up to this many markets keep the minutes that indicators are made of.
    static let studiedMarkets = 50
    /// Their number: a smoothed average has forgotten what is older.
    static let studiedMinutes = 200

    /// Its newest, 24 hours of them at most: its day, to the half hour.
    var halfHours: [Candle]
    var sparkline: [Double]
    /// Its newest, at least the last one.
    var minutes: [Candle]
}

/// How a market is supplied.
enum MarketFeedState: Equatable, Sendable {
    /// Its trades come.
    case live
    /// It has not been connected yet.
    case connecting
    /// The connection is lost; it is being made again.
    case interrupted
    /// The venue does not want to, for this reason.
    case refused(String)
    /// It has no readers, so its trades are not subscribed to.
    case paused
    /// Its feed is switched off.
    case off

    /// Its name in documents.
    var name: String {
        switch self {
        case .live: "live"
        case .connecting: "connecting"
        case .interrupted: "interrupted"
        case .refused: "refused"
        case .paused: "paused"
        case .off: "off"
        }
    }

    /// Why the venue refused it.
    var reason: String? { if case .refused(let reason) = self { reason } else { nil } }
}
