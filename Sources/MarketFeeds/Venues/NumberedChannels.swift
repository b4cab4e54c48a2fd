/// What the channel numbers of one connection stand for, by its acknowledgements. Another connection may use the same
/// numbers for other channels. Every message looks one up, and they come in no order that a processor could guess:
/// halving would be guessed wrong at every step, a hash is not.
struct NumberedChannels: Sendable {
    enum Kind: String, Sendable {
        case trades, ticker, book, candles, other
        /// A book that comes order by order.
        case orders
    }

    struct Channel: Sendable {
        var kind: Kind
        /// The market's slot, of a channel of trades or of a book.
        var slot: Int

        var isBook: Bool { kind == .book || kind == .orders }
    }

    private struct Entry: Sendable {
        var number: UInt64
        var channel: Channel
    }

    private var entries: [Entry] = []
    /// Open addressing, linear probing: the place of an entry plus one; 0 is free. At most a quarter full.
    private var homes: [UInt32] = Array(repeating: 0, count: 128)

    subscript(_ number: UInt64) -> Channel? {
        let place = Int(homes[home(of: number)])
        return place == 0 ? nil : entries[place &- 1].channel
    }

    mutating func open(_ number: UInt64, _ channel: Channel) {
        let home = home(of: number)
        if homes[home] > 0 { return entries[Int(homes[home]) - 1].channel = channel }
        entries.append(Entry(number: number, channel: channel))
        if entries.count * 4 > homes.count { rehash(homes.count * 2) } else { homes[home] = UInt32(entries.count) }
    }

    /// The number of the newest channel that is so.
    func number(of isWanted: (Channel) -> Bool) -> UInt64? { entries.last { isWanted($0.channel) }?.number }

    mutating func close(_ number: UInt64) {
        let place = Int(homes[home(of: number)])
        guard place > 0 else { return }
        entries.remove(at: place - 1)
        rehash(homes.count)
    }

    private mutating func rehash(_ count: Int) {
        homes = Array(repeating: 0, count: count)
        for place in entries.indices { homes[home(of: entries[place].number)] = UInt32(place + 1) }
    }

    /// Where this number is, or a free home for it.
    private func home(of number: UInt64) -> Int {
        let mask = homes.count &- 1
        // By the golden ratio, as in `RecentNames`.
        var home = Int(truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15) >> 33) & mask
        while homes[home] != 0, entries[Int(homes[home]) &- 1].number != number { home = (home &+ 1) & mask }
        return home
    }
}

/// Those of each connection; while one replaces another there are two.
struct NumberedConnections: Sendable {
    private var connections: [(number: Int, channels: NumberedChannels)] = []

    /// The place of a connection's channels; a new connection has none yet.
    mutating func place(of connection: Int) -> Int {
        if let known = connections.firstIndex(where: { $0.number == connection }) { return known }
        connections.append((connection, NumberedChannels()))
        return connections.count - 1
    }

    /// A connection's channels; `nil` where it has none.
    func channels(of connection: Int) -> NumberedChannels? { connections.first { $0.number == connection }?.channels }

    subscript(place: Int) -> NumberedChannels {
        get { connections[place].channels }
        _modify { yield &connections[place].channels }
    }

    mutating func end(_ connection: Int) { connections.removeAll { $0.number == connection } }
}
