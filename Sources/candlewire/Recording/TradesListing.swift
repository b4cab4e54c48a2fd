import MarketFeeds
import MarketModel
import StreamCore

/// What a recording holds, for people: a line a market, and what the messages were.
struct TradesListing {
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

    private let head: String
    private let counts: VenueSession.Counts
    private let names: [String]
    private let markets: [Market]

    init(_ recording: Recording, name: String) {
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
        self.markets = markets
        counts = session.counts
        names = session.symbols.names
        head = "\(name): \(recording.venue.rawValue), \(counts.messages) messages, \(counts.trades) trades"
    }

    func text(on surface: Ink.Surface) -> String {
        var text = head + "\n"
        if !markets.isEmpty {
            var table = TextTable([
                ("market", .left), ("trades", .right), ("volume", .decimal), ("first", .left), ("last", .left),
                ("from", .left), ("to", .left),
            ])
            for (name, market) in zip(names, markets) {
                table.add([
                    .init(name), .init("\(market.trades)"), .init("\(market.volume.value)"), .init(market.first),
                    .init(market.last), .init(TimeText.utc(market.start)), .init(TimeText.utc(market.end)),
                ])
            }
            text += "\n" + table.text(on: surface)
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
