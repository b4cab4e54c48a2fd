/// A binary heap, the least element first.
struct BinaryHeap<Element: Comparable & Sendable>: Sendable {
    private var elements: [Element] = []

    var first: Element? { elements.first }
    var count: Int { elements.count }

    mutating func push(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0, elements[child] < elements[(child - 1) / 2] {
            elements.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// There must be one.
    @discardableResult mutating func removeFirst() -> Element {
        elements.swapAt(0, elements.count - 1)
        defer { sink(from: 0) }
        return elements.removeLast()
    }

    /// Removes what is no longer valid, all at once.
    mutating func keep(_ isValid: (Element) -> Bool) {
        elements.removeAll { !isValid($0) }
        for parent in stride(from: elements.count / 2, through: 0, by: -1) { sink(from: parent) }
    }

    private mutating func sink(from start: Int) {
        var parent = start
        while true {
            var best = parent
            for child in 2 * parent + 1...2 * parent + 2
            where child < elements.count && elements[child] < elements[best] {
                best = child
            }
            if best == parent { return }
            elements.swapAt(parent, best)
            parent = best
        }
    }
}
