import StreamCore

/// Order books beside the trades: requested once a market's trades come, on the connection on which they do.
extension FeedSession {
    /// Keeps a symbol's book from now on, or does not any more. It is in `books` while it is right.
    package mutating func setBookWanted(_ symbol: Int, _ isWanted: Bool, now: Double) {
        guard states.indices.contains(symbol) else { return }
        books?.grow(to: states.count)
        let trades = lines.first { $0.stages[symbol] == .live }?.socket.rawValue
        books?.setWanted(symbol, isWanted, trades: trades, now: now)
        performActions(now)
    }

    /// Hands over what came of a `FeedBookEvent.fetch`; `nil`: nothing.
    package mutating func bookFetched(_ number: Int, _ body: [UInt8]?, now: Double) {
        books?.fetched(number, body, now: now)
        performActions(now)
    }

    mutating func readBooks(_ bytes: Bytes, _ kind: VenueMessageKind, on socket: SocketNumber, now: Double) {
        books?.received(bytes, kind, on: socket.rawValue, venueSession, now: now)
        if books?.hasEvents == true { performActions(now) }
    }

    /// Reports what happened to books.
    mutating func reportBooks(_ now: Double) {
        if let due = books?.deadline, due <= now { books?.timerFired(now: now) }
        while let event = books?.nextEvent() {
            switch event {
            case .live(let market): report(.book(.live(symbol: states[market].name)))
            case .withheld(let market, let fault): report(.book(.withheld(symbol: states[market].name, fault)))
            case .fetch(let market, let number):
                guard let path = bookAdapter?.bookSnapshotRequest(states[market].name) else { continue }
                report(.book(.fetch(number: number, path: path)))
            }
        }
    }

    /// Sends what may be sent by now. As with the extra channels, not while trades wait to be granted.
    mutating func pumpBooks(_ line: Int, _ now: Double) {
        while let request = nextBookRequest(line, now), let adapter = bookAdapter {
            let socket = lines[line].socket
            if !request.isSilent {
                guard lines[line].bucket.consume(now: now) else { return }
                lines[line].lastNumber += 1
                rememberExtra(lines[line].lastNumber, line)
                let names = request.markets.map { states[$0].name }
                let channel = request.markets.first.flatMap {
                    venueSession.bookChannel(of: states[$0].name, on: socket.rawValue)
                }
                let texts = adapter.bookRequests(
                    request.action, names, number: lines[line].lastNumber, channel: channel)
                for text in texts { act(.send(socket, .text(text))) }
            }
            books?.sent(request, on: socket.rawValue, now: now)
        }
    }

    /// When there is something to do for books.
    var booksDue: Double {
        guard let books else { return .infinity }
        var due = books.deadline
        for index in lines.indices where !isAwaitingTrades(index) {
            let request = books.requestDue(on: lines[index].socket.rawValue) { isBookReady($0, on: index) }
            if request < .infinity { due = min(due, max(request, lines[index].bucket.nextAvailable)) }
        }
        return due
    }

    private var bookAdapter: (any BookAdapter)? { adapter as? any BookAdapter }

    private func nextBookRequest(_ line: Int, _ now: Double) -> BookSession.Request? {
        guard let books, !isAwaitingTrades(line) else { return nil }
        return books.nextRequest(
            on: lines[line].socket.rawValue, limit: adapter.limits.symbolsPerRequest, now: now
        ) { isBookReady($0, on: line) }
    }

    private func isAwaitingTrades(_ line: Int) -> Bool { lines[line].requests.contains { $0.action == .subscribe } }

    private func isBookReady(_ market: Int, on line: Int) -> Bool {
        market < states.count && states[market].isWanted && states[market].refusal == nil
            && lines[line].stages[market] == .live
    }
}
