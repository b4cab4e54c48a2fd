/// Remembers the last 1,024 trades by their numbers, where those do not count up by one in a market: whether one came
/// before can be seen, whether one is missing cannot. Most venues' numbers grow: a greater one than all before is new,
/// and nothing need be looked up. From the first smaller one on that is new all the same, every trade is two look-ups:
/// of its own number, and of the oldest one, which makes room. With the keyed hash of a `Set` that would be a third of
/// a message's time; open addressing over the ring is a twentieth. Numbers chosen to collide would slow down their own
/// market, by 1,024 comparisons a trade at most.
struct RecentNames: Sendable {
    private static let capacity = 1024
    /// The numbers as they came; from `oldest` on, once it is full.
    private var ring: [UInt64] = []
    private var oldest = 0
    /// The last number, as long as each was greater than the one before it.
    private var newest: UInt64 = 0
    /// Where a number is in the ring, plus one; 0 is free. Linear probing, at most a quarter full: markets with few trades
    /// stay small. Empty as long as numbers grow.
    private var slots: [UInt16] = []

    /// Whether it is new; from now on it is known.
    @inline(__always)
    mutating func insert(_ id: UInt64) -> Bool {
        guard slots.isEmpty, id > newest else { return insertSmaller(id) }
        newest = id
        if ring.count < Self.capacity {
            ring.append(id)
        } else {
            ring[oldest] = id
            oldest = (oldest &+ 1) % Self.capacity
        }
        return true
    }

    @inline(never)
    private mutating func insertSmaller(_ id: UInt64) -> Bool {
        if slots.isEmpty {
            // Twice in a row, as Bitfinex sends each trade; or any other one.
            if id == newest ? !ring.isEmpty : isKnown(id) { return false }
            rehash(32)
        }
        return insertAny(id)
    }

    /// Whether it is in the ring, whose numbers grow: by halving.
    private func isKnown(_ id: UInt64) -> Bool {
        var (low, high) = (0, ring.count)
        while low < high {
            let middle = (low &+ high) / 2
            let known = ring[(oldest &+ middle) % Self.capacity]
            if known == id { return true }
            if known < id { low = middle &+ 1 } else { high = middle }
        }
        return false
    }

    private mutating func insertAny(_ id: UInt64) -> Bool {
        var slot = home(of: id)
        while slots[slot] != 0 {
            if ring[Int(slots[slot]) &- 1] == id { return false }
            slot = next(slot)
        }
        if ring.count < Self.capacity {
            ring.append(id)
            if ring.count * 4 > slots.count { rehash(slots.count * 2) } else { slots[slot] = UInt16(ring.count) }
        } else {
            remove(oldest)
            ring[oldest] = id
            place(oldest)
            oldest = (oldest &+ 1) % Self.capacity
        }
        return true
    }

    private func next(_ slot: Int) -> Int { (slot &+ 1) & (slots.count &- 1) }

    /// The highest bits of a product with 2^64 divided by the golden ratio (Knuth, volume 3, section 6.4).
    private func home(of id: UInt64) -> Int {
        Int(truncatingIfNeeded: (id &* 0x9E37_79B9_7F4A_7C15) >> 48) & (slots.count &- 1)
    }

    private mutating func place(_ index: Int) {
        var slot = home(of: ring[index])
        while slots[slot] != 0 { slot = next(slot) }
        slots[slot] = UInt16(index + 1)
    }

    /// Gives all numbers slots, of which there are `least` or more.
    private mutating func rehash(_ least: Int) {
        var count = least
        while ring.count * 4 > count { count *= 2 }
        slots = Array(repeating: 0, count: count)
        for index in ring.indices { place(index) }
    }

    /// Frees the slot of the number at this place of the ring, and moves up those behind it that would be lost otherwise.
    private mutating func remove(_ index: Int) {
        var free = home(of: ring[index])
        while Int(slots[free]) != index &+ 1 { free = next(free) }
        var slot = next(free)
        let mask = slots.count &- 1
        while slots[slot] != 0 {
            let home = home(of: ring[Int(slots[slot]) &- 1])
            // Whether the free slot is on its way from where it should be to where it is.
            if (slot &- home) & mask >= (slot &- free) & mask {
                slots[free] = slots[slot]
                free = slot
            }
            slot = next(slot)
        }
        slots[free] = 0
    }
}
