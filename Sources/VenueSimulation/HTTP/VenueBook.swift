import MarketModel

/// What a simulated venue serves over HTTP: its markets, and candles of the trades that it has played so far.
struct VenueBook {
    struct Row: Equatable {
        var candle: Candle
        var trades: Int
    }

    /// How much of one round of the recording was played, and where its times were moved to.
    struct Round {
        /// Messages before this one.
        var position: Int
        /// Seconds.
        var shift: Int64
    }

    let market: VenueMarket
    /// Ascending.
    let rounds: [Round]
    /// The venue's clock, seconds since 1970: what it has sent so far ends there.
    let clock: Double

    var symbols: [String] { market.symbols }

    /// The market's candles, ascending, without those of intervals without trades. The last one may be running.
    /// - Complexity: reads the market's trades.
    func candles(_ symbol: String, _ timeframe: Timeframe) -> [Row] {
        var aggregator = TickAggregator(timeframes: [timeframe], lateness: 1e9)
        var byTime: [Double: Row] = [:]
        for round in rounds {
            for placed in market.trades[symbol] ?? [] where !placed.isOld && placed.message < round.position {
                guard let price = Double(placed.trade.price), let size = Double(placed.trade.size) else { continue }
                let seconds = placed.trade.time / 1_000_000_000
                let time = Double(seconds &+ round.shift) + Double(placed.trade.time % 1_000_000_000) / 1e9
                let outcome = aggregator.ingest(timestamp: time, price: price, volume: size) { bar in
                    byTime[bar.candle.timestamp, default: Row(candle: bar.candle, trades: 0)].candle = bar.candle
                }
                if case .rejected = outcome { continue }
                let start = timeframe.bucketStart(of: time)
                let open = Candle(at: start, price, volume: size)
                byTime[start, default: Row(candle: open, trades: 0)].trades += 1
            }
        }
        if let forming = aggregator.forming(timeframe)?.candle {
            byTime[forming.timestamp, default: Row(candle: forming, trades: 0)].candle = forming
        }
        return byTime.values.sorted { $0.candle.timestamp < $1.candle.timestamp }
    }

    /// The same, with a row for each interval without trades, which repeats the close before it, up to the running one.
    /// - Parameter newest: the most rows; the newest are kept.
    func filled(_ symbol: String, _ timeframe: Timeframe, newest: Int = 50_000) -> [Row] {
        let traded = candles(symbol, timeframe)
        guard let first = traded.first else { return [] }
        let oldest = timeframe.bucketStart(of: clock - Double(newest) * timeframe.seconds)
        var rows: [Row] = []
        var next = 0
        var close = first.candle.open
        var start = first.candle.timestamp
        while start < oldest, next < traded.count {
            close = traded[next].candle.close
            next += 1
            start = max(start, next < traded.count ? min(traded[next].candle.timestamp, oldest) : oldest)
        }
        while start <= clock || next < traded.count {
            if next < traded.count, traded[next].candle.timestamp <= start {
                rows.append(traded[next])
                close = traded[next].candle.close
                next += 1
            } else {
                rows.append(Row(candle: Candle(at: start, close, volume: 0), trades: 0))
            }
            start = timeframe.bucketEnd(ofBucketAt: start)
        }
        return rows
    }

    /// Digits behind the point of a market's prices.
    func decimals(_ symbol: String) -> Int {
        let prices = market.trades[symbol]?.prefix(1000).map(\.trade.price) ?? []
        return prices.map { price in
            price.lastIndex(of: ".").map { price.distance(from: $0, to: price.endIndex) - 1 } ?? 0
        }.max() ?? 2
    }

    /// The least step of a market's prices, as text.
    func step(_ symbol: String) -> String {
        let decimals = decimals(symbol)
        return decimals == 0 ? "1" : "0." + String(repeating: "0", count: decimals - 1) + "1"
    }
}

extension Candle {
    /// Of one trade.
    init(at start: Double, _ price: Double, volume: Double) {
        self.init(timestamp: start, open: price, high: price, low: price, close: price, volume: volume)
    }

    /// What traded next in the same bucket.
    mutating func add(_ next: Candle) {
        high = max(high, next.high)
        low = min(low, next.low)
        close = next.close
        volume += next.volume
    }
}

extension VenueMachine {
    /// What is sent over HTTP now.
    func book(now: Double) -> VenueBook {
        let count = market.session.messages.count
        let running = timeline ?? newestTimeline
        switch (settings.times, running) {
        case (.asRecorded, _) where settings.pace == .asFastAsRead:
            // A client that reads as fast as it can has all of it: the whole recording is the past.
            return VenueBook(
                market: market, rounds: [.init(position: count, shift: 0)],
                clock: Double(market.session.times.last ?? 0) / 1e9 + 120)
        case (.asRecorded, nil):
            return VenueBook(market: market, rounds: [], clock: Double(market.session.times.first ?? 0) / 1e9)
        case (.now, nil): return VenueBook(market: market, rounds: [], clock: now)
        case (_, let running?):
            let place = running.place(at: now)
            // Of those before, as many as a client requests.
            var rounds = (max(running.beginning.round, place.round - 50)..<max(place.round, running.beginning.round))
                .map { VenueBook.Round(position: count, shift: running.shift($0)) }
            rounds.append(.init(position: place.index, shift: running.shift(place.round)))
            return VenueBook(market: market, rounds: rounds, clock: running.recordingTime(at: now))
        }
    }
}
