/// Orders that something happens to at a time, the earliest first.
struct DueQueue: Sendable {
    private var heap: [(due: Double, number: Int)] = []

    /// Infinity where nothing is due.
    var nextDue: Double { heap.first?.due ?? .infinity }

    mutating func push(_ number: Int, due: Double) {
        heap.append((due, number))
        var child = heap.count - 1
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func pop() -> Int? {
        guard let first = heap.first else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var best = parent
            for child in 2 * parent + 1...2 * parent + 2 where child < heap.count && heap[child] < heap[best] {
                best = child
            }
            if best == parent { return first.number }
            heap.swapAt(parent, best)
            parent = best
        }
    }
}
