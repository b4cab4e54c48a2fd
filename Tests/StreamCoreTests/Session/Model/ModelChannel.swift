import StreamCore

/// One channel as an application shows it, and whether what came of it was whole and in order.
struct ModelChannel {
    let key: ChannelKey
    private(set) var orders: [Int: Int] = [:]
    private(set) var state: Substring?
    private(set) var sequence: Int64?
    /// Only a snapshot may come next.
    private(set) var needsSnapshot = true
    private(set) var isRefused = false
    /// While one connection replaces another, the second one's snapshot may have been made earlier than what the first
    /// one brought last.
    let mayGoBack: Bool

    init(_ key: ChannelKey, mayGoBack: Bool) {
        self.key = key
        self.mayGoBack = mayGoBack
    }

    mutating func wantAgain() { isRefused = false }

    /// - Returns: what is wrong with it; `nil`: nothing.
    mutating func receive(_ event: StreamChannelEvent, isHidden: Bool) -> String? {
        switch event {
        case .subscribed: needsSnapshot = true
        case .refused:
            if isRefused { return "\(key) refused twice" }
            isRefused = true
        case .skipped: return "skipped in \(key)"
        case .message(let message): return receive(message, isHidden: isHidden)
        }
        return nil
    }

    private mutating func receive(_ message: ChannelMessage, isHidden: Bool) -> String? {
        let what = message.text
        if isHidden, key.channel.isState { return "\(what) while the page is hidden" }
        if message.head.channel != key.channel || message.head.account != key.account { return "\(what) for \(key)" }
        guard let start = what.firstRange(of: "\"body\":\"")?.upperBound, let end = what.lastIndex(of: "\""),
            start <= end
        else { return "not the text that the server sent: \(what)" }
        let body = what[start..<end]
        let isSnapshot = message.head.type == "snapshot"
        if needsSnapshot, !isSnapshot { return "\(what) where a snapshot is due" }
        let before = sequence
        sequence = message.head.sequence
        if let before, let sequence, sequence < before, !mayGoBack || !isSnapshot { return "\(what) after \(before)" }
        needsSnapshot = false
        guard key.channel == .orders else {
            state = body
            return nil
        }
        if isSnapshot {
            orders = ModelLedger.orders(body)
        } else {
            // The ledger numbers each change: none may be missing, and none may come twice.
            if sequence != before.map({ $0 + 1 }) { return "\(what) after \(before as Any)" }
            orders.merge(ModelLedger.orders(body)) { $1 }
        }
        return nil
    }

    /// What it shows, as the ledger would say it.
    var body: String { key.channel == .orders ? ModelLedger.text(orders) : String(state ?? "") }
}
