import Foundation
import MarketModel
import StreamCore
import Testing

@testable import MarketFeeds
@testable import VenueSimulation

/// Recordings of real venues, played by their simulations.
@Suite("Recordings at simulated venues", .enabled(if: SharedData.isPresent, "no ../shared/data"))
struct SimulatedRecordingsTests {
    struct Played: Sendable, CustomTestStringConvertible {
        var venue: SimulatedVenue
        var file: String
        /// What subscribes to its trades.
        var requests: [String]
        var trades: Int
        var testDescription: String { file }
    }

    private static let bitfinex = [
        "BFTUSD", "IOTETH", "DOGUSD", "MNABTC", "ODEUSD", "TESTBTC:TESTUSD", "SNGUSD",
    ]

    private static let sessions = [
        Played(
            venue: .coinbase, file: "coinbase_exchange_ws-feed_6products_2021-04-17.jsonl.gz",
            requests: [
                #"{"type":"subscribe","channels":["matches"],"product_ids":["BAND-BTC","BAND-GBP","CRV-EUR","SKL-GBP","SKL-USD","YFI-BTC"]}"#
            ], trades: 65),
        Played(
            venue: .binance, file: "binance_us_4symbols_2021-08-14.jsonl.gz",
            requests: [#"{"method":"SUBSCRIBE","params":["manausd@aggTrade","zrxusd@aggTrade"],"id":1}"#], trades: 3),
        Played(
            venue: .kraken, file: "kraken_v2_trade_btcusd-ethusd_2026-09-26.jsonl",
            requests: [
                #"{"method":"subscribe","params":{"channel":"trade","symbol":["BTC/USD","ETH/USD"],"snapshot":true}}"#
            ], trades: 102),
        Played(
            venue: .krakenArrays, file: "kraken_v1_trade_10pairs_2021-04-17.jsonl.gz",
            requests: [
                #"{"event":"subscribe","pair":["XMR/USD","SC/EUR"],"subscription":{"name":"trade"}}"#
            ], trades: 10),
        Played(
            venue: .bitstamp, file: "bitstamp_2022-01-05.jsonl.gz",
            requests: [#"{"event":"bts:subscribe","data":{"channel":"live_trades_ethusd"}}"#], trades: 10),
        Played(
            venue: .bitfinex, file: "bitfinex_v2_2021-04-17.jsonl.gz",
            requests: bitfinex.map { #"{"event":"subscribe","channel":"trades","symbol":"t\#($0)"}"# }, trades: 210),
    ]

    private func read(_ file: String) throws -> (recording: Recording, session: RecordedSession) {
        let recording = try Recording(
            path: "\(SharedData.folder)/recordings/\(file)", venue: nil, needsTrades: false)
        let messages = (0..<recording.messageCount).map { recording.withMessage($0) { Array($0) } }
        return (
            recording,
            RecordedSession(messages: messages, times: recording.times.map { Int64($0 * 1e6) * 1000 })
        )
    }

    /// What a client of the simulation gets.
    private func play(_ story: Played, _ session: RecordedSession, _ settings: VenueSettings, now: Double)
        -> [[UInt8]]
    {
        var venue = VenueMachine(story.venue, session: session, settings: settings)
        guard case .accept(let number) = venue.handshake(target: story.venue.path, now: now) else { return [] }
        venue.opened(number, target: story.venue.path, now: now)
        for request in story.requests { venue.received(request, on: number, now: now) }
        var messages: [[UInt8]] = []
        var turns = 0
        while turns < 10_000 {
            while let action = venue.nextAction() {
                if case .send(_, let bytes) = action { messages.append(bytes) }
            }
            guard let next = venue.nextWakeUp, next <= now else { break }
            venue.advance(now: now)
            turns += 1
        }
        return messages
    }

    private func extract(_ venue: SimulatedVenue, _ messages: [[UInt8]]) throws -> [VenueTrade] {
        var reader = VenueSession(venue: try Venue(named: venue.name))
        var trades: [VenueTrade] = []
        for message in messages {
            _ = message.withUnsafeBytes { reader.read($0) }
            trades += reader.trades
        }
        return trades
    }

    @Test(
        "a client that subscribes gets the trades of the recording, and moved times move nothing else",
        arguments: sessions)
    func trades(_ story: Played) throws {
        let (recording, session) = try read(story.file)
        let now = 1_900_000_030.0
        let recorded = play(story, session, VenueSettings(), now: now)
        let moved = play(story, session, VenueSettings(times: .now), now: now)
        let original = try extract(story.venue, session.messages)
        let first = try extract(story.venue, recorded)
        let second = try extract(story.venue, moved)
        #expect(recording.venue.rawValue == story.venue.name)
        #expect(first.count == story.trades && second.count == story.trades)
        #expect(original.count >= story.trades)
        for (before, after) in zip(first, second) {
            #expect(before.tick.price == after.tick.price && before.tick.volume == after.tick.volume)
            let shift = after.tick.timestamp - before.tick.timestamp
            #expect(abs(shift - (shift / 60).rounded() * 60) < 1e-5, "whole minutes")
        }
        #expect(second.allSatisfy { $0.tick.timestamp <= now + 5 })
    }

    @Test("times that are not moved leave every byte of every recording alone")
    func bytes() throws {
        for story in Self.sessions {
            let session = try read(story.file).session
            let shift = TimeShift(around: session.times)
            for message in session.messages {
                #expect(shift.moved(message, bySeconds: 0) == message)
                let there = shift.moved(message, bySeconds: 420)
                #expect(there.count == message.count)
                let back = TimeShift(around: session.times.map { $0 + 420_000_000_000 })
                #expect(back.moved(there, bySeconds: -420) == message, "\(story.file)")
            }
        }
    }
}
