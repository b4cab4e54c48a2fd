import ArgumentParser
import Foundation
import MarketFeeds
import MarketModel
import StreamCore

/// `candlewire trades`: what a recording holds, read as the server reads it.
struct TradesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trades",
        abstract: "List the trades in a recording, and duplicate, missing and unreadable ones.",
        discussion: """
            Reads the messages as `serve --feed replay:FILE` does, and lists the markets
            with their trades, the messages by what they are about, and each loss with its
            reason: repeated trades, numbers that are missing, messages that cannot be read.
            Trades are the new ones, those with which a subscription begins among them.

            --json prints a document with every trade (symbol, the venue's id, price and volume with the digits the \
            venue wrote, seconds since 1970, and whether the taker bought or sold) and the venue's own closed candles.

            EXAMPLES
              candlewire trades session.jsonl.gz
              candlewire trades session.jsonl --venue bitfinex --json > trades.json

            EXIT CODES
              0 shown, 64 wrong usage, 66 the recording cannot be read
            """)

    @Argument("The recording: .jsonl or .jsonl.gz.", "FILE") var file: String

    @Option("The venue of the messages, where it cannot be detected: \(Venue.allowedNames).", "venue")
    var venue: String?

    @Flag(help: "Print all trades and candles as a JSON document.") var json = false

    func run() async throws {
        try await Failure.exitCleanly {
            let known = try venue.map { try Venue(named: $0) }
            let recording = try Recording(path: file, venue: known, needsTrades: false)
            if let note = recording.note { Console.writeError("\(note)\n") }
            let name = URL(fileURLWithPath: file).lastPathComponent
            if json {
                Console.write(Data(TradesDocument(recording, name: name).bytes))
            } else {
                Console.write(TradesListing.text(recording, name: name))
            }
        }
    }
}

/// What a recording holds, for people: a line a market, and what the messages were.
enum TradesListing {
    private struct Market {
        var trades = 0
        var volume = ExactSum()
        var first = ""
        var last = ""
        var start = Double.infinity
        var end = -Double.infinity

        mutating func add(_ trade: VenueTrade, _ message: UnsafeRawBufferPointer) {
            last = trade.name.read(in: message).string
            if trades == 0 { first = last }
            trades += 1
            volume.add(trade.tick.volume)
            start = min(start, trade.tick.timestamp)
            end = max(end, trade.tick.timestamp)
        }
    }

    static func text(_ recording: Recording, name: String) -> String {
        var session = VenueSession(venue: recording.venue)
        var markets: [Market] = []
        for index in 0..<recording.messageCount {
            recording.withMessage(index) { message in
                session.read(message)
                for trade in session.trades {
                    if trade.market == markets.count { markets.append(Market()) }
                    markets[trade.market].add(trade, message)
                }
            }
        }
        let counts = session.counts
        var text = "\(name): \(recording.venue.rawValue), \(counts.messages) messages, \(counts.trades) trades\n"
        if !markets.isEmpty {
            let rows = Array(zip(session.symbols.names, markets))
            text +=
                "\n"
                + TextTable.text(rows) { name, market in
                    [
                        .left("market", name), .right("trades", market.trades), .decimal("volume", market.volume.value),
                        .left("first", market.first), .left("last", market.last),
                        .left("from", TimeText.utc(market.start)), .left("to", TimeText.utc(market.end)),
                    ]
                }
        }
        let kinds = VenueMessageKind.allCases.filter { counts.kinds[$0] > 0 }
        text += "\nmessages: " + kinds.map { "\(counts.kinds[$0]) \($0.name)" }.joined(separator: ", ") + "\n"
        let flaws = VenueFlaw.allCases.filter { counts.flaws[$0] > 0 }
            .map { "\(counts.flaws[$0]) \($0.name.replacing("_", with: " "))" }
        let losses =
            ["\(counts.missing) missing trades", "\(counts.malformed) malformed messages"]
            + (flaws.isEmpty ? [] : ["of these " + flaws.joined(separator: ", ")])
        text += "lost: " + losses.joined(separator: ", ") + "; \(counts.duplicates) trades came twice\n"
        return text
    }
}

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
