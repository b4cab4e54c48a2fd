/// Values by stream, for a reader: few, and looked up in the same order again and again, so that hashing would cost more than
/// looking at the next one.
@usableFromInline struct StreamTable<Value> {
    @usableFromInline var streams: [Int] = []
    @usableFromInline var values: [Value] = []
    /// Where the last one was found.
    @usableFromInline var found = 0

    @usableFromInline init() {}

    /// Where a stream's value is in `values`, until one is added or removed.
    @inlinable mutating func index(of stream: Int) -> Int? {
        if found < streams.count, streams[found] == stream { return found }
        if found + 1 < streams.count, streams[found + 1] == stream {
            found += 1
            return found
        }
        guard let index = streams.firstIndex(of: stream) else { return nil }
        found = index
        return index
    }

    @usableFromInline subscript(stream: Int) -> Value? {
        get { streams.firstIndex(of: stream).map { values[$0] } }
        set {
            guard let index = index(of: stream) else {
                guard let newValue else { return }
                streams.append(stream)
                values.append(newValue)
                return
            }
            if let newValue {
                values[index] = newValue
            } else {
                streams.remove(at: index)
                values.remove(at: index)
            }
        }
    }
}
