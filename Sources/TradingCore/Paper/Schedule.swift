/// What happens at a time: orders that reach the market, the ends of day orders, and draws of the random model.
struct Schedule: Sendable {
    enum Event: Equatable {
        case arrival(Int)
        case dayEnd(Int)
        case draw
    }

    private struct Due: Comparable {
        var time: Double
        var number: Int

        static func < (a: Due, b: Due) -> Bool { (a.time, a.number) < (b.time, b.number) }
    }

    private var inFlight = BinaryHeap<Due>()
    private var dayEnds = BinaryHeap<Due>()
    private var drawDue = Double.infinity
    /// Of orders that had a way to the market.
    private var latencies: [Int: Double] = [:]
    /// The earliest event; infinity where there is none.
    private(set) var nextDue = Double.infinity

    var hasDraw: Bool { drawDue < .infinity }

    mutating func addArrival(_ number: Int, at due: Double, latency: Double = 0) {
        inFlight.push(Due(time: due, number: number))
        if latency > 0 { latencies[number] = latency }
        findNextDue()
    }

    mutating func addDayEnd(_ number: Int, at due: Double) {
        dayEnds.push(Due(time: due, number: number))
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
        if inFlight.first?.time == nextDue { return .arrival(inFlight.removeFirst().number) }
        if dayEnds.first?.time == nextDue { return .dayEnd(dayEnds.removeFirst().number) }
        drawDue = .infinity
        return .draw
    }

    /// Seconds between placing an order and its reaching the market.
    func latency(of number: Int) -> Double { latencies[number] ?? 0 }

    mutating func removeLatency(of number: Int) { latencies[number] = nil }

    private mutating func findNextDue() {
        nextDue = min(inFlight.first?.time ?? .infinity, dayEnds.first?.time ?? .infinity, drawDue)
    }
}
