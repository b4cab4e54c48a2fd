import Foundation
import MarketFeeds
import MarketModel
import StreamCore

/// Messages a second from a venue's bytes to validated trades, on one core: JSON read, trades numbered and checked for
/// repetitions and gaps, ticks validated. The messages are those with trades of recorded sessions, told over and over with
/// new numbers, so that none is a repetition.
enum VenueBenchmark {
    static let count = 100_000

    /// The sessions with the most trades of each venue. Bybit's have none, Bitfinex' only those that a subscription begins
    /// with.
    private static let sessions = [
        "binance_spot_btcusdt_2024-08-09", "coinbase_exchange_ws-feed_6products_2021-04-17",
        "coinbase_advanced-trade_btcusd-ethusd_2026-08-09", "kraken_v2_trade_btcusd-ethusd_2026-09-26",
        "kraken_v1_trade_10pairs_2021-04-17", "bitstamp_2022-01-05", "gemini_v2_2021-06-24",
    ]

    /// - Parameter folder: where the messages are left for the peer, one a line, a file a venue.
    static func run(recordings: String, dumpTo folder: String?) {
        for name in sessions {
            let path = [".jsonl.gz", ".jsonl"].map { "\(recordings)/\(name)\($0)" }
                .first { FileManager.default.fileExists(atPath: $0) }
            guard let path, let recording = try? Recording(path: path) else { continue }
            let venue = recording.venue
            let (before, messages) = single(recording)
            guard !messages.isEmpty else { continue }
            if let folder {
                let lines = Data(messages.joined(separator: [0x0A]))
                FileManager.default.createFile(atPath: "\(folder)/\(venue.rawValue).jsonl", contents: lines)
            }
            Report.rate(
                "venue bytes to validated trade, \(venue.rawValue)", messages.count,
                Stopwatch.time { trades(of: venue, before, messages) }, unit: "messages")
        }
    }

    /// The integration guide's provider, by the configuration that it has by default: nobody recorded it, so its messages
    /// are made.
    static func runProvider() {
        let messages = (0..<count).map { number in
            Array(
                (#"{"type":"tick","symbol":"BTC-USD","timestamp":\#(1_732_130_000 + number / 10).\#(number % 10),"#
                    + #""price":\#(67_000 + number % 500).25,"volume":0.\#(1 + number % 9)}"#).utf8)
        }
        Report.rate(
            "venue bytes to validated trade, provider by configuration", messages.count,
            Stopwatch.time { trades(of: .provider, [], messages) }, unit: "messages")
    }

    /// The messages that tell one trade, with new numbers, and those that must come before them.
    private static func single(_ recording: Recording) -> (before: [[UInt8]], messages: [[UInt8]]) {
        var session = VenueSession(venue: recording.venue)
        var before: [[UInt8]] = []
        var found: [(bytes: [UInt8], name: Range<Int>?)] = []
        for index in 0..<recording.messageCount where found.count < 5000 {
            recording.withMessage(index) { message in
                let kind = session.receive(message)
                if kind == .acknowledgement { before.append(Array(message)) }
                // A subscription's first message has many trades; how fast single ones are read is the question.
                guard kind == .trades, session.trades.count == 1 else { return }
                let name = session.trades[0].name.read(in: message).raw
                let start = name.baseAddress.map { $0 - message.baseAddress! } ?? 0
                found.append((Array(message), name.isEmpty ? nil : start..<start + name.count))
            }
        }
        guard !found.isEmpty else { return (before, []) }
        let messages = (0..<count).map { round -> [UInt8] in
            var (bytes, name) = found[round % found.count]
            if let name { bytes.replaceSubrange(name, with: "\(1_000_000_000 + round)".utf8) }
            return bytes
        }
        return (before, messages)
    }

    private static func trades(of venue: Venue, _ before: [[UInt8]], _ messages: [[UInt8]]) {
        var session = VenueSession(venue: venue)
        var validator = TickValidator()
        for message in before { message.withUnsafeBytes { _ = session.receive($0) } }
        for message in messages {
            message.withUnsafeBytes { bytes in
                session.receive(bytes)
                for trade in session.trades { _ = validator.check(trade.tick, now: trade.tick.timestamp) }
            }
        }
        precondition(validator.accepted == messages.count, "every message is a good trade")
    }
}
