import StreamCore

/// The truth about the accounts: their orders by number and version, and how often each account's positions changed.
///
/// Like the server's ledger it outlives restarts. What a session hands on is opaque to it, so the bodies are whatever is
/// easily compared: `"3:2 4:1"` are order 3 in version 2 and order 4 in version 1.
struct ModelLedger {
    struct Account {
        var orders: [Int: Int] = [:]
        var sequence: Int64 = 0
        var positions = 0
    }

    static let accounts = ["paper-main", "paper-scalping"]
    /// Channels of the model: one whose messages all count, one that shows a state, and one without an account.
    static let channels: [StreamChannel] = [.orders, .positions, .health]

    private(set) var byName: [String: Account] = [:]
    private(set) var turns = 0

    /// An order is placed or changes.
    /// - Returns: its account's message.
    mutating func change(_ name: String, order: Int) -> [UInt8] {
        var account = byName[name] ?? Account()
        let version = (account.orders[order] ?? 0) + 1
        account.orders[order] = version
        account.sequence += 1
        byName[name] = account
        return message("order", ChannelKey(.orders, account: name), sequence: account.sequence, "\(order):\(version)")
    }

    mutating func move(_ name: String) -> [UInt8] {
        byName[name, default: Account()].positions += 1
        return state(ChannelKey(.positions, account: name), "positions")
    }

    mutating func turn() -> [UInt8] {
        turns += 1
        return state(ChannelKey(.health), "health")
    }

    /// What a channel begins with.
    func snapshot(_ key: ChannelKey) -> [UInt8] { state(key, "snapshot") }

    /// Everything that the channel has to say now.
    func body(_ key: ChannelKey) -> String {
        let account = byName[key.account ?? ""] ?? Account()
        switch key.channel {
        case .orders: return Self.text(account.orders)
        case .positions: return "\(account.positions)"
        default: return "\(turns)"
        }
    }

    func sequence(_ key: ChannelKey) -> Int64? { key.account.map { byName[$0]?.sequence ?? 0 } }

    private func state(_ key: ChannelKey, _ type: StaticString) -> [UInt8] {
        message(type, key, sequence: sequence(key), body(key))
    }

    private func message(_ type: StaticString, _ key: ChannelKey, sequence: Int64?, _ body: String) -> [UInt8] {
        var bytes: [UInt8] = []
        ServerMessageWriter.channelHead(type, key, sequence: sequence, into: &bytes)
        bytes.json(",\"body\":")
        bytes.string(body)
        bytes.json("}")
        return bytes
    }

    static func text(_ orders: [Int: Int]) -> String {
        orders.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: " ")
    }

    /// The orders of a body.
    static func orders(_ body: Substring) -> [Int: Int] {
        var orders: [Int: Int] = [:]
        for word in body.split(separator: " ") {
            let parts = word.split(separator: ":")
            if let order = Int(parts[0]), let version = Int(parts[1]) { orders[order] = version }
        }
        return orders
    }
}
