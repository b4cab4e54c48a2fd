/// First in, first out, keeping its memory: taking everything out and filling it again allocates nothing.
struct ActionQueue<Element> {
    private var elements: [Element] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    var first: Element? { head < elements.count ? elements[head] : nil }

    mutating func next() -> Element? {
        guard head < elements.count else {
            if head > 0 {
                elements.removeAll(keepingCapacity: true)
                head = 0
            }
            return nil
        }
        head += 1
        return elements[head - 1]
    }

    mutating func removeAll() {
        elements.removeAll(keepingCapacity: true)
        head = 0
    }
}
