import Foundation
import MarketModel
import Testing

@testable import MarketFeeds

/// Findings: what comes with subscriptions, and what comes twice.
@Suite("Findings: subscriptions", .enabled(if: SharedData.isPresent, "no ../shared/data"))
struct RecordedSubscriptionTests {
    private static let coinbase = "coinbase_exchange_ws-feed_6products_2021-04-17"

    /// The trades that the messages with one of these types report by themselves: number, price, volume and side.
    private static func trades(of lines: [String], _ types: [String]) -> [UInt64: String] {
        var reader = VenueSession(venue: .coinbase)
        var trades: [UInt64: String] = [:]
        for line in lines where types.contains(where: { line.contains("\"type\":\"\($0)\"") }) {
            _ = Array(line.utf8).withUnsafeBytes { reader.read($0) }
            for trade in reader.trades { trades[trade.id] = "\(trade.tick.price) \(trade.tick.volume) \(trade.side)" }
        }
        return trades
    }

    @Test(
        "Coinbase sends each trade twice, with opposite sides: 71 of 71 pairs match, 12 of 65 tickers come first"
    )
    func pairs() throws {
        let lines = try SharedRecording.recording(Self.coinbase).lines
        // Which comes first in the whole session: the one of the other kind is the repetition.
        var reader = VenueSession(venue: .coinbase)
        var tickersFirst = 0
        for line in lines {
            let bytes = Array(line.utf8)
            _ = bytes.withUnsafeBytes { reader.read($0) }
            tickersFirst += line.contains("\"type\":\"ticker\"") ? reader.trades.count : 0
        }
        #expect(tickersFirst == 12 && reader.counts.trades == 65 && reader.counts.duplicates == 71)
        // A match before each, so that none is the first of its market, which may be old.
        let first = lines.filter { $0.contains("\"type\":\"last_match\"") }
        let matches = Self.trades(of: lines, ["last_match", "match"])
        let tickers = Self.trades(
            of: first + lines.filter { $0.contains("\"type\":\"ticker\"") }, ["last_match", "ticker"])
        #expect(matches.count == 65 && tickers == matches)
        // The six others are last matches and first tickers: their sides are opposite, too.
        let pairs = try Self.sides(lines)
        #expect(pairs.count == 71 && pairs.allSatisfy { $0.match != $0.ticker })
    }

    private static func sides(_ lines: [String]) throws -> [(match: String, ticker: String)] {
        var matches: [Int: String] = [:]
        var tickers: [(Int, String)] = []
        for line in lines where line.contains("trade_id") {
            let message = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let (id, side) = (try #require(message["trade_id"] as? Int), try #require(message["side"] as? String))
            if message["type"] as? String == "ticker" { tickers.append((id, side)) } else { matches[id] = side }
        }
        return try tickers.map { (try #require(matches[$0.0]), $0.1) }
    }

    @Test("what a subscription begins with is up to 107 s old, and no trade of the session")
    func oldTrades() throws {
        let recording = try SharedRecording.recording(Self.coinbase)
        var reader = VenueSession(venue: .coinbase)
        var oldest = 0.0
        for (index, line) in recording.lines.enumerated() {
            let bytes = Array(line.utf8)
            _ = bytes.withUnsafeBytes { reader.read($0) }
            guard line.contains("\"type\":\"last_match\"") else { continue }
            #expect(reader.trades.isEmpty)
            let time = try #require(line.firstMatch(of: /"time":"([^"]*)"/)).1
            let seconds = try #require(Array(time.utf8).withUnsafeBytes { RFC3339.seconds($0) })
            oldest = max(oldest, recording.times[index] - seconds)
        }
        #expect((107.0..<108.0).contains(oldest))
    }

    @Test("sequence jumps on each of 65 matches, trade_id never: nothing is missing")
    func sequences() throws {
        var last: [String: (sequence: Int, trade: Int)] = [:]
        var (matches, jumps) = (0, 0)
        for line in try SharedRecording.recording(Self.coinbase).lines where line.contains("match\"") {
            let message = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let product = try #require(message["product_id"] as? String)
            let sequence = try #require(message["sequence"] as? Int)
            let trade = try #require(message["trade_id"] as? Int)
            if let last = last[product] {
                matches += 1
                jumps += sequence == last.sequence + 1 ? 0 : 1
                #expect(trade == last.trade + 1)
            }
            last[product] = (sequence, trade)
        }
        #expect(matches == 65 && jumps == 65)
        #expect(try ReadSession(Self.coinbase).counts.missing == 0)
    }

    @Test("data frames precede the last acknowledgement, and count")
    func dataBeforeAcknowledgement() throws {
        let kinds = try ReadSession(Self.coinbase).kinds
        let last = try #require(kinds.lastIndex(of: .acknowledgement))
        #expect(kinds[..<last].count { $0 != .acknowledgement } == 6)
        #expect(kinds.count { $0 == .acknowledgement } == 3)
    }

    @Test("8 of Bybit's 10 acknowledgements are byte-identical to one before and name no topic: each grants a request")
    func doubledAcknowledgements() throws {
        let adapter = try #require(FeedCatalogue.adapter(named: "bybit"))
        var (all, distinct) = (0, Set<String>())
        for name in ["bybit_v5_linear_2025-06-13", "bybit_v5_spot_2025-06-13"] {
            for line in try SharedRecording.recording(name).lines where line.contains("\"op\"") {
                all += 1
                distinct.insert(line)
                let answers = Array(line.utf8).withUnsafeBytes { adapter.answers(to: $0, .acknowledgement) }
                #expect(answers == [.grantedOldest])
            }
            #expect(try ReadSession(name).counts.kinds[.acknowledgement] == (name.contains("spot") ? 6 : 4))
        }
        #expect(all == 10 && all - distinct.count == 8)
    }

    @Test(
        "Coinbase Advanced Trade sends newest first: 8 of 47 and 14 of 32 numbers step back, and none of what we report"
    )
    func newestFirst() throws {
        let name = "coinbase_advanced-trade_btcusd-ethusd_2026-08-09"
        var last: [Substring: UInt64] = [:]
        var (reported, back): ([Substring: Int], [Substring: Int]) = ([:], [:])
        for line in try SharedRecording.recording(name).lines
        where line.contains("\"market_trades\",") && line.contains("\"type\":\"update\"") {
            for row in line.matches(of: /"product_id":"([^"]*)","trade_id":"(\d+)"/) {
                let number = try #require(UInt64(row.2))
                reported[row.1, default: 0] += 1
                back[row.1, default: 0] += number < last[row.1] ?? 0 ? 1 : 0
                last[row.1] = number
            }
        }
        #expect(reported == ["BTC-USD": 47, "ETH-USD": 32] && back == ["BTC-USD": 8, "ETH-USD": 14])
        let received = try ReadSession(name)
        for market in 0..<2 {
            let numbers = received.trades.filter { $0.trade.market == market }.map(\.trade.id)
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 } && numbers.count > 100)
        }
    }
}
