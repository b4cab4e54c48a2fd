import MarketModel
import Testing

@testable import MarketFeeds

@Suite("The queue of a feed's client")
struct FeedMailboxTests {
    private static func trade(_ price: Double) -> FeedClientEvent {
        .trade(FeedTrade(symbol: "A", tick: Tick(timestamp: 0, price: price, volume: 1), side: .buy))
    }
    private static let quote = FeedClientEvent.quote(FeedQuote(symbol: "A", bid: 1, ask: nil, timestamp: nil))

    private func read(_ mailbox: FeedMailbox, _ count: Int) async -> [FeedClientEvent] {
        var events: [FeedClientEvent] = []
        while events.count < count, let event = await mailbox.next() { events.append(event) }
        return events
    }

    @Test("a slow reader loses the newest, and learns how many where they are missing")
    func drops() async {
        let mailbox = FeedMailbox(capacity: 3)
        for price in 1...5 { mailbox.put(Self.trade(Double(price))) }
        mailbox.put(Self.quote)
        mailbox.put(.candles(FeedCandles(symbol: "A", seconds: 60, closed: [])))
        mailbox.put(.ready)
        #expect(await read(mailbox, 2) == [Self.trade(1), Self.trade(2)])
        mailbox.put(Self.trade(6))
        mailbox.finish()
        #expect(
            await read(mailbox, 100) == [
                Self.trade(3), .ready, .dropped(FeedDrops(trades: 2, quotes: 1, candles: 1)), Self.trade(6),
            ])
    }

    @Test("a reader that catches up learns of the loss even if nothing follows")
    func reported() async {
        let mailbox = FeedMailbox(capacity: 1)
        for price in 1...4 { mailbox.put(Self.trade(Double(price))) }
        #expect(await read(mailbox, 2) == [Self.trade(1), .dropped(FeedDrops(trades: 3))])
    }

    @Test("nothing makes it grow: of the connection's events the newest stay, and no trade is lost uncounted")
    func bounded() async {
        let mailbox = FeedMailbox(capacity: 10)
        for price in 0..<10 { mailbox.put(Self.trade(Double(price))) }
        for number in 0..<10_000 { mailbox.put(.problem("\(number)")) }
        mailbox.finish()
        let events = await read(mailbox, 100_000)
        #expect(events.count <= 21)
        #expect(events.contains(.problem("9999")))
        #expect(events.last == .dropped(FeedDrops(trades: 10)))
    }

    @Test("a waiting reader is woken, a cancelled one ends, a second one gets nothing")
    func waiting() async {
        let mailbox = FeedMailbox(capacity: 10)
        let first = Task { await mailbox.next() }
        first.cancel()
        #expect(await first.value == nil)
        let second = Task { await mailbox.next() }
        mailbox.put(.ready)
        #expect(await second.value == .ready)
        mailbox.finish()
        #expect(await mailbox.next() == nil)
        mailbox.put(.ready)
        #expect(await mailbox.next() == nil, "what comes after the end is nothing")
    }
}
