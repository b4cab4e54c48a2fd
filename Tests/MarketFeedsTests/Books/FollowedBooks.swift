import Foundation
import MarketModel
import StreamCore

@testable import MarketFeeds

/// A feed's books as its messages make them, and what was reported, in words.
struct FollowedBooks {
    private(set) var session: VenueSession
    private(set) var books: BookSession
    private(set) var events: [String] = []
    /// The newest request for a whole book, by symbol.
    private(set) var fetches: [String: Int] = [:]
    let adapter: any BookAdapter
    var now = 0.0
    private let symbols: [String]

    /// All books are wanted, and requested on connection 1.
    init(_ name: String, _ symbols: [String], rules: BookRules? = nil) {
        let adapter = FeedCatalogue.adapter(named: name) as! any BookAdapter
        self.adapter = adapter
        self.symbols = symbols
        session = adapter.venueSession(markets: symbols)
        books = BookSession(rules ?? adapter.bookRules!, adapter.bookReader, markets: symbols.count)
        for market in symbols.indices { books.setWanted(market, true, trades: nil, now: 0) }
        request()
    }

    /// Sends what is due, and says what it was.
    @discardableResult
    mutating func request() -> [String] {
        var sent: [String] = []
        while let request = books.nextRequest(on: 1, limit: 100, now: now, isReady: { _ in true }) {
            if !request.isSilent {
                let names = request.markets.map { symbols[$0] }
                sent += adapter.bookRequests(
                    request.action, names, number: 7, channel: session.bookChannel(of: names[0], on: 1))
            }
            books.sent(request, on: 1, now: now)
        }
        return sent
    }

    @discardableResult
    mutating func send(_ text: String) -> [String] { Array(text.utf8).withUnsafeBytes { send($0) } }

    /// - Returns: what was reported because of it.
    @discardableResult
    mutating func send(_ bytes: UnsafeRawBufferPointer) -> [String] {
        let kind = session.read(bytes, on: 1)
        books.received(bytes, kind, on: 1, session, now: now)
        return report()
    }

    @discardableResult
    mutating func fetched(_ symbol: String, _ body: String?) -> [String] {
        books.fetched(fetches[symbol] ?? 0, body.map { Array($0.utf8) }, now: now)
        return report()
    }

    /// Lets time go by, with the timer fired when it is due.
    @discardableResult
    mutating func wait(_ seconds: Double) -> [String] {
        let end = now + seconds
        var lines: [String] = []
        while books.deadline <= end {
            now = max(now, books.deadline)
            books.timerFired(now: now)
            lines += report()
        }
        now = end
        return lines
    }

    mutating func lose() -> [String] {
        books.connectionEnded(1, now: now)
        session.connectionEnded(1)
        return report()
    }

    private mutating func report() -> [String] {
        if books.deadline <= now { books.timerFired(now: now) }
        var lines: [String] = []
        while let event = books.nextEvent() {
            switch event {
            case .live(let market): lines.append("live \(symbols[market])")
            case .withheld(let market, let fault): lines.append("\(fault) \(symbols[market])")
            case .fetch(let market, let number):
                fetches[symbols[market]] = number
                lines.append("fetch \(symbols[market])")
            }
        }
        events += lines
        return lines
    }

    /// `10@1.5 9@2 | 11@1`: the bids and the asks, best first, as they were written; `nil` while they are withheld.
    func shown(_ symbol: String, levels: Int = 100) -> String? {
        books.withBook(symbols.firstIndex(of: symbol)!) { book in
            func side(_ side: BookSide) -> String {
                (0..<levels).compactMap { book.level(side, $0) }.map { "\($0.price)@\($0.size)" }.joined(separator: " ")
            }
            return "\(side(.bid)) | \(side(.ask))"
        }
    }

    /// The bids or the asks as values, best first; `nil` while they are withheld.
    func levels(_ symbol: String, _ side: BookSide) -> [BookLevel]? {
        books.withBook(symbols.firstIndex(of: symbol)!) { book in
            var levels: [BookLevel] = []
            book.forEachLevel(side) { level in
                levels.append(level)
                return true
            }
            return levels
        }
    }

    /// Messages that changed a book, since the beginning.
    var counts: BookSession.Counts { books.counts }
}
