import Foundation
import MarketFeeds
import MarketModel
import StreamCore

/// The recorded session that a chaos run plays: real trades where recordings lie beside the repository, made ones in the
/// same format elsewhere. Repeated, one pass after the other in time, until it is as long as it is wanted.
struct ChaosSession {
    let path: String
    let symbols: [String]
    let trades: Int
    let isReal: Bool

    private static let real = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("shared/data/recordings/binance_spot_btcusdt_2024-08-08.jsonl.gz").path

    private typealias Trade = (symbol: String, tick: Tick)

    /// - Parameter seconds: of the market's time.
    static func make(seconds: Double) throws -> ChaosSession {
        let isReal = FileManager.default.fileExists(atPath: real)
        let session = isReal ? try recorded() : made()
        let start = session[0].tick.timestamp
        let length = session.last!.tick.timestamp - start + 1
        var lines = ""
        var ids: [String: Int] = [:]
        var pass = 0
        while Double(pass) * length < seconds {
            let shift = Double(pass) * length
            for trade in session where trade.tick.timestamp - start + shift < seconds {
                let time = Int(((trade.tick.timestamp + shift) * 1000).rounded())
                ids[trade.symbol, default: 0] += 1
                lines += #"{"e":"trade","E":\#(time),"s":"\#(trade.symbol)","t":\#(ids[trade.symbol]!),"#
                lines += #""p":"\#(trade.tick.price)","q":"\#(trade.tick.volume)","T":\#(time),"#
                lines += #""m":true,"M":true}"# + "\n"
            }
            pass += 1
        }
        let path = RunningServer.temporaryFolder() + ".jsonl"
        try Data(lines.utf8).write(to: URL(fileURLWithPath: path))
        return ChaosSession(
            path: path, symbols: ids.keys.sorted(), trades: ids.values.reduce(0, +), isReal: isReal)
    }

    private static func recorded() throws -> [Trade] {
        let recording = try Recording(path: real)
        var session = VenueSession(venue: recording.venue)
        var trades: [Trade] = []
        for index in 0..<recording.messageCount {
            recording.withMessage(index) { _ = session.read($0) }
            trades += session.trades.map { (session.symbols.names[$0.market], $0.tick) }
        }
        return trades
    }

    private static func made() -> [Trade] {
        let markets = [SimulatedMarket.all[0]]
        var exchange = SimulatedExchange(
            markets: markets, prices: markets.map(\.price), seed: 9, rate: 30)
        return (0..<10_000).map { _ in
            let trade = exchange.trade(timestamp: 1_700_000_000 + exchange.nextDue)
            return (markets[trade.market].market.symbol, trade.tick)
        }
    }
}
