/// One side of a book: its levels in the order of their prices.
///
/// Blocks of at most 64 levels, each in order, and a directory of the blocks in their order: a level is found by halving the
/// directory and then a block, and a new one moves at most the levels of its block. The best level is the last one of the last
/// block, because most changes happen near it. Blocks are kept for later, so that a book that does not grow allocates nothing.
struct BookLevels: Sendable {
    /// A level as it is stored.
    struct Level: Sendable {
        /// The price in units of the book's scale, of an ask with the opposite sign: the better, the greater. Less than 2^62
        /// from zero, so that the difference of two has the right sign.
        var key: Int64
        var sizeUnits: Int64
        var sizeDecimals: UInt8
        var sizeForm: BookDecimal.Form
        var priceForm: BookDecimal.Form

        init(key: Int64, size: BookDecimal, priceForm: BookDecimal.Form) {
            self.key = key
            sizeUnits = size.units
            sizeDecimals = size.decimals
            sizeForm = size.form
            self.priceForm = priceForm
        }

        var size: BookDecimal { BookDecimal(units: sizeUnits, decimals: sizeDecimals, form: sizeForm) }
    }

    private static let blockSize = 64
    /// A block with fewer levels than this joins a neighbour that has room for them.
    private static let sparse = 16

    private(set) var count = 0
    /// All blocks, those in use and those that wait for it.
    private var levels: [Level] = []
    /// The blocks in use, from the worst prices to the best.
    private var blocks: [Block] = []
    /// Where blocks are that wait for it.
    private var unused: [Int32] = []

    private struct Block: Sendable {
        /// Its first key.
        var first: Int64
        /// Which of the blocks of `levels` it is.
        var place: Int32
        var count: Int32

        var start: Int { Int(place) &* BookLevels.blockSize }
        var used: Int { Int(count) }
    }

    /// The best level.
    var best: Level? {
        guard let last = blocks.last else { return nil }
        return levels[last.start &+ last.used &- 1]
    }

    // MARK: Changes

    /// Replaces what is at the level's price, adds it, or removes it where its size is zero.
    mutating func set(_ level: Level) {
        guard count > 0 else {
            if level.sizeUnits != 0 { appendBlock(level, at: 0) }
            return
        }
        let index = block(of: level.key)
        let (start, used) = (blocks[index].start, blocks[index].used)
        // What is to be done is decided after the search: the processor need not guess it before.
        let change = levels.withUnsafeMutableBufferPointer { all -> Change in
            let base = all.baseAddress! + start
            let at = Self.firstNotBelow(level.key, base, used)
            let isFound = at < used && base[at].key == level.key
            if level.sizeUnits == 0 {
                guard isFound else { return .none }
                (base + at).update(from: base + (at &+ 1), count: used &- at &- 1)
                return .removed
            }
            if isFound {
                base[at] = level
                return .none
            }
            guard used < Self.blockSize else { return .hasNoRoom(at) }
            (base + (at &+ 1)).update(from: base + at, count: used &- at)
            base[at] = level
            return .added
        }
        switch change {
        case .none: return
        case .added:
            blocks[index].count &+= 1
            count &+= 1
            blocks[index].first = levels[start].key
        case .removed:
            blocks[index].count &-= 1
            count &-= 1
            if used == 1 { return dropBlock(index) }
            blocks[index].first = levels[start].key
            if used <= Self.sparse { join(index) }
        case .hasNoRoom(let at): insert(level, intoFullBlock: index, at: at)
        }
    }

    private enum Change {
        case none, added, removed
        /// It belongs to this place of a full block.
        case hasNoRoom(Int)
    }

    mutating func removeAll() {
        for block in blocks { unused.append(block.place) }
        blocks.removeAll(keepingCapacity: true)
        count = 0
    }

    /// Removes the worst levels, so that at most `depth` are left.
    mutating func cut(to depth: Int) {
        while count > depth {
            let (start, used) = (blocks[0].start, blocks[0].used)
            let excess = count &- depth
            guard used > excess else {
                count &-= used
                dropBlock(0)
                continue
            }
            levels.withUnsafeMutableBufferPointer { all in
                let base = all.baseAddress! + start
                base.update(from: base + excess, count: used &- excess)
            }
            blocks[0].count = Int32(truncatingIfNeeded: used &- excess)
            blocks[0].first = levels[start].key
            count = depth
        }
    }

    /// Multiplies all keys; see `canScale`.
    mutating func scale(by factor: Int64) {
        for index in blocks.indices {
            blocks[index].first *= factor
            let start = blocks[index].start
            for at in start..<start + blocks[index].used { levels[at].key *= factor }
        }
    }

    /// The greatest and the least keys are at the ends.
    func canScale(by factor: Int64) -> Bool {
        guard let best, let worst = blocks.first else { return true }
        return Self.product(best.key, factor) != nil && Self.product(worst.first, factor) != nil
    }

    /// A key of a finer scale; `nil` where it is out of range.
    @inline(__always)
    static func product(_ key: Int64, _ factor: Int64) -> Int64? {
        let (product, isTooLarge) = key.multipliedReportingOverflow(by: factor)
        return isTooLarge || product.magnitude >= 1 << 62 ? nil : product
    }

    // MARK: Reading

    /// The level with this key.
    func find(_ key: Int64) -> Level? {
        guard count > 0 else { return nil }
        let index = block(of: key)
        let (start, used) = (blocks[index].start, blocks[index].used)
        return levels.withUnsafeBufferPointer { all in
            let base = all.baseAddress! + start
            let at = Self.firstNotBelow(key, base, used)
            return at < used && base[at].key == key ? base[at] : nil
        }
    }

    /// Calls `body` with each level from the best on, as long as it returns true.
    @inline(__always)
    func forEachFromBest(_ body: (borrowing Level) -> Bool) {
        for block in blocks.reversed() {
            for at in stride(from: block.start &+ block.used &- 1, through: block.start, by: -1) {
                guard body(levels[at]) else { return }
            }
        }
    }

    /// The level with `index` better ones.
    subscript(_ index: Int) -> Level? {
        guard index >= 0, index < count else { return nil }
        var better = index
        for block in blocks.reversed() {
            if better < block.used { return levels[block.start &+ block.used &- 1 &- better] }
            better &-= block.used
        }
        return nil
    }

    // MARK: Blocks

    /// Where a key is, or would be: the last block that does not begin behind it, or the first one.
    @inline(__always)
    private func block(of key: Int64) -> Int {
        let last = blocks.count &- 1
        // Most changes are near the best price.
        if key >= blocks[last].first { return last }
        return blocks.withUnsafeBufferPointer { blocks in
            let blocks = blocks.baseAddress!
            // How many blocks begin before it; one more may begin with it.
            var base = 0
            var length = last
            while length > 1 {
                let half = length &>> 1
                base &+= half & Self.below(blocks[base &+ half &- 1].first, key)
                length &-= half
            }
            base &+= 1 & Self.below(blocks[base].first, key)
            return blocks[base].first == key ? base : max(base &- 1, 0)
        }
    }

    /// All bits where `one` is below `other`, else none; without a branch, which would be guessed wrong half of the time.
    @inline(__always)
    private static func below(_ one: Int64, _ other: Int64) -> Int { Int(truncatingIfNeeded: (one &- other) &>> 63) }

    /// Where in a block the first key is that is not below this one.
    @inline(__always)
    private static func firstNotBelow(_ key: Int64, _ block: UnsafePointer<Level>, _ used: Int) -> Int {
        var base = 0
        var length = used
        while length > 1 {
            let half = length &>> 1
            base &+= half & below(block[base &+ half &- 1].key, key)
            length &-= half
        }
        return base &+ (block[base].key < key ? 1 : 0)
    }

    /// A block of one level at this place of the directory.
    private mutating func appendBlock(_ level: Level, at index: Int) {
        let block = Block(first: level.key, place: newPlace(level), count: 1)
        levels[block.start] = level
        blocks.insert(block, at: index)
        count &+= 1
    }

    private mutating func newPlace(_ filler: Level) -> Int32 {
        if let place = unused.popLast() { return place }
        let place = levels.count / Self.blockSize
        levels.append(contentsOf: repeatElement(filler, count: Self.blockSize))
        // All blocks may be unused one day: that must not allocate.
        if unused.capacity <= place { unused.reserveCapacity(2 * (place + 1)) }
        return Int32(place)
    }

    private mutating func dropBlock(_ index: Int) { unused.append(blocks.remove(at: index).place) }

    private mutating func insert(_ level: Level, intoFullBlock index: Int, at: Int) {
        // A snapshot comes in order: its blocks stay full.
        if at == Self.blockSize, index == blocks.count - 1 { return appendBlock(level, at: index + 1) }
        if at == 0, index == 0 { return appendBlock(level, at: 0) }
        let half = Self.blockSize / 2
        let place = newPlace(level)
        let (from, to) = (blocks[index].start + half, Int(place) * Self.blockSize)
        levels.withUnsafeMutableBufferPointer { all in
            let base = all.baseAddress!
            (base + to).update(from: base + from, count: Self.blockSize - half)
        }
        blocks[index].count = Int32(half)
        blocks.insert(
            Block(first: levels[to].key, place: place, count: Int32(Self.blockSize - half)), at: index + 1)
        set(level)
    }

    /// Moves a sparse block's levels into a neighbour, or the neighbour's into it, where there is room.
    private mutating func join(_ index: Int) {
        let room = Self.blockSize * 3 / 4 - blocks[index].used
        if index + 1 < blocks.count, blocks[index + 1].used <= room {
            append(index + 1, to: index)
        } else if index > 0, blocks[index - 1].used <= room {
            append(index, to: index - 1)
        }
    }

    private mutating func append(_ next: Int, to index: Int) {
        let (from, moved) = (blocks[next].start, blocks[next].used)
        let to = blocks[index].start + blocks[index].used
        levels.withUnsafeMutableBufferPointer { all in
            let base = all.baseAddress!
            (base + to).update(from: base + from, count: moved)
        }
        blocks[index].count += Int32(moved)
        dropBlock(next)
    }
}
