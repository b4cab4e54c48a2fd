import Consultation
import Foundation
import StreamCore
import TestKit
import Testing

/// A conversation that a device keeps, with everything that can break breaking at random points.
@Suite struct DeviceStormTests {
    @Test(
        "after cuts, kills between writing and sending, and restarts, device and server have the same messages, each once",
        arguments: 1...8 as ClosedRange<UInt64>)
    func storm(seed: UInt64) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("device-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var world = ConsultationWorld(seed: seed)
        world.tabs[0].device = try WorldDevice(path: "\(folder)/chat.sqlite", killChance: 0.15, seed: seed &* 1_000_003)
        world.runUntilIdle()
        for _ in 0..<5_000 {
            try world.step(cutChance: 0.012, restartChance: seed % 2 == 0 ? 0.002 : 0)
        }
        let kills = try #require(world.tabs[0].device).kills
        #expect(
            world.cuts >= 20 && world.questions >= 20 && kills >= 10,
            "cuts, questions, kills: \(world.cuts) \(world.questions) \(kills)")
        world.tabs[0].device?.killChance = 0
        world.calm()

        let server = world.server.transcript
        let questions = server.messages.filter { $0.role == .user }.map(\.text)
        #expect(questions.count == world.questions - world.lateEdits.count)
        #expect(Set(questions).count == questions.count)

        let tab = world.tabs[0]
        #expect(tab.client.isConnected && !tab.client.messages.contains { $0.state == .pending })
        let shown = tab.client.messages.filter { !world.lateEdits.contains($0.id) }
        let expected = server.messages.suffix(shown.count)
        #expect(shown.count >= min(80, server.messages.count))
        #expect(shown.map(\.id) == expected.map(\.id))
        #expect(shown.map(\.text) == expected.map(\.text))
        #expect(shown.map(\.isSuperseded) == expected.map(\.isSuperseded))

        // The file says the same as the screen.
        let stored = try #require(try tab.device?.stored())
        #expect(stored.messages.map(\.id) == tab.client.messages.map(\.id))
        #expect(stored.messages.map(\.text) == tab.client.messages.map(\.text))
        #expect(stored.messages.map(\.state) == tab.client.messages.map(\.state))
        #expect(stored.messages.map(\.template) == tab.client.messages.map(\.template))
    }

    @Test("messages written without a connection arrive in the order of writing, each once, whatever is killed")
    func order() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("device-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var world = ConsultationWorld(seed: 404)
        world.tabs[0].device = try WorldDevice(path: "\(folder)/chat.sqlite", killChance: 0.3, seed: 404)
        for number in 1...20 {
            try world.tabs[0].write("line \(number)", MessageDetails(), now: world.now)
            world.runUntilIdle()
        }
        #expect(world.tabs[0].client.messages.map(\.state) == Array(repeating: .pending, count: 20))
        #expect(throws: ConsultationSendError.tooManyPending(20)) {
            try world.tabs[0].write("one more", MessageDetails(), now: world.now)
        }
        // More than the server lets wait (8): the rest waits here.
        world.calm()
        let sent = world.server.transcript.messages.filter { $0.role == .user }.map(\.text)
        #expect(sent == (1...20).map { "line \($0)" })
        #expect(world.tabs[0].device.map { $0.kills >= 5 } == true)
    }
}
