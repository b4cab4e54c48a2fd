/// What can be undone and redone: the values before and after each change, the oldest forgotten first.
struct DrawingHistory<Value: Equatable & Sendable>: Sendable {
    static var limit: Int { 100 }

    private var past: [Value] = []
    private var future: [Value] = []

    var canUndo: Bool { !past.isEmpty }
    var canRedo: Bool { !future.isEmpty }

    /// A change was made to what was `value`. What was undone before it is gone.
    mutating func record(_ value: Value) {
        if past.count == Self.limit { past.removeFirst() }
        past.append(value)
        future.removeAll()
    }

    /// The value before the last change; `current` becomes what a redo comes back to.
    mutating func undo(_ current: Value) -> Value? {
        guard let before = past.popLast() else { return nil }
        future.append(current)
        return before
    }

    mutating func redo(_ current: Value) -> Value? {
        guard let after = future.popLast() else { return nil }
        past.append(current)
        return after
    }
}
