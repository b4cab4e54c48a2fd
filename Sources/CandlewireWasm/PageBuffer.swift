/// Memory that the page reads or writes directly. It lies outside of Swift's arrays, so that its address stays valid
/// until it has to grow.
struct PageBuffer<Element: BitwiseCopyable>: ~Copyable {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var capacity: Int
    /// Elements in use, as the last `fill` left them.
    private(set) var count = 0

    init(capacity: Int) {
        base = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { base.deallocate() }

    /// Makes room for `needed` elements and answers where they go. What was there before is lost where it had to grow.
    mutating func reserve(_ needed: Int) -> UnsafeMutablePointer<Element> {
        if needed > capacity {
            base.deallocate()
            capacity = needed + needed / 2
            base = .allocate(capacity: capacity)
        }
        return base
    }

    /// Replaces the content by `count` elements that `write` stores.
    mutating func fill(_ count: Int, _ write: (UnsafeMutablePointer<Element>) -> Void) {
        write(reserve(count))
        self.count = count
    }

    /// Replaces the content by a copy of `elements`.
    mutating func fill(_ elements: [Element]) {
        fill(elements.count) { target in
            elements.withUnsafeBufferPointer { source in
                if let base = source.baseAddress { target.update(from: base, count: source.count) }
            }
        }
    }
}
