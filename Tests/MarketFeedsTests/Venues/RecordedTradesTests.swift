import MarketModel
import StreamCore
import Testing

@testable import MarketFeeds

/// Real sessions, counted by other means. `Tests/Oracles/test_trades.py` compares each of their trades.
@Suite("Recorded sessions", .enabled(if: SharedData.isPresent, "no ../shared/data"))
struct RecordedTradesTests {
    @Test("each is recognised and read whole, and nothing in it is unknown", arguments: SharedRecording.all)
    func whole(session: SharedRecording) throws {
        let recording = try Recording(path: session.path, needsTrades: false)
        #expect(recording.venue == session.venue && recording.messageCount == session.messages)
        #expect(recording.tradeCount == session.trades && recording.markets.count == session.markets)
        #expect(zip(recording.times, recording.times.dropFirst()).allSatisfy { $0 <= $1 })
        var reader = VenueSession(venue: recording.venue)
        for index in 0..<recording.messageCount { recording.withMessage(index) { _ = reader.read($0) } }
        let counts = reader.counts
        #expect(counts.malformed == 0 && counts.missing == 0 && counts.kinds[.other] == 0)
        // Each of Coinbase's trades is reported by its ticker as well, and six last ones by the subscription twice.
        #expect(counts.duplicates == (session.venue == .coinbase ? 71 : 0))
    }

    @Test("735 trades in one millisecond, 950 in one second: each counts, in the order of its number")
    func bursts() throws {
        var most = (millisecond: 0, second: 0)
        for day in try ReadSession.spotDays() {
            let trades = day.trades.map(\.trade)
            #expect(zip(trades, trades.dropFirst()).allSatisfy { $1.id == $0.id + 1 })
            let times = trades.map(\.tick.timestamp)
            let inMillisecond = Dictionary(grouping: times) { $0 }.values.map(\.count).max() ?? 0
            let inSecond = Dictionary(grouping: times) { $0.rounded(.down) }.values.map(\.count).max() ?? 0
            most = (max(most.millisecond, inMillisecond), max(most.second, inSecond))
        }
        #expect(most.millisecond == 735 && most.second == 950)
    }

    @Test("streams of one connection are not synchronised: 44 % of the trades print outside the last quote")
    func outsideTheQuote() throws {
        var outside = 0
        var trades = 0
        for day in try ReadSession.spotDays() {
            var next = 0
            for (index, (quote, message)) in day.quotes.enumerated() {
                #expect(quote.timestamp == nil)
                let (bid, ask) = (try #require(quote.bid), try #require(quote.ask))
                let end = index + 1 < day.quotes.count ? day.quotes[index + 1].message : .max
                while next < day.trades.count, day.trades[next].message < end {
                    if day.trades[next].message > message {
                        trades += 1
                        outside += (bid...ask).contains(day.trades[next].trade.tick.price) ? 0 : 1
                    }
                    next += 1
                }
            }
        }
        #expect((0.43...0.45).contains(Double(outside) / Double(trades)))
    }

    @Test("the recorder's clock was 1.27 s behind: no trade is refused for coming from the future")
    func clockSkew() throws {
        let day = try ReadSession.spot.get().before
        var validator = TickValidator()
        var ages: [Double] = []
        for (trade, message) in day.trades {
            ages.append(day.times[message] - trade.tick.timestamp)
            #expect(validator.check(trade.tick, now: day.times[message]) == nil)
        }
        ages.sort()
        #expect((-1.28 ... -1.25).contains(ages[ages.count / 2]) && validator.accepted == day.trades.count)
    }

    @Test("closed klines agree with our candles as far as the recording goes: it begins inside their minute")
    func klines() throws {
        let session = SharedRecording.all.first { $0.name == "binance_spot_btcusdt-ethusdt-dotusdt_2021-04-04" }!
        let recording = try Recording(path: session.path)
        var reader = VenueSession(venue: recording.venue)
        var theirs: [VenueCandle] = []
        var ours: [String: Candle] = [:]
        for index in 0..<recording.messageCount {
            recording.withMessage(index) { _ = reader.read($0) }
            theirs += reader.candles
            for trade in reader.trades where trade.tick.timestamp < 1_617_566_640 {
                let price = trade.tick.price
                var candle =
                    ours[reader.symbols.names[trade.market]]
                    ?? Candle(timestamp: 1_617_566_580, open: price, high: price, low: price, close: price, volume: 0)
                candle.high = max(candle.high, price)
                candle.low = min(candle.low, price)
                candle.close = price
                candle.volume += trade.tick.volume
                ours[reader.symbols.names[trade.market]] = candle
            }
        }
        #expect(theirs.count == 3 && theirs.allSatisfy { $0.seconds == 60 && $0.candle.timestamp == 1_617_566_580 })
        var lows = 0
        for candle in theirs {
            let own = try #require(ours[candle.symbol])
            #expect(own.close == candle.candle.close && own.high == candle.candle.high)
            #expect(own.volume < candle.candle.volume && own.low >= candle.candle.low)
            lows += own.low == candle.candle.low ? 1 : 0
        }
        #expect(lows == 2)
    }
}
