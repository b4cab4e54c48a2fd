import Foundation
import MarketModel
import StreamCore
import Testing

@testable import MarketFeeds
@testable import VenueSimulation

/// Recordings that are played in a loop: a client that stays connected sees a venue without losses.
@Suite("Recordings in a loop", .enabled(if: SharedData.isPresent, "no ../shared/data"))
struct LoopedRecordingsTests {
    struct Looped: Sendable, CustomTestStringConvertible {
        var venue: SimulatedVenue
        var file: String
        var requests: [String]
        var testDescription: String { file }
    }

    private static let sessions = [
        Looped(
            venue: .coinbase, file: "coinbase_exchange_ws-feed_6products_2021-04-17.jsonl.gz",
            requests: [
                #"{"type":"subscribe","channels":["matches","heartbeat","ticker"],"product_ids":["BAND-BTC","BAND-GBP","CRV-EUR","SKL-GBP","SKL-USD","YFI-BTC"]}"#
            ]),
        Looped(
            venue: .coinbaseAdvanced, file: "coinbase_advanced-trade_btcusd-ethusd_2026-08-09.jsonl.gz",
            requests: [
                #"{"type":"subscribe","product_ids":["BTC-USD","ETH-USD"],"channel":"market_trades"}"#,
                #"{"type":"subscribe","channel":"heartbeats"}"#,
            ]),
        Looped(
            venue: .binanceUS, file: "binance_us_4symbols_2021-08-14.jsonl.gz",
            requests: [
                #"{"method":"SUBSCRIBE","params":["manausd@aggTrade","zrxusd@aggTrade"],"id":1}"#
            ]),
        Looped(
            venue: .kraken, file: "kraken_v2_trade_btcusd-ethusd_2026-09-26.jsonl",
            requests: [
                #"{"method":"subscribe","params":{"channel":"trade","symbol":["BTC/USD","ETH/USD"],"snapshot":true}}"#
            ]),
        Looped(
            venue: .krakenArrays, file: "kraken_v1_trade_10pairs_2021-04-17.jsonl.gz",
            requests: [#"{"event":"subscribe","pair":["XMR/USD","SC/EUR"],"subscription":{"name":"trade"}}"#]),
        Looped(
            venue: .bitstamp, file: "bitstamp_2022-01-05.jsonl.gz",
            requests: [#"{"event":"bts:subscribe","data":{"channel":"live_trades_ethusd"}}"#]),
        Looped(
            venue: .gemini, file: "gemini_v2_2021-06-24.jsonl.gz",
            requests: [
                #"{"type":"subscribe","subscriptions":[{"name":"l2","symbols":["BTCGBP","LINKETH","FILUSD","BATBTC","ETHEUR","LTCETH","GRTUSD","ANKRUSD"]}]}"#
            ]),
        Looped(
            venue: .bitfinex, file: "bitfinex_v2_2021-04-17.jsonl.gz",
            requests: ["BFTUSD", "IOTETH", "DOGUSD", "MNABTC", "ODEUSD", "TESTBTC:TESTUSD", "SNGUSD"].map {
                #"{"event":"subscribe","channel":"trades","symbol":"t\#($0)"}"#
            }),
    ]

    @Test(
        "over three loops no trade is missing, and each round brings those of the one before, as new ones",
        arguments: sessions)
    func loops(_ story: Looped) throws {
        let recording = try Recording(
            path: "\(SharedData.folder)/recordings/\(story.file)", venue: nil, needsTrades: false)
        let session = RecordedSession(
            messages: (0..<recording.messageCount).map { recording.withMessage($0) { Array($0) } },
            times: recording.times.map { Int64($0 * 1e6) * 1000 })
        let settings = VenueSettings(pace: .recorded(), times: .now, loops: true)
        var venue = VenueMachine(story.venue, session: session, settings: settings)
        let start = 1_900_000_030.0
        guard case .accept(let number) = venue.handshake(target: story.venue.path, now: start) else {
            Issue.record("refused")
            return
        }
        venue.opened(number, target: story.venue.path, now: start)
        for request in story.requests { venue.received(request, on: number, now: start) }
        var reader = VenueSession(venue: try Venue(named: story.venue.name))
        var rounds: [[Double]] = [[], [], []]
        var holes: [VenueSession.Hole] = []
        var now = start
        let period = ((session.duration + 1) / 60).rounded(.up) * 60
        while now < start + 3 * period {
            while let action = venue.nextAction() {
                if case .ping(_, let payload) = action { venue.ponged(payload, on: number, now: now) }
                guard case .send(_, let bytes) = action else { continue }
                _ = bytes.withUnsafeBytes { reader.read($0) }
                rounds[Int((now - start) / period)] += reader.trades.map(\.tick.price)
                holes += reader.holes
            }
            guard let next = venue.nextWakeUp else { break }
            now = max(now, next)
            venue.advance(now: now)
        }
        #expect(holes.isEmpty && reader.counts.missing == 0 && reader.counts.renumberings == 0, "\(holes)")
        // Of Bitfinex's markets, the recording has what came before it only.
        #expect(rounds[1].isEmpty == (story.venue == .bitfinex) && rounds[1] == rounds[2], "\(rounds.map(\.count))")
        // What came before the recording, the first round has alone.
        #expect(rounds[0].count >= rounds[1].count && rounds[0].suffix(rounds[1].count) == rounds[1][...])
    }
}
