import MarketModel
import StreamCore
import TestKit
import Testing

@Suite("Hub")
struct HubTests {
    static let key = StreamKey(market: 1, timeframe: .m1)

    /// A hub whose payload is the offset, and one client that reads with interruptions.
    @Test(
        "rule 4: after any number of drops the client has every message once, or knows that it needs a snapshot",
        arguments: 1...50)
    func noHole(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var hub = Hub<Int64, String>(markets: 3, linger: 50, ringCapacity: 12)
        var epochs = 0
        var now = 0.0
        // The server's state is how many messages there were; the client's is what it has added up from them.
        var total = 0
        var clientTotal = 0
        var position: StreamPosition?
        var isConnected = false

        for _ in 0..<400 {
            now += 1
            switch Int.random(in: 0..<10, using: &generator) {
            case 0 where isConnected:
                hub.remove("client", now: now)
                isConnected = false
            case 1, 2:
                guard !isConnected else { break }
                let start = hub.subscribe("client", to: Self.key, recover: position) {
                    epochs += 1
                    return "epoch \(epochs)"
                }
                switch start.catchUp {
                case .replay(let missed):
                    #expect(missed == Array(position!.offset + 1..<start.position.offset + 1))
                    clientTotal += missed.count
                case .snapshot: clientTotal = total
                }
                position = start.position
                isConnected = true
            case 3: hub.expire(now: now)
            default:
                total += 1
                guard let offset = hub.nextOffset(of: Self.key) else { break }
                hub.record(offset, size: 1, in: Self.key)
                if isConnected {
                    #expect(offset == position!.offset + 1)
                    position!.offset = offset
                    clientTotal += 1
                }
            }
            // Whenever it is connected the client has everything.
            if isConnected { #expect(clientTotal == total, "seed \(seed)") }
        }
    }

    @Test("a stream lives from its first subscriber until the linger time after its last one")
    func lifetime() {
        var hub = Hub<Int, Int>(markets: 2, linger: 10)
        #expect(hub.nextOffset(of: Self.key) == nil)
        _ = hub.subscribe(1, to: Self.key) { "a" }
        _ = hub.subscribe(2, to: Self.key) { "never" }
        #expect(hub.nextOffset(of: Self.key) == 1)
        #expect(hub.subscribers(of: Self.key) == [1, 2])
        hub.unsubscribe(1, from: Self.key, now: 0)
        #expect(hub.unsubscribe(1, from: Self.key, now: 0) == false)
        hub.remove(2, now: 5)
        hub.expire(now: 14.9)
        #expect(hub.isActive(Self.key))
        hub.expire(now: 15)
        #expect(!hub.isActive(Self.key))
        let again = hub.subscribe(1, to: Self.key, recover: StreamPosition(epoch: "a", offset: 0)) { "b" }
        #expect(again.position == StreamPosition(epoch: "b", offset: 0))
        if case .replay = again.catchUp { Issue.record("an old epoch must not be replayed") }
    }

    @Test("a restart keeps the subscribers and breaks the continuity")
    func restarts() {
        var hub = Hub<Int, Int>(markets: 2)
        _ = hub.subscribe(1, to: Self.key) { "a" }
        hub.record(1, size: 1, in: Self.key)
        #expect(hub.restart(Self.key, epoch: "b") == StreamPosition(epoch: "b", offset: 0))
        #expect(hub.subscribers(of: Self.key) == [1])
        #expect(hub.restart(StreamKey(market: 0, timeframe: .m1), epoch: "c") == nil)
    }
}
