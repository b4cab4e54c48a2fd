package import StreamCore

/// What sockets report.
extension FeedSession {
    package mutating func opened(_ socket: SocketNumber, now: Double) { update(now) { $0.opened(socket, now: now) } }

    package mutating func refused(_ socket: SocketNumber, status: Int, retryAfter: Double?, now: Double) {
        // Phoenix answers a token that it does not accept with 403.
        let isToken = adapter.needsToken && status == 403
        update(now) { $0.refused(socket, status: isToken ? 401 : status, retryAfter: retryAfter, now: now) }
    }

    package mutating func closed(
        _ socket: SocketNumber, code: WebSocketCloseCode, reason: String, detectedHere: Bool = false, now: Double
    ) {
        update(now) { $0.closed(socket, code: code, reason: reason, detectedHere: detectedHere, now: now) }
    }

    package mutating func pong(on socket: SocketNumber, now: Double) {
        update(now) { $0.answered(on: socket, now: now) }
    }

    /// Reads a message, text or binary. What it says is in `venueSession` and in `books` until the next one.
    @discardableResult
    package mutating func received(_ bytes: Bytes, on socket: SocketNumber, now: Double) -> VenueMessageKind {
        let kind = read(bytes, on: socket, now: now)
        if books?.isActive == true { readBooks(bytes, kind, on: socket, now: now) }
        return kind
    }

    private mutating func read(_ bytes: Bytes, on socket: SocketNumber, now: Double) -> VenueMessageKind {
        let kind = venueSession.read(bytes, on: socket.rawValue)
        switch adapter.liveness {
        case .traffic: machine.answered(on: socket, now: now)
        case .ping:
            if kind == .heartbeat {
                machine.answered(on: socket, now: now)
            } else {
                machine.received(on: socket, now: now)
            }
        }
        if !isLanguageKnown { checkLanguage(kind, bytes, now) }
        // A provider may put the answer to a request and the first trades into one message.
        switch kind {
        case _ where venueSession.hasAnswer, .acknowledgement, .refusal, .status, .other:
            for answer in adapter.answers(to: bytes, kind) { apply(answer, on: socket, now: now) }
        case .trades, .book:
            if !adapter.capabilities.acknowledges { dataArrived(bytes, on: socket) }
            guard !venueSession.holes.isEmpty else { return kind }
        case .heartbeat, .quotes: guard !venueSession.holes.isEmpty else { return kind }
        case .candles, .malformed: return kind
        }
        for hole in venueSession.holes { report(.missed(symbol: hole.symbol, count: hole.count)) }
        performActions(now)
        return kind
    }

    private mutating func checkLanguage(_ kind: VenueMessageKind, _ bytes: Bytes, _ now: Double) {
        // A provider's file need not name each type of message: those it does not name are counted and logged.
        guard kind == .malformed || kind == .other && venueSession.providerCounts == nil else {
            isLanguageKnown = true
            foreign = nil
            return
        }
        if foreign == nil { foreign = (MessageShape.words(of: bytes), now + Self.foreignTime) }
        if venueSession.counts.messages >= Self.foreignMessages { reportForeign() }
    }

    /// Reports, once, that what is at this address does not use the venue's protocol.
    mutating func reportForeign() {
        guard let first = foreign?.first else { return }
        isLanguageKnown = true
        foreign = nil
        let message =
            "None of the messages from \(FeedAddress.shown(baseURL)) is of a kind that \(adapter.title) sends: "
            + "\(venueSession.counts.summary), the first \(first). Check the address."
        report(.problem(.server(code: "not_understood", message: message)))
    }
}
