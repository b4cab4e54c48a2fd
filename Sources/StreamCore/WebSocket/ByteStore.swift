/// A growing run of bytes with one owner: what the machine puts messages together in. An array would do the same with a
/// uniqueness check and a bounds check at each step. Freed with its owner.
struct ByteStore: ~Copyable {
    private(set) var count = 0
    private(set) var capacity = 0
    private var base: UnsafeMutableRawPointer?

    init() {}
    deinit { base?.deallocate() }
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }
    mutating func removeAll() { count = 0 }

    /// Gives memory back that is more than `limit` bytes, so that one large message does not stay with an idle
    /// connection.
    mutating func shrink(to limit: Int) {
        count = 0
        guard capacity > limit else { return }
        base?.deallocate()
        base = nil
        capacity = 0
    }

    /// The start of `extra` more bytes, which count from now on and which the caller fills.
    mutating func extend(by extra: Int) -> UnsafeMutableRawPointer {
        let needed = count &+ extra
        if needed > capacity { grow(to: needed) }
        let start = base.unsafelyUnwrapped + count
        count = needed
        return start
    }

    private mutating func grow(to needed: Int) {
        // The exact size first (most messages arrive whole), doubled afterwards so that many fragments cost O(n).
        let larger = capacity == 0 ? max(needed, 16) : max(needed, capacity &* 2)
        let next = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
        if let base {
            next.copyMemory(from: base, byteCount: count)
            base.deallocate()
        }
        base = next
        capacity = larger
    }
}
