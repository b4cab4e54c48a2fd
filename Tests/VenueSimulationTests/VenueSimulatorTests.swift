import NIOCore
import StreamCore
import TestKit
import Testing
import WebSocketTransport

@testable import VenueSimulation

@Suite("VenueSimulator", .timeLimit(.minutes(15)))
struct VenueSimulatorTests {
    private let subscribe = #"{"type":"subscribe","product_ids":["AB-CD"],"channels":["matches","heartbeat"]}"#

    private func connect(_ venue: VenueSimulator, path: String? = nil) async throws -> WebSocketConnection {
        try await WebSocketConnector.connect(url: path.map { venue.baseURL + $0 } ?? venue.url, timeout: .seconds(60))
    }

    /// Messages until so many came that are wanted, or the end.
    private func read(_ socket: WebSocketConnection, _ count: Int, where isWanted: (String) -> Bool) async -> [String] {
        var found: [String] = []
        for await event in socket.events {
            if case .text(let text) = event, isWanted(text) { found.append(text) }
            if found.count == count { break }
        }
        return found
    }

    /// A slow machine must not miss Coinbase's five seconds.
    private static var standing: VenueClock { VenueClock(ManualClock(startingAt: 1_700_000_000)) }

    @Test("a client subscribes, and gets its ack and the whole recording in order")
    func plays() async throws {
        let venue = try await VenueSimulator.start(
            .coinbase, session: VenueRecordings.coinbase(5000), clock: Self.standing)
        let socket = try await connect(venue)
        try await socket.send(text: subscribe)
        let messages = await read(socket, 5002) { !$0.hasPrefix(#"{"type":"heartbeat""#) }
        #expect(messages.first?.contains("subscriptions") == true)
        #expect(messages.dropFirst(2) == ArraySlice((0..<5000).map { VenueRecordings.match(101 + $0, Double($0)) }))
        try await venue.wait { $0.ended == 1 }
        #expect(venue.log.subscriptions[0] == [VenueTopic("matches", "AB-CD"), VenueTopic("heartbeat", "AB-CD")])
        #expect(venue.log.received == [subscribe])
        await socket.close()
        try await venue.wait { $0.open == 0 }
        await venue.stop()
    }

    @Test("a path without WebSockets, a refusal, a scheduled cut and a cut at will")
    func endings() async throws {
        let settings = VenueSettings(faults: [VenueFaults(refuse: 503, retryAfter: 3), VenueFaults(cutAfter: 2)])
        let venue = try await VenueSimulator.start(
            .coinbase, session: VenueRecordings.coinbase(5), settings: settings, clock: Self.standing)
        await #expect(throws: WebSocketUpgradeError.self) { try await connect(venue, path: "/nothing") }
        await #expect {
            try await connect(venue)
        } throws: {
            ($0 as? WebSocketUpgradeError)?.retryAfter == 3
        }
        let second = try await connect(venue)
        try await second.send(text: subscribe)
        #expect(await read(second, 100) { $0.contains("match\"") }.count == 2)
        try await venue.wait { $0.kicks == [.init(connection: 1, reason: "cut, as set")] }

        let third = try await connect(venue)
        try await third.send(text: subscribe)
        #expect(await read(third, 6) { $0.contains("match\"") }.count == 6)
        await venue.cut()
        #expect(await read(third, 1_000_000) { _ in true }.count < 1_000_000)
        try await venue.wait { $0.open == 0 && $0.connections == 3 }
        await venue.stop()
    }

    @Test("on a manual clock, time passes only when the test moves it")
    func manualClock() async throws {
        let clock = ManualClock(startingAt: 1_618_677_780)
        let venue = try await VenueSimulator.start(
            .coinbase, session: VenueRecordings.coinbase(4), settings: VenueSettings(pace: .recorded()),
            clock: VenueClock(clock))
        let socket = try await connect(venue)
        try await socket.send(text: subscribe)
        try await venue.wait { $0.sent == 3 }
        clock.advance(by: .seconds(1))
        try await venue.wait { $0.sent == 5 }
        let messages = await read(socket, 5) { _ in true }
        #expect(messages[3] == VenueRecordings.match(102, 1) && messages[4].contains(#""last_trade_id":102"#))
        await socket.close()
        await venue.stop()
    }

    @Test("a silent client is pinged, and its own pongs count among its messages")
    func pings() async throws {
        let clock = ManualClock(startingAt: 1_700_000_000)
        let venue = try await VenueSimulator.start(
            .binance, session: RecordedSession(lines: []), clock: VenueClock(clock))
        let socket = try await connect(venue)
        for round in 1...3 {
            clock.advance(by: .seconds(20))
            try await venue.wait { $0.pongs == round }
        }
        #expect(venue.log.kicks.isEmpty)
        await socket.close()
        await venue.stop()
    }
}

extension VenueClock {
    /// Moved by hand.
    fileprivate init(_ clock: ManualClock) {
        self.init(now: { clock.seconds }) { time, body in
            let wakeUp = clock.schedule(at: .init(.seconds(time)), body)
            return { clock.cancel(wakeUp) }
        }
    }
}
