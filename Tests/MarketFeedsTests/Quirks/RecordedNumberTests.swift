import MarketModel
import StreamCore
import Testing

@testable import MarketFeeds

/// Findings: numbers as venues write them.
@Suite("Findings: numbers", .enabled(if: SharedData.isPresent, "no ../shared/data"))
struct RecordedNumberTests {
    @Test("Kraken's connection numbers exceed Int64, in 4 of 4 files that have them: each is a status")
    func largeNumbers() throws {
        var found = 0
        for session in SharedRecording.all where session.venue == .kraken || session.venue == .krakenArrays {
            var reader = VenueSession(venue: session.venue)
            for line in try SharedRecording.recording(session.name).lines {
                guard let number = line.firstMatch(of: /"connection(?:ID|_id)":(\d+)/)?.1 else { continue }
                found += 1
                #expect(Int64(number) == nil && UInt64(number) != nil, "\(number)")
                #expect(Array(line.utf8).withUnsafeBytes { reader.read($0) } == .status)
            }
        }
        #expect(found == 4)
    }

    @Test("Bitfinex prints exponents, 21 times, in frames of three elements: none is malformed")
    func exponents() throws {
        let lines = try SharedRecording.recording("bitfinex_v2_2021-04-17").lines
        let exponents = lines.flatMap { $0.matches(of: /\de-?\d+/).map(\.0) }
        #expect(exponents.count == 21 && exponents.contains { $0.hasSuffix("e-8") })
        let counts = try ReadSession("bitfinex_v2_2021-04-17").counts
        #expect(counts.malformed == 0 && counts.trades == 210)
    }

    @Test("Bitstamp's values as number and as text are the same value, and the text has the digits")
    func twice() throws {
        let recording = try SharedRecording.recording("bitstamp_2022-01-05")
        var reader = VenueSession(venue: .bitstamp)
        var trades = 0
        for index in 0..<recording.messageCount {
            try recording.withMessage(index) { bytes in
                Result {
                    reader.read(bytes)
                    let line = String(decoding: bytes, as: UTF8.self)
                    for trade in reader.trades {
                        trades += 1
                        let amount = try #require(line.firstMatch(of: /"amount":([^,]+),"amount_str":"([^"]+)"/))
                        #expect(Double(amount.1) == trade.tick.volume)
                        #expect(trade.volume.read(in: bytes).string == amount.2)
                        let price = try #require(line.firstMatch(of: /"price":([^,]+),"price_str":"([^"]+)"/))
                        #expect(Double(price.1) == trade.tick.price && trade.price.read(in: bytes).string == price.2)
                    }
                }
            }.get()
        }
        #expect(trades == 10)
    }

    @Test("Kraken's heartbeats carry no time, 120 of them in 119 s: each is one")
    func noTime() throws {
        let heartbeats = try SharedRecording.recording("kraken_v2_book10_btcusd_2026-07-19").lines
            .filter { $0.contains("heartbeat") }
        #expect(heartbeats.count == 120 && Set(heartbeats) == [#"{"channel":"heartbeat"}"#])
        #expect(try ReadSession("kraken_v2_book10_btcusd_2026-07-19").counts.kinds[.heartbeat] == 120)
    }
}
