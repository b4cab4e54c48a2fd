/// What happens at a time: orders that reach the market, the ends of day orders, and draws of the random model.
struct Schedule: Sendable {
    enum Event: Equatable {
        case arrival(Int)
        case dayEnd(Int)
        case draw
    }

    private var inFlight = DueQueue()
    private var dayEnds = DueQueue()
    private var drawDue = Double.infinity
    /// Of orders that had a way to the market.
    private var latencies: [Int: Double] = [:]
    /// The earliest event; infinity where there is none.
    private(set) var nextDue = Double.infinity

    var hasDraw: Bool { drawDue < .infinity }

    mutating func addArrival(_ number: Int, at due: Double, latency: Double = 0) {
        inFlight.push(number, due: due)
        if latency > 0 { latencies[number] = latency }
        findNextDue()
    }

    mutating func addDayEnd(_ number: Int, at due: Double) {
        dayEnds.push(number, due: due)
        findNextDue()
    }

    /// - Parameter due: infinity for none.
    mutating func setDraw(at due: Double) {
        drawDue = due
        findNextDue()
    }

    /// Removes and returns the earliest event; of several at one time arrivals first, then ends of days.
    mutating func popFirst() -> Event? {
        defer { findNextDue() }
        if nextDue == .infinity { return nil }
        if inFlight.nextDue == nextDue { return inFlight.pop().map { .arrival($0) } }
        if dayEnds.nextDue == nextDue { return dayEnds.pop().map { .dayEnd($0) } }
        drawDue = .infinity
        return .draw
    }

    /// Seconds between placing an order and its reaching the market.
    func latency(of number: Int) -> Double { latencies[number] ?? 0 }

    mutating func removeLatency(of number: Int) { latencies[number] = nil }

    private mutating func findNextDue() { nextDue = min(inFlight.nextDue, dayEnds.nextDue, drawDue) }
}

/// Orders by the time at which something happens to them, the earliest first: a binary heap.
private struct DueQueue {
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
