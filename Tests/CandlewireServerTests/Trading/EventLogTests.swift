import MarketModel
import Testing

@testable import CandlewireServer

@Suite("The event log")
struct EventLogTests {
    private func event(_ number: Int, _ kind: TradingEvent.Kind = .system, account: String? = nil) -> TradingEvent {
        TradingEvent(
            id: "e\(number)", kind: kind, account: account, symbol: number % 2 == 0 ? "BTC-USD" : "ETH-USD",
            message: "",
            timestamp: Double(number))
    }

    @Test("keeps so many and forgets the oldest")
    func bound() {
        var log = EventLog(capacity: 10)
        for number in 1...25 { log.append(event(number)) }
        #expect(log.count == 10)
        #expect(log.newest(EventLog.Filter())?.map(\.id) == (16...25).reversed().map { "e\($0)" })
        #expect(EventLog.capacity == 10_000)
    }

    @Test("pages back by id, and says where a page's beginning is gone")
    func pages() {
        var log = EventLog(capacity: 10)
        for number in 1...25 { log.append(event(number)) }
        #expect(log.newest(EventLog.Filter(limit: 3, before: "e23"))?.map(\.id) == ["e22", "e21", "e20"])
        #expect(log.newest(EventLog.Filter(before: "e16"))?.isEmpty == true)
        #expect(log.newest(EventLog.Filter(before: "e15")) == nil)
    }

    @Test("is filtered by type, market and account; an event without an account reaches every client")
    func filters() {
        var log = EventLog()
        log.append(event(1, .signal))
        log.append(event(2, .risk, account: "paper-a"))
        log.append(event(3, .orderPlaced, account: "paper-b"))
        log.append(event(4, .system))
        #expect(log.newest(EventLog.Filter(kinds: [.signal, .risk]))?.map(\.id) == ["e2", "e1"])
        #expect(log.newest(EventLog.Filter(symbol: "BTC-USD"))?.map(\.id) == ["e4", "e2"])
        #expect(log.newest(EventLog.Filter(account: "paper-a"))?.map(\.id) == ["e4", "e2", "e1"])
    }

    @Test("there is a type for each thing that is reported")
    func types() {
        #expect(
            Set(TradingEvent.Kind.allCases.map(\.rawValue)) == [
                "signal", "order_placed", "order_filled", "order_cancelled", "position_opened", "position_closed",
                "risk",
                "system",
            ])
    }
}

@Suite("The signal rule")
struct SignalRuleTests {
    private func signals(_ closes: [Double]) -> [String] {
        var rule = SignalRule()
        return closes.enumerated().compactMap { index, close in
            let candle = Candle(
                timestamp: Double(index * 60), open: close, high: close, low: close, close: close, volume: 1)
            return rule.update(with: candle).map { "\($0.rawValue) at \(index)" }
        }
    }

    @Test("reports the first candle after which the averages have crossed, and the same for the same candles")
    func crossings() {
        // 30 down, 30 up, 30 down: the averages of 9 and 21 cross some candles after each turn.
        let closes =
            (0..<30).map { 100 - Double($0) } + (0..<30).map { 71 + Double($0) } + (0..<30).map { 100 - Double($0) }
        let found = signals(closes)
        #expect(found.map { $0.prefix(5) } == ["Long ", "Short"])
        #expect(found == signals(closes))
        // Against the definition, written out: EMA with the simple average as its first value.
        func ema(_ period: Int, _ end: Int) -> Double {
            var value = closes.prefix(period).reduce(0, +) / Double(period)
            for close in closes[period...end] { value += (close - value) * 2 / Double(period + 1) }
            return value
        }
        let up = (22..<90).first { ema(9, $0) > ema(21, $0) }
        let down = (up!..<90).first { ema(9, $0) < ema(21, $0) }
        #expect(found == ["Long at \(up!)", "Short at \(down!)"])
    }

    @Test("reports nothing for a market that does not move, nor before there are 21 candles")
    func quiet() {
        #expect(signals(Array(repeating: 5, count: 100)).isEmpty)
        #expect(signals((0..<20).map { $0 < 10 ? 100 - Double($0) : 80 + Double($0) }).isEmpty)
    }
}

@Suite("Markets that stop trading")
struct MarketPulseTests {
    @Test("are reported once, and once when they trade again")
    func pulse() {
        var pulse = MarketPulse(markets: 2)
        #expect(pulse.review(now: 100).isEmpty)
        #expect(pulse.recordTick(0, now: 100) == nil)
        #expect(pulse.recordTick(1, now: 110) == nil)
        #expect(pulse.review(now: 114.9).isEmpty)
        #expect(pulse.review(now: 116).map(\.market) == [0])
        #expect(pulse.review(now: 117).isEmpty)
        #expect(pulse.recordTick(0, now: 120) == 20)
        #expect(pulse.recordTick(0, now: 121) == nil)
        #expect(pulse.review(now: 126).map(\.market) == [1])
    }

    @Test("are not reported while nothing is expected of them")
    func expectNothing() {
        var pulse = MarketPulse(markets: 1, priceStaleAfter: 60)
        _ = pulse.recordTick(0, now: 0)
        _ = pulse.recordTick(0, now: 1)
        pulse.expectNothing()
        #expect(pulse.review(now: 30).isEmpty)
        // The price ages all the same.
        #expect(pulse.stalePriceAge(0, now: 100) == 99)
        pulse.forget(0)
        #expect(pulse.stalePriceAge(0, now: 1000) == nil)
    }

    @Test(
        "have a stale price after the limit, or twenty of their usual gaps",
        arguments: [
            // One tick: the usual gap is not known.
            (ticks: [0], limit: 900), ([0, 0.1, 0.2], 60), ([0, 3], 60), ([0, 30], 600),
            // An outage is no gap between two trades.
            ([0, 1, 2, 10_000, 10_001], 80),
        ] as [(ticks: [Double], limit: Double)])
    func stalePrice(ticks: [Double], limit: Double) {
        var pulse = MarketPulse(markets: 1, priceStaleAfter: 60)
        for tick in ticks { _ = pulse.recordTick(0, now: tick) }
        let last = ticks.last ?? 0
        #expect(pulse.stalePriceAge(0, now: last + 59.9) == nil)
        let stale = (1...20_000).first { pulse.stalePriceAge(0, now: last + Double($0) / 10) != nil }
        #expect(stale.map { abs(Double($0) / 10 - limit) <= 20 } == true, "\(stale ?? -1)")
        #expect(MarketPulse(markets: 1).stalePriceAge(0, now: 1e9) == nil)
    }
}
