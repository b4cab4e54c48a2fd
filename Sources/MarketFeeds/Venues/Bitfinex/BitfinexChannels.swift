/// What one Bitfinex connection's channel numbers stand for, as its `subscribed` messages said. Another connection may
/// use the same numbers for other channels.
///
/// Sorted by number: a venue allows some 30 of them on a connection, which halving finds sooner than hashing.
struct BitfinexChannels: Sendable {
    enum Kind: Sendable { case trades, ticker, book, candles, other }

    struct Channel: Sendable {
        var kind: Kind
        /// The market's slot, of a channel of trades.
        var slot: Int
    }

    private var numbers: [UInt64] = []
    private var known: [Channel] = []

    subscript(_ number: UInt64) -> Channel? {
        let at = place(of: number)
        return at < numbers.count && numbers[at] == number ? known[at] : nil
    }

    mutating func open(_ number: UInt64, _ channel: Channel) {
        let at = place(of: number)
        if at < numbers.count, numbers[at] == number {
            known[at] = channel
        } else {
            numbers.insert(number, at: at)
            known.insert(channel, at: at)
        }
    }

    mutating func close(_ number: UInt64) {
        let at = place(of: number)
        guard at < numbers.count, numbers[at] == number else { return }
        numbers.remove(at: at)
        known.remove(at: at)
    }

    /// The first place whose number is not smaller.
    private func place(of number: UInt64) -> Int {
        var (low, high) = (0, numbers.count)
        while low < high {
            let middle = (low &+ high) / 2
            if numbers[middle] < number { low = middle &+ 1 } else { high = middle }
        }
        return low
    }
}

/// Those of each connection; while one replaces another there are two.
struct BitfinexConnections: Sendable {
    private var connections: [Int] = []
    private var channels: [BitfinexChannels] = []

    /// The place of a connection's channels; a new connection has none yet.
    mutating func place(of connection: Int) -> Int {
        if let known = connections.firstIndex(of: connection) { return known }
        connections.append(connection)
        channels.append(BitfinexChannels())
        return connections.count - 1
    }

    subscript(place: Int) -> BitfinexChannels {
        get { channels[place] }
        _modify { yield &channels[place] }
    }

    mutating func end(_ connection: Int) {
        guard let place = connections.firstIndex(of: connection) else { return }
        connections.remove(at: place)
        channels.remove(at: place)
    }
}
