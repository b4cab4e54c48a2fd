internal import StreamCore

/// How far a client is in the conversation.
struct ClientPlace: Sendable, Hashable {
    /// Events that were sent.
    var sequence: Int
    /// The answer whose text is being sent, and how many bytes of it were.
    var text: Text?
    /// Events of cards that follow the end of their answer.
    var cards: [Int] = []

    struct Text: Sendable, Hashable {
        /// Index of the message.
        var message: Int
        var offset: Int
    }
}

/// What the server keeps of a client that has sent no `sync`: one of the original protocol, until it sends one.
///
/// Such a client keeps its messages through a lost connection, and its reconnect does not say which. So the server counts as
/// received what the client has confirmed: behind each frame goes a ping, the next frame waits for the pong, and a client
/// that comes back goes on behind the last frame confirmed.
struct OriginalClient: Sendable {
    /// What its connections have in common.
    let name: String
    /// Up to here it has everything.
    var confirmed: ClientPlace
    /// The ping behind its last frame, until it is answered, and since when.
    var ping: (number: UInt32, sentAt: Double)?
    /// `nil` until that is known. What a client that answers none was sent counts as received.
    var answersPings: Bool?
    /// The earlier connection that it continues.
    var earlier: DepartedClient?
    /// Connections of the same name that may be its own earlier ones, with the pings that show which are alive. It is sent
    /// nothing until that is known, or the time is over.
    var rivals: [ClientNumber: UInt32] = [:]
    var decidesAt = Double.infinity

    /// How much longer a client that answered pings may take for one.
    private static let maxPongFactor = 15.0

    init(_ name: String, at place: ClientPlace) {
        self.name = name
        confirmed = place
    }

    /// Whether the next frame has to wait.
    var isWaiting: Bool { ping != nil || decidesAt != .infinity }

    func deadline(pongTime: Double) -> Double {
        guard let ping, answersPings != false else { return decidesAt }
        return min(decidesAt, ping.sentAt + (answersPings == nil ? pongTime : Self.maxPongFactor * pongTime))
    }
}

/// An original client whose connection is lost, and that may come back.
public struct DepartedClient: Sendable {
    let name: String
    let place: ClientPlace
    /// Its messages whose `ack` it has not received.
    let own: Set<String>
    /// Seconds since 1970 UTC.
    public let leftAt: Double
}

extension ConversationMachine {
    /// Where a client begins that says nothing about what it has: at what happens from now on; of the answer under way, at
    /// its start.
    func beginning(isOriginal: Bool, now: Double) -> Int {
        let sent = transcript.events[..<visible]
        guard let last = sent.lastIndex(where: { $0.kind == .answerStarted || $0.kind == .answerEnded }) else {
            return visible
        }
        // After a restart no client can be continued. One that shows an answer as under way needs its end, and the answer's id
        // means nothing to any other.
        if isOriginal, let end = transcript.places[sent[last].message].end, end < restoredEvents,
            now - sent[last].time < settings.absence
        {
            return end
        }
        return sent[last].kind == .answerStarted ? last : visible
    }

    /// Makes a client that was just added the continuation of an earlier one, if there is one of its name.
    mutating func continueOrPingRivals(of client: Int, now: Double) {
        guard let name = clients[client].original?.name else { return }
        departed.removeAll { now - $0.leftAt >= settings.absence }
        if continueEarlier(client) { return }
        for rival in clients.indices where rival != client && clients[rival].original?.name == name {
            pings &+= 1
            let number = clients[rival].number
            clients[client].original?.rivals[number] = pings
            act(.sendConfirmed(number, [], ping: pings))
        }
        let index = clients[client].place.sequence
        if clients[client].original?.rivals.isEmpty == false {
            clients[client].original?.decidesAt = now + settings.pongTime
        } else if index < transcript.events.count, transcript.events[index].kind == .answerEnded {
            // An end without its start would confuse a client whose `sync` is on its way.
            clients[client].original?.decidesAt = now + settings.syncTime
        }
    }

    /// - Returns: whether there was one that left.
    @discardableResult private mutating func continueEarlier(_ client: Int) -> Bool {
        guard let name = clients[client].original?.name,
            let index = departed.lastIndex(where: { $0.name == name })
        else { return false }
        let earlier = departed.remove(at: index)
        clients[client].place = earlier.place
        clients[client].own.formUnion(earlier.own)
        clients[client].original?.confirmed = earlier.place
        clients[client].original?.earlier = earlier
        clients[client].original?.rivals = [:]
        clients[client].original?.decidesAt = .infinity
        return true
    }

    /// A client answered the ping of this number, and so has everything that was sent before it.
    public mutating func confirmed(_ number: ClientNumber, ping: UInt32, now: Double) {
        guard let index = clients.firstIndex(where: { $0.number == number }),
            let original = clients[index].original
        else { return }
        clients[index].original?.answersPings = true
        if let last = original.ping, last.number <= ping { clients[index].confirm() }
        releaseWaiting(for: number, answered: ping)
        pump(now: now)
    }

    /// Clients that waited to know whether this one is their own earlier connection.
    /// - Parameter answered: it answered this ping: it is another client. `nil`: it is none of the original protocol, or gone.
    private mutating func releaseWaiting(for number: ClientNumber, answered: UInt32? = nil) {
        for index in clients.indices {
            guard let ping = clients[index].original?.rivals[number], ping <= answered ?? .max else { continue }
            clients[index].original?.rivals[number] = nil
            if answered == nil { continueEarlier(index) }
            guard clients[index].original?.rivals.isEmpty == true else { continue }
            clients[index].original?.decidesAt = .infinity
        }
    }

    /// A connection is gone that may have been an original client's.
    mutating func keepPlace(of client: ConversationClient, isFinal: Bool, now: Double) {
        if let original = client.original, !isFinal {
            let place = original.confirmed
            let own = client.own.filter { id in
                transcript.indexes[id].map { transcript.places[$0].beginning >= place.sequence } ?? false
            }
            keep(DepartedClient(name: original.name, place: place, own: own, leftAt: now))
        }
        releaseWaiting(for: client.number)
    }

    private mutating func keep(_ client: DepartedClient) {
        departed.append(client)
        if departed.count > settings.maxDeparted { departed.removeFirst() }
    }

    /// A client's first `sync`: it says itself what it has.
    mutating func endOriginal(_ client: Int) {
        guard let original = clients[client].original else { return }
        clients[client].original = nil
        if let earlier = original.earlier { keep(earlier) }
        releaseWaiting(for: clients[client].number)
    }

    /// What original clients wait for, and no longer than this.
    mutating func endWaiting(now: Double) {
        for number in clients.map({ $0.number }) {
            guard let index = clients.firstIndex(where: { $0.number == number }),
                let original = clients[index].original, original.deadline(pongTime: settings.pongTime) <= now
            else { continue }
            if original.ping != nil, original.answersPings == nil {
                clients[index].original?.answersPings = false
                clients[index].confirm()
            } else if original.ping != nil, original.decidesAt > now {
                // It continues behind what it confirmed.
                disconnect(index, .slowReader, "it does not answer", now: now)
                continue
            }
            guard original.decidesAt <= now else { continue }
            clients[index].original?.decidesAt = .infinity
            for rival in original.rivals.keys {
                guard let index = clients.firstIndex(where: { $0.number == rival }) else { continue }
                disconnect(index, .slowReader, "it does not answer", now: now)
            }
        }
    }
}
