import MarketFeeds
import MarketModel
import StreamCore

/// All that is in a recording, as JSON, written while it is read: a recording may have millions of trades.
struct TradesDocument {
    private(set) var bytes: [UInt8] = []

    init(_ recording: Recording, name: String) {
        var session = VenueSession(venue: recording.venue)
        var candles: [UInt8] = []
        bytes.string("{\"recording\":", name)
        bytes.string(",\"venue\":", recording.venue.rawValue)
        bytes.json(",\"trades\":[")
        var isFirst = true
        for index in 0..<recording.messageCount {
            recording.withMessage(index) { message in
                session.read(message)
                for trade in session.trades {
                    if !isFirst { bytes.json(",") }
                    isFirst = false
                    write(trade, symbol: session.symbols.names[trade.market], message)
                }
            }
            for candle in session.candles {
                if !candles.isEmpty { candles.json(",") }
                Self.write(candle, to: &candles)
            }
        }
        bytes.json("],\"candles\":[")
        bytes.append(contentsOf: candles)
        bytes.json("]")
        write(session.counts)
        bytes.json("}\n")
    }

    private mutating func write(_ trade: VenueTrade, symbol: String, _ message: UnsafeRawBufferPointer) {
        bytes.string("{\"symbol\":", symbol)
        bytes.string(",\"id\":", trade.name.read(in: message).string)
        bytes.string(",\"price\":", trade.price.read(in: message).string)
        bytes.string(",\"volume\":", trade.volume.read(in: message).string)
        bytes.number(",\"time\":", trade.tick.timestamp)
        bytes.string(",\"side\":", trade.side.rawValue)
        bytes.json("}")
    }

    private static func write(_ candle: VenueCandle, to bytes: inout [UInt8]) {
        bytes.string("{\"symbol\":", candle.symbol)
        bytes.integer(",\"seconds\":", candle.seconds)
        let fields: [(StaticString, Double)] = [
            (",\"timestamp\":", candle.candle.timestamp), (",\"open\":", candle.candle.open),
            (",\"high\":", candle.candle.high), (",\"low\":", candle.candle.low), (",\"close\":", candle.candle.close),
            (",\"volume\":", candle.candle.volume),
        ]
        for (key, value) in fields { bytes.number(key, value) }
        if let last = candle.lastTrade {
            bytes.json(",\"last_trade\":")
            bytes.append(contentsOf: "\(last)".utf8)
        }
        bytes.json("}")
    }

    private mutating func write(_ counts: VenueSession.Counts) {
        bytes.integer(",\"messages\":", counts.messages)
        bytes.integer(",\"duplicates\":", counts.duplicates)
        bytes.integer(",\"missing\":", counts.missing)
        bytes.integer(",\"renumberings\":", counts.renumberings)
        bytes.integer(",\"malformed\":", counts.malformed)
        bytes.json(",\"kinds\":{")
        write(VenueMessageKind.allCases.map { ($0.name, counts.kinds[$0]) })
        bytes.json("},\"flaws\":{")
        write(VenueFlaw.allCases.map { ($0.name, counts.flaws[$0]) })
        bytes.json("}")
    }

    private mutating func write(_ members: [(String, Int)]) {
        for (index, (name, count)) in members.enumerated() {
            if index > 0 { bytes.json(",") }
            bytes.string(name)
            bytes.integer(":", count)
        }
    }
}
