import MarketModel
import StreamCore
import Testing

@testable import CandlewireServer

@Suite("Delivery in binary")
struct BinaryDeliveryTests {
    @Test(
        "readers in binary get what readers in JSON get, in the same order and with the same announcements",
        arguments: [19, 20, 21, 22] as [UInt64])
    func sameTranscript(seed: UInt64) async throws {
        try await DeliveryStage.run {
            var random = SeededGenerator(seed: seed)
            let stage = try DeliveryStage(readers: 3, binary: 3, minSaving: 10)
            // The second of each three wants few messages, and the third begins again and again.
            for reader in [1, 4] { stage.subscribe(reader, more: #","max_rate":40"#) }
            stage.settle()
            var seen: Set<Character> = []
            var inBinary = 0
            func kinds(_ all: String, _ count: Int) -> String {
                String((0..<count).map { _ in all.randomElement(using: &random)! })
            }
            for _ in 0..<300 {
                switch Int.random(in: 0..<12, using: &random) {
                case 0: stage.publisher.restartAll()
                case 1:
                    let position = Bool.random(using: &random) ? nil : stage.readers[2].client.position
                    for reader in [2, 5] { stage.beginAgain(reader, recover: position) }
                case 2...4:
                    // So late that messages are left out.
                    stage.publish(kinds("tttttttttF", 20))
                    stage.sleep(0.1)
                default:
                    stage.publish(kinds("ttfF", 3))
                }
                if Int.random(in: 0..<3, using: &random) > 0 { stage.settle() }
            }
            stage.sleep(1)
            for reader in 0..<3 {
                let (json, binary) = (stage.readers[reader].client, stage.readers[reader + 3].client)
                #expect(json.contents == binary.contents, "seed \(seed), reader \(reader)")
                #expect(json.contents.count == json.messages.count && json.binary == 0)
                seen.formUnion(binary.messages.compactMap(\.first))
                inBinary += binary.binary
            }
            // Ticks, forming and final candles, snapshots, announcements and answers.
            #expect(seen == ["t", "f", "F", "S", "-", "s"])
            #expect(inBinary > 1000)
        }
    }

    @Test("a message is written in binary once however many read it so, and not while nobody does")
    func writtenOnce() async throws {
        try await DeliveryStage.run {
            let stage = try DeliveryStage(readers: 2, binary: 3)
            stage.publish("ttF")
            stage.settle()
            #expect(stage.publisher.published == 3 && stage.publisher.publishedInBinary == 3)
            for reader in stage.readers { #expect(reader.client.messages == ["t1", "t2", "F3"]) }
            // The last one leaves between two messages that leave together.
            let (tick, key) = (Tick(timestamp: 1, price: 2, volume: 3), StreamKey(market: 0, timeframe: .m1))
            stage.publisher.publish(tick, market: 0)
            for reader in 2..<5 { stage.publisher.unsubscribe(stage.readers[reader].connection.id, from: key) }
            stage.publisher.publish(tick, market: 0)
            stage.publisher.flush()
            stage.settle()
            #expect(stage.publisher.published == 5 && stage.publisher.publishedInBinary == 4)
            for reader in 0..<2 { #expect(stage.readers[reader].client.messages == ["t1", "t2", "F3", "t4", "t5"]) }
            // One comes back. What it missed is there in JSON, and it goes on in binary.
            let client = stage.readers[2].client
            stage.beginAgain(2, recover: client.position)
            stage.publish("F")
            stage.settle()
            #expect(stage.publisher.publishedInBinary == 5)
            #expect(client.messages == ["t1", "t2", "F3", "subscribed", "t4", "t5", "F6"])
            #expect(client.contents.suffix(3) == stage.readers[0].client.contents.suffix(3))
            #expect(client.binary == 4)
        }
    }

    @Test("messages of a symbol that is too long for binary stay JSON")
    func longSymbol() async throws {
        try await DeliveryStage.run {
            for (length, isBinary) in [(255, true), (256, false)] {
                let stage = try DeliveryStage(readers: 1, binary: 1, symbol: String(repeating: "X", count: length))
                stage.publish("tfF")
                stage.publisher.restartAll()
                stage.settle()
                let (json, binary) = (stage.readers[0].client, stage.readers[1].client)
                #expect(json.contents == binary.contents && binary.messages == ["t1", "f2", "F3", "S0"])
                #expect(binary.binary == (isBinary ? 4 : 0))
            }
        }
    }
}
