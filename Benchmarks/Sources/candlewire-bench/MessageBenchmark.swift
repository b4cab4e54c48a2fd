import Foundation
import MarketFeeds
import MarketModel
import StreamCore

/// Messages a second from the bytes of a socket to candles of five timeframes, on one core: frames are parsed, UTF-8
/// checked, JSON read, trades numbered and checked for gaps, ticks validated and aggregated.
enum MessageBenchmark {
    static let count = 200_000

    static func run(dumpTo folder: String?) {
        let frames = makeFrames(TickData(count: count, seed: 2))
        if let folder { _ = FileManager.default.createFile(atPath: folder + "/frames.bin", contents: Data(frames)) }
        Report.rate(
            "socket bytes to candle, Binance trades, five timeframes", count,
            Stopwatch.time(runs: 40) { candles(from: frames) }, unit: "messages")
        Report.rate(
            "  of that, frames alone", count, Stopwatch.time { keep(texts(in: frames)) }, unit: "messages")
    }

    /// What Binance sends on `btcusdt@trade` of a combined stream, one unmasked text frame a trade.
    static func makeFrames(_ data: TickData) -> [UInt8] {
        var bytes: [UInt8] = []
        for index in 0..<data.count {
            let time = Int((data.timestamps[index] * 1000).rounded())
            let price = String(format: "%.8f", data.prices[index])
            let quantity = String(format: "%.8f", data.volumes[index])
            let text =
                #"{"stream":"btcusdt@trade","data":{"e":"trade","E":\#(time + 1),"s":"BTCUSDT","t":\#(3_735_683_259 + index),"p":"\#(price)","q":"\#(quantity)","T":\#(time),"m":true,"M":true}}"#
            var head = [UInt8](repeating: 0, count: 10)
            let length = head.withUnsafeMutableBytes {
                WebSocketFrameEncoder.writeHeader(to: $0.baseAddress!, opcode: .text, payloadLength: text.utf8.count)
            }
            bytes += head[..<length]
            bytes += text.utf8
        }
        return bytes
    }

    /// Reads of 64 KiB, as a socket delivers them: messages are cut anywhere.
    private static func forEachText(in frames: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
        var machine = WebSocketMachine(role: .client, limits: .client)
        frames.withUnsafeBytes { all in
            var start = 0
            while start < all.count {
                let end = min(all.count, start + 65_536)
                var input = UnsafeRawBufferPointer(rebasing: all[start..<end])
                while let event = machine.next(&input) {
                    if case .text(let text) = event { body(text) }
                }
                start = end
            }
        }
    }

    private static func texts(in frames: [UInt8]) -> Int {
        var bytes = 0
        forEachText(in: frames) { bytes += $0.count }
        return bytes
    }

    private static func candles(from frames: [UInt8]) {
        var session = VenueSession(venue: .binance)
        var validator = TickValidator()
        var aggregator = TickAggregator(timeframes: AggregatorBenchmark.five)
        var bars = 0
        forEachText(in: frames) { text in
            session.read(text)
            for trade in session.trades where validator.check(trade.tick, now: trade.tick.timestamp) == nil {
                aggregator.ingest(trade.tick) { _ in bars += 1 }
            }
        }
        precondition(validator.accepted == count, "every message is a good trade")
        keep(bars)
    }
}
