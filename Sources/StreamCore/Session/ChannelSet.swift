/// The channels that the application requested, and the requests that make the server serve exactly those. Desired state,
/// like the streams: whatever is wanted is requested again on each connection. There is nothing to recover: the server
/// begins with a snapshot each time, so what came before its answer is dropped, and what comes after it is handed on as
/// it is, in order and whole.
struct ChannelSet {
    struct Entry {
        let key: ChannelKey
        /// The socket whose messages count: the one that answered last.
        var owner: SocketNumber?
        var pending: Subscription.Pending?
        /// Where it was last requested and not unsubscribed: the server may be sending it, used or not.
        var requestedOn: SocketNumber?
        /// The application requests a new snapshot of what it has.
        var needsSnapshot = false
        var refusal: SessionRefusal?
        /// Requests in a row without an answer.
        var unanswered = 0
        /// The next request is not made before.
        var requestAfter = -Double.infinity
    }

    /// A channel that is to be unsubscribed.
    struct Leaving {
        var key: ChannelKey
        var socket: SocketNumber
    }

    let configuration: SessionConfiguration
    /// In the order they were wanted; few.
    private(set) var entries: [Entry] = []
    private var isHidden = false
    private var leaving = ActionQueue<Leaving>()
    /// Some entry may have to be requested.
    private var isDirty = false
    /// The next time an unanswered request must be looked at.
    private var reviewAt = Double.infinity

    init(_ configuration: SessionConfiguration) { self.configuration = configuration }
    private func index(of key: ChannelKey) -> Int? { entries.firstIndex { $0.key == key } }

    // MARK: Requested channels

    mutating func subscribe(_ key: ChannelKey) {
        isDirty = true
        guard let index = index(of: key) else { return entries.append(Entry(key: key)) }
        entries[index].refusal = nil
        entries[index].requestAfter = -.infinity
        // A request that is on its way brings a snapshot anyway.
        if entries[index].owner != nil, entries[index].pending == nil { entries[index].needsSnapshot = true }
    }

    mutating func unsubscribe(_ key: ChannelKey) {
        guard let index = index(of: key) else { return }
        leave(index)
        entries.remove(at: index)
    }

    /// The user looks away, or back. A channel of a state can wait for that and costs the most meanwhile; an order
    /// that is filled and an event have to be known also in the background.
    mutating func setHidden(_ isHidden: Bool) {
        guard self.isHidden != isHidden else { return }
        self.isHidden = isHidden
        isDirty = true
        guard isHidden else { return }
        for index in entries.indices where entries[index].key.channel.isState { leave(index) }
    }

    private mutating func leave(_ index: Int) {
        let entry = entries[index]
        if let owner = entry.owner { leaving.append(Leaving(key: entry.key, socket: owner)) }
        if let socket = entry.requestedOn, socket != entry.owner {
            leaving.append(Leaving(key: entry.key, socket: socket))
        }
        detach(index)
    }

    /// The server serves it no longer, or is not listened to any more.
    private mutating func detach(_ index: Int) {
        entries[index].owner = nil
        entries[index].pending = nil
        entries[index].requestedOn = nil
        entries[index].needsSnapshot = false
    }

    private func isWanted(_ entry: Entry) -> Bool { entry.refusal == nil && !(isHidden && entry.key.channel.isState) }

    func state(_ key: ChannelKey) -> SubscriptionInfo.State? {
        guard let index = index(of: key) else { return nil }
        let entry = entries[index]
        if let refusal = entry.refusal { return .refused(refusal) }
        if !isWanted(entry) { return .paused }
        if entry.owner != nil { return .live }
        return entry.pending == nil ? .waiting : .subscribing
    }

    // MARK: Requests

    /// A socket may be used: everything wanted is to be requested on it.
    mutating func begin() { isDirty = true }

    /// A socket is gone, with all its requests.
    mutating func lost(_ socket: SocketNumber) {
        isDirty = true
        for index in entries.indices {
            if entries[index].owner == socket { entries[index].owner = nil }
            if entries[index].requestedOn == socket {
                entries[index].requestedOn = nil
                entries[index].requestAfter = -.infinity
            }
            if entries[index].pending?.socket == socket { entries[index].pending = nil }
        }
        leaving.removeAll { $0.socket == socket }
    }

    /// Sends the requests that are due, as fast as the server allows.
    mutating func pump(
        to target: SocketNumber, now: Double, bucket: inout TokenBucket, lastRequest: inout Int,
        _ out: inout SessionOutput
    ) {
        while let channel = leaving.first {
            guard bucket.consume(now: now) else { return }
            _ = leaving.popFirst()
            lastRequest += 1
            out.send(.unsubscribeChannel(channel.key, id: RequestID(lastRequest)), on: channel.socket)
        }
        _ = leaving.popFirst()
        for index in entries.indices where needsRequest(entries[index], on: target) {
            guard entries[index].requestAfter <= now else {
                reviewAt = min(reviewAt, entries[index].requestAfter)
                continue
            }
            guard bucket.consume(now: now) else { return }
            lastRequest += 1
            let answerTimeout = configuration.answerTimeout(after: entries[index].unanswered)
            entries[index].pending = Subscription.Pending(
                id: lastRequest, socket: target, answerBy: now + answerTimeout)
            entries[index].requestedOn = target
            reviewAt = min(reviewAt, now + answerTimeout)
            out.send(.subscribeChannel(entries[index].key, id: RequestID(lastRequest)), on: target)
        }
        isDirty = false
    }

    private func needsRequest(_ entry: Entry, on target: SocketNumber) -> Bool {
        guard isWanted(entry), entry.pending?.socket != target else { return false }
        return entry.owner != target || entry.needsSnapshot
    }

    var hasRequests: Bool { isDirty || !leaving.isEmpty }

    /// When `review` or `pump` has something to do.
    func requestDeadline(_ bucket: TokenBucket) -> Double {
        hasRequests ? min(reviewAt, bucket.nextAvailable) : reviewAt
    }

    /// Looks for requests that were not answered, and for those whose time has come.
    mutating func review(now: Double) {
        guard now >= reviewAt else { return }
        reviewAt = .infinity
        isDirty = true
        for index in entries.indices {
            guard let pending = entries[index].pending else { continue }
            if now >= pending.answerBy {
                entries[index].pending = nil
                entries[index].unanswered += 1
            } else {
                reviewAt = min(reviewAt, pending.answerBy)
            }
        }
    }

    /// Whether this socket serves everything that is wanted.
    func isServed(by socket: SocketNumber) -> Bool { entries.allSatisfy { !isWanted($0) || $0.owner == socket } }

    // MARK: Answers and messages

    mutating func received(
        _ head: ChannelHead, _ bytes: UnsafeRawBufferPointer, on socket: SocketNumber, _ out: inout SessionOutput
    ) {
        switch head.type {
        case "subscribed":
            guard let index = answered(head, on: socket) else { return }
            entries[index].pending = nil
            entries[index].owner = socket
            entries[index].unanswered = 0
            entries[index].needsSnapshot = false
            out.emit(entries[index].key, .subscribed(sequence: head.sequence))
        case "unsubscribed": break
        default:
            // While one connection replaces another both may bring it: only the one that answered last counts.
            guard let index = index(of: head), entries[index].owner == socket else { return }
            out.emit(entries[index].key, .message(ChannelMessage(head: head, json: [UInt8](bytes))))
        }
    }

    /// The entry whose request this answers: the newest one only.
    private func answered(_ head: ChannelHead, on socket: SocketNumber) -> Int? {
        if let id = head.id {
            let number = id.number
            return entries.firstIndex { $0.pending?.socket == socket && $0.pending?.id == number }
        }
        // A server that does not echo ids.
        guard let index = index(of: head), entries[index].pending?.socket == socket else { return nil }
        return index
    }

    /// The entry that a message belongs to. Where it names no account there is one request at most that it can be meant
    /// for; where it names one, a request for all accounts gets it too.
    private func index(of head: ChannelHead) -> Int? {
        if let exact = entries.firstIndex(where: { $0.key.channel == head.channel && $0.key.account == head.account }) {
            return exact
        }
        if head.account != nil { return entries.firstIndex { $0.key.channel == head.channel && $0.key.account == nil } }
        let candidates = entries.indices.filter { entries[$0].key.channel == head.channel }
        return candidates.count == 1 ? candidates[0] : nil
    }

    /// - Returns: whether the error answered a request to subscribe.
    mutating func refused(
        _ id: RequestID, code: String, message: String, on socket: SocketNumber, now: Double, _ out: inout SessionOutput
    ) -> Bool {
        let number = id.number
        guard let index = entries.firstIndex(where: { $0.pending?.socket == socket && $0.pending?.id == number })
        else { return false }
        if code == "unavailable" {
            // Of the moment, as while a server that was restarted reads its ledger.
            entries[index].unanswered += 1
            let wait = Backoff.Configuration(first: 1, cap: 16).wait(before: entries[index].unanswered)
            entries[index].requestAfter = now + wait
            entries[index].pending = nil
            isDirty = true
            out.emit(.problem(code: code, message: message))
            return true
        }
        detach(index)
        entries[index].refusal = SessionRefusal(code: code, message: message)
        out.emit(entries[index].key, .refused(code: code, message: message))
        return true
    }
}
