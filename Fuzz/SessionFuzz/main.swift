// libFuzzer entry for the answers of venues to requests. CANDLEWIRE_VENUE names the adapter; the input is a session, a
// message a line, on a connection that requested two symbols. Of a binary venue it is a single message.
//
// Beside not crashing: a refusal has a reason, only requested symbols are reported, what is sent is JSON, no message
// keeps the session busy for ever, and no crossed order book is shown.

import MarketModel
import StreamCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

private let adapter: any FeedAdapter = {
    let name = getenv("CANDLEWIRE_VENUE").map { String(cString: $0) } ?? ""
    if name == "provider" { return answeringProvider() }
    guard let adapter = FeedCatalogue.adapter(named: name) else {
        fatalError("CANDLEWIRE_VENUE must be one of \(FeedCatalogue.names), provider")
    }
    return adapter
}()

/// A provider that answers: without a rule for answers none is read.
private func answeringProvider() -> any FeedAdapter {
    let text = #"""
        {"url":"wss://x.example/v1","subscribe":{"op":"sub","id":"{id}","symbol":"{symbol}"},
        "accepted":{"type":"subscribed","symbol":"symbol"},
        "error":{"type":"error","symbol":"symbol","message":"message"}}
        """#
    do {
        return try ProviderAdapter(try ProviderConfigurationReader(name: "fuzz.json").read(Array(text.utf8)))
    } catch {
        fatalError("\(error)")
    }
}

/// The session, and the sockets that it has open.
private struct Follower {
    var session: FeedSession
    var now = 0.0
    var sockets: [SocketNumber] = []

    init(_ symbols: [String]) {
        session = FeedSession(adapter, symbols: symbols, url: "ws://venue", seed: 1)
        session.setBookWanted(0, true, now: 0)
        session.connect(now: 0)
        act()
    }

    mutating func act() {
        var count = 0
        while let action = session.nextAction() {
            count += 1
            precondition(count < 10_000, "a session that is never done")
            switch action {
            case .open(let socket):
                sockets.append(socket)
                session.opened(socket, now: now)
            // OKX is pinged with a bare word.
            case .send(_, .text("ping")): break
            case .send(_, .text(let text)): precondition(Self.isJSON(text), "not JSON: \(text)")
            case .send, .ping: break
            case .close(let socket, _, _), .drop(let socket): sockets.removeAll { $0 == socket }
            case .fetchToken: session.setToken("t", now: now)
            case .emit(.book(.fetch(let number, _))): session.bookFetched(number, Self.wholeBook(number), now: now)
            case .emit(let event): check(event)
            }
        }
    }

    private func check(_ event: FeedEvent) {
        switch event {
        case .live(let symbol), .interrupted(let symbol), .unanswered(let symbol):
            precondition(session.symbols.contains(symbol), "a symbol that was not requested")
        case .refused(let symbol, let reason):
            precondition(session.symbols.contains(symbol), "a symbol that was not requested")
            precondition(!reason.isEmpty, "a refusal without a reason")
        case .missed(_, let count): precondition(count > 0, "nothing is missing")
        case .book(.live(let symbol)), .book(.withheld(let symbol, _)):
            precondition(session.symbols.contains(symbol), "a symbol that was not requested")
        case .state, .unavailable, .problem, .book(.fetch): break
        }
    }

    /// What the venue's REST interface answers: first nothing, then a book of Binance's layout and of Bitstamp's at once.
    private static func wholeBook(_ number: Int) -> [UInt8]? {
        guard number.isMultiple(of: 2) else { return nil }
        return Array(
            #"{"lastUpdateId":160,"microtimestamp":"2","bids":[["10.00","1.00"],["9","3"]],"asks":[["4000","1"]]}"#.utf8
        )
    }

    private static func isJSON(_ text: String) -> Bool {
        var copy = text
        return copy.withUTF8 { bytes in
            var scanner = JSONScanner(UnsafeRawBufferPointer(bytes))
            do throws(JSONError) {
                try scanner.skipValue()
                try scanner.end()
                return true
            } catch {
                return false
            }
        }
    }

    mutating func receive(_ message: UnsafeRawBufferPointer) {
        for answer in adapter.answers(to: message, .acknowledgement) + adapter.answers(to: message, .refusal) {
            if case .refused(_, _, let reason) = answer { precondition(!reason.isEmpty, "a refusal without a reason") }
        }
        if let socket = sockets.last { session.received(message, on: socket, now: now) }
        act()
        session.books?.withBook(0) { precondition(!$0.isCrossed, "a book is shown that cannot be") }
        now += 1
        var rounds = 0
        while let due = session.deadline, due <= now {
            rounds += 1
            precondition(rounds < 1000, "a timer that is never done")
            session.timerFired(now: now)
            act()
        }
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : count)
    var follower = Follower([adapter.exampleSymbol, adapter.exampleSymbol + "X"])
    let lines = adapter.venue == .intrinioEquities ? [bytes[...]] : bytes.split(separator: 0x0A)
    for line in lines { follower.receive(UnsafeRawBufferPointer(rebasing: line)) }
    precondition(follower.session.symbols.count == 2, "symbols came or went")
    return 0
}
