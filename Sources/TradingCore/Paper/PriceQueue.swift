/// Waiting orders of one kind and side, the next to trade first: a binary heap by price, then by time.
///
/// An order that is cancelled or moved stays in the heap until it comes up; its ticket is no longer valid then.
struct PriceQueue: Sendable {
    struct Level: Sendable {
        var price: ExactDecimal
        /// The price as the nearest double. Rounding keeps the order of numbers, so a tick on the far side of it is on the
        /// far side of the price as well; only where they are equal the decimals decide.
        var double: Double
        /// Counts up: of two orders at a price the earlier one is first.
        var ticket: Int
        var number: Int
    }

    let isHighestFirst: Bool
    private var heap: [Level] = []

    init(highestFirst: Bool) { isHighestFirst = highestFirst }

    var first: Level? { heap.first }
    var count: Int { heap.count }

    private func precedes(_ a: Level, _ b: Level) -> Bool {
        if a.price != b.price { return (a.price > b.price) == isHighestFirst }
        return a.ticket < b.ticket
    }

    mutating func push(_ level: Level) {
        heap.append(level)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard precedes(heap[child], heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink(from: 0)
    }

    /// Removes what is no longer valid, all at once.
    mutating func keep(_ isValid: (Level) -> Bool) {
        heap.removeAll { !isValid($0) }
        for parent in stride(from: heap.count / 2, through: 0, by: -1) { sink(from: parent) }
    }

    private mutating func sink(from start: Int) {
        var parent = start
        while true {
            var best = parent
            let left = 2 * parent + 1
            if left < heap.count, precedes(heap[left], heap[best]) { best = left }
            if left + 1 < heap.count, precedes(heap[left + 1], heap[best]) { best = left + 1 }
            if best == parent { return }
            heap.swapAt(parent, best)
            parent = best
        }
    }
}
