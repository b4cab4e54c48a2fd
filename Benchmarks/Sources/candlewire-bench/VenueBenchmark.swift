import Foundation
import MarketFeeds
import MarketModel

/// Messages a second from a venue's bytes to validated trades, on one core: JSON read, trades numbered and checked for
/// repetitions and gaps, ticks validated.
///
/// Twice: messages that report one trade each, and recorded sessions as they are, with all else that was in them.
enum VenueBenchmark {
    static let count = 100_000

    /// Those with trades, of each venue the longest.
    private static let sessions = [
        "binance_spot_btcusdt_2024-08-09", "coinbase_exchange_ws-feed_6products_2021-04-17",
        "coinbase_advanced-trade_btcusd-ethusd_2026-08-09", "kraken_v2_trade_btcusd-ethusd_2026-09-26",
        "kraken_v1_trade_10pairs_2021-04-17", "bitstamp_2022-01-05", "gemini_v2_2021-06-24", "bitfinex_v2_2021-04-17",
    ]

    /// Sessions without trades whose messages are worth a figure.
    private static let others = ["kraken_v2_book10_btcusd_2026-07-19", "bybit_v5_linear_2025-06-13"]

    /// - Parameters:
    ///   - folder: where the messages are left for the peer, one a line, a file a figure.
    ///   - only: the name of the one venue that is measured, for a profiler; `nil`: all.
    static func run(recordings: String, dumpTo folder: String?, only: String? = nil) {
        let read = (sessions + others).compactMap { name -> (name: String, recording: Recording)? in
            let path = [".jsonl.gz", ".jsonl"].map { "\(recordings)/\(name)\($0)" }
                .first { FileManager.default.fileExists(atPath: $0) }
            return path.flatMap { try? Recording(path: $0, needsTrades: false) }.map { (name, $0) }
        }
        var frames = read.prefix(sessions.count).map { VenueFrames($0.recording, count: count) }
        frames += [MadeFrames.bybit(count), MadeFrames.intrinio(count), MadeFrames.provider(count)]
        for frames in frames where !frames.messages.isEmpty && frames.venue.rawValue == only ?? frames.venue.rawValue {
            let packed = PackedMessages(frames.messages)
            dump(frames.messages, as: "\(frames.venue.rawValue).jsonl", to: folder)
            Report.rate(
                "venue bytes to validated trade, \(frames.venue.rawValue)", frames.messages.count,
                Stopwatch.time { trades(of: frames, packed) }, unit: "messages")
        }
        for (name, recording) in read where only == nil {
            let messages = (0..<recording.messageCount).map { index in recording.withMessage(index) { Array($0) } }
            let packed = PackedMessages(messages)
            dump(messages, as: "\(recording.venue.rawValue).\(name).session", to: folder)
            // Short ones are read several times over, each time as a new session.
            let rounds = max(1, 20_000 / messages.count)
            Report.rate(
                "whole recorded session, \(name)", messages.count * rounds,
                Stopwatch.time { for _ in 0..<rounds { session(recording.venue, packed) } }, unit: "messages")
        }
    }

    private static func dump(_ messages: [[UInt8]], as name: String, to folder: String?) {
        guard let folder else { return }
        _ = FileManager.default.createFile(
            atPath: "\(folder)/\(name)", contents: Data(messages.joined(separator: [0x0A])))
    }

    private static func trades(of frames: VenueFrames, _ packed: PackedMessages) {
        var session = VenueSession(venue: frames.venue)
        var validator = TickValidator()
        for message in frames.before { message.withUnsafeBytes { _ = session.read($0) } }
        packed.forEach { message in
            session.read(message)
            session.forEachTrade { _ = validator.check($0.tick, now: $0.tick.timestamp) }
        }
        precondition(validator.accepted == frames.messages.count, "every message is a good trade")
    }

    private static func session(_ venue: Venue, _ messages: PackedMessages) {
        var session = VenueSession(venue: venue)
        var validator = TickValidator()
        messages.forEach { message in
            session.read(message)
            session.forEachTrade { _ = validator.check($0.tick, now: $0.tick.timestamp) }
        }
        precondition(session.counts.malformed == 0, "every message is a good one")
        keep(validator.accepted)
    }
}
