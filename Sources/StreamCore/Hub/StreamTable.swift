/// Values by stream, for a reader: few, and looked up in the same order again and again, so that hashing would cost more than
/// looking at the next one. A stream is kept beside its value, so that both come with one line of the processor's cache.
@usableFromInline struct StreamTable<Value> {
    @usableFromInline var entries: [(stream: Int, value: Value)] = []
    /// Where the last one was found.
    @usableFromInline var found = 0

    @usableFromInline init() {}

    /// Where a stream's value is in `entries`, until one is added or removed.
    @inlinable mutating func index(of stream: Int) -> Int? {
        if found < entries.count, entries[found].stream == stream { return found }
        if found + 1 < entries.count, entries[found + 1].stream == stream {
            found += 1
            return found
        }
        guard let index = entries.firstIndex(where: { $0.stream == stream }) else { return nil }
        found = index
        return index
    }

    @usableFromInline subscript(stream: Int) -> Value? {
        get { entries.first { $0.stream == stream }?.value }
        set {
            guard let index = index(of: stream) else {
                if let newValue { entries.append((stream, newValue)) }
                return
            }
            if let newValue { entries[index].value = newValue } else { entries.remove(at: index) }
        }
    }
}
