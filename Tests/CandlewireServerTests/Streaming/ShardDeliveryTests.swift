import NIOCore
import StreamCore
import Testing
import WebSocketTransport

@testable import CandlewireServer

@Suite("Delivery to the readers of an event loop")
struct ShardDeliveryTests {
    @Test("a message leaves at once, and what gathered while the loop was busy leaves in one write a reader")
    func oneWrite() async throws {
        try await DeliveryStage.run {
            let stage = try DeliveryStage(readers: 5)
            let before = stage.shard.deliveries
            stage.publish("t")
            stage.settle()
            for reader in stage.readers { #expect(reader.client.messages == ["t1"] && reader.client.writes == 1) }
            for kinds in ["t", "tf", "ttt", "F", "t"] { stage.publish(kinds) }
            stage.settle()
            for reader in stage.readers {
                #expect(reader.client.messages == ["t1", "t2", "t3", "f4", "t5", "t6", "t7", "F8", "t9"])
                #expect(reader.client.writes == 2, "counted: one system call for eight messages")
            }
            #expect(stage.shard.deliveries - before == 5 * 9)
        }
    }

    @Test(
        "a late loop gives the final candles and the latest of the rest in one write, and says what is missing and why")
    func late() async throws {
        try await DeliveryStage.run {
            let stage = try DeliveryStage(readers: 4, minSaving: 100)
            for _ in 0..<20 { stage.publish("ttttt") }
            stage.publish("Fftttft")
            stage.sleep(0.05)
            for reader in stage.readers {
                #expect(reader.client.messages == ["-100", "F101", "-4", "f106", "t107"])
                #expect(reader.client.writes == 1)
            }
            let counts = stage.shard.counts
            #expect(counts.skipped == 4 * 104)
            #expect(counts.skippedForLoad == 4 * 104 && counts.skippedForReader == 0)
            // Somewhat late, or with little to save, it drops nothing.
            for _ in 0..<30 { stage.publish("t") }
            stage.sleep(0.03)
            for _ in 0..<20 { stage.publish("t") }
            stage.sleep(0.05)
            for reader in stage.readers {
                #expect(reader.client.messages.suffix(50) == (108...157).map { "t\($0)" }[...])
            }
            #expect(stage.shard.counts.skipped == 4 * 104)
        }
    }

    @Test("a subscription begins behind what was published before it, and before the rest, however much waits")
    func begins() async throws {
        try await DeliveryStage.run {
            let stage = try DeliveryStage(readers: 3)
            stage.publish("tt")
            stage.beginAgain(0)
            stage.publish("tF")
            stage.beginAgain(1)
            stage.settle()
            #expect(stage.readers[0].client.messages == ["t1", "t2", "subscribed", "S2", "t3", "F4"])
            #expect(stage.readers[1].client.messages == ["t1", "t2", "t3", "F4", "subscribed", "S4"])
            #expect(stage.readers[2].client.messages == ["t1", "t2", "t3", "F4"])
            #expect(stage.readers[2].client.writes == 1)
        }
    }

    @Test("a new epoch comes behind the whole of the old one, for each reader")
    func restarts() async throws {
        try await DeliveryStage.run {
            let stage = try DeliveryStage(readers: 3)
            stage.publish("ttt")
            stage.publisher.restartAll()
            stage.publish("tF")
            stage.publisher.restartAll()
            stage.publish("t")
            stage.settle()
            for reader in stage.readers {
                #expect(reader.client.messages == ["t1", "t2", "t3", "S0", "t1", "F2", "S0", "t1"])
            }
        }
    }

    @Test("a reader of several streams gets each in order, and one that wants few gets the latest and the count")
    func streams() async throws {
        try await DeliveryStage.run {
            let stage = try DeliveryStage(readers: 2)
            stage.subscribe(0, timeframe: "5m")
            stage.subscribe(1, more: #","max_rate":1"#)
            stage.settle()
            for reader in stage.readers { reader.client.clear() }
            stage.publish("tt")
            stage.publish("tF")
            stage.settle()
            #expect(stage.readers[0].client.messages.sorted() == ["F4", "t1", "t1", "t2", "t2", "t3", "t3"])
            #expect(stage.readers[1].client.messages == ["-3", "F4"], "the final candle contains the ticks")
            stage.publish("ttt")
            stage.settle()
            #expect(stage.readers[0].client.messages.count == 13)
            #expect(stage.readers[1].client.messages == ["-3", "F4", "-2", "t7"])
            stage.publish("tt")
            stage.settle()
            #expect(stage.readers[1].client.messages.count == 4, "not within a second")
            stage.sleep(1.01)
            #expect(stage.readers[1].client.messages.suffix(2) == ["-1", "t9"])
            #expect(stage.shard.counts.skippedForLoad == 0)
        }
    }

    @Test("the loop gets to its sockets after each slice, however many readers wait, and goes on where it was")
    func slices() async throws {
        try await DeliveryStage.run {
            let stage = try DeliveryStage(readers: 100)
            var collection = Mailbox<ByteBuffer, StreamShard.Event>.Collection()
            collection.items = [stage.oneTick]
            collection.madeFrom = 0
            stage.shard.accept(collection)
            var clock = 0.0
            var served: [Int] = []
            repeat {
                stage.shard.deliver(until: clock + 4) {
                    clock += 1
                    return clock
                }
                stage.settle()
                served.append(stage.readers.count { !$0.client.messages.isEmpty })
            } while !stage.shard.isIdle && served.count < 20
            // Each look at the clock takes a second here: one at the beginning, one before the readers, one for sixteen.
            #expect(served == [32, 64, 96, 100])
            #expect(stage.readers.allSatisfy { $0.client.messages == ["{}"] })
        }
    }

    @Test("a storm of events and the readers that wait share the time")
    func storm() async throws {
        try await DeliveryStage.run {
            let stage = try DeliveryStage(readers: 40)
            let done = Counter()
            var collection = Mailbox<ByteBuffer, StreamShard.Event>.Collection()
            collection.items = [stage.oneTick] + (0..<10).map { _ in .event { _ in done.count += 1 } }
            collection.madeFrom = 0
            stage.shard.accept(collection)
            var clock = 0.0
            stage.shard.deliver(until: 4) {
                clock += 1
                return clock
            }
            stage.settle()
            #expect(done.count == 2 && !stage.shard.hasDoneCollected)
            #expect(stage.readers.count { !$0.client.messages.isEmpty } == 16)
            stage.shard.deliver(until: 100) { 5 }
            #expect(done.count == 10 && stage.shard.hasDoneCollected && stage.shard.isIdle)
        }
    }

    private final class Counter: @unchecked Sendable { var count = 0 }

    @Test("readers that are gone cost nothing and leave nothing behind")
    func leaves() async throws {
        try await DeliveryStage.run {
            let stage = try DeliveryStage(readers: 3)
            stage.publish("t")
            stage.readers[1].socket.terminate()
            stage.publish("t")
            stage.settle()
            #expect(stage.readers[0].client.messages == ["t1", "t2"])
            #expect(stage.readers[1].client.messages.isEmpty)
            #expect(stage.shard.counts.connections == 2)
        }
    }
}
