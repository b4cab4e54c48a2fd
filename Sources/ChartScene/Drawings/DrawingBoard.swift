/// The drawings of one symbol with what is selected, begun and can be undone: a value, kept beside the symbol.
///
/// ```swift
/// var board = DrawingBoard()
/// board.add(Drawing(.horizontalLine, [DrawingAnchor(time: now, price: 67_000)])!)
/// board.undo()
/// ```
///
/// Pointers work on it through `ChartView` (`pressDrawing`, `moveDrawing`, `releaseDrawing`), which knows what is where.
public struct DrawingBoard: Sendable {
    public static let capacity = 500

    /// From the lowest to the topmost one.
    public internal(set) var drawings: [Drawing] = []
    /// Number of the drawing with handles.
    public internal(set) var selection: Int?
    /// What the next presses draw; `nil` selects and moves.
    public internal(set) var tool: DrawingKind?
    /// How prices stick to the bars.
    public var magnet = Magnet.off
    /// What the next drawing looks like.
    public var style = DrawingStyle()
    /// None is drawn or hit, as long as this is on.
    public internal(set) var isHidden = false

    /// What a pointer is doing.
    var gesture = DrawingGesture.none
    /// Under the pointer, where it is over one.
    var hovered: DrawingHit?
    private var history = DrawingHistory()
    private var lastID = 0

    public init() {}

    public subscript(id: Int) -> Drawing? { index(of: id).map { drawings[$0] } }

    func index(of id: Int) -> Int? { drawings.firstIndex { $0.id == id } }

    // MARK: Changing, each call one step to undo

    /// Puts a drawing on top and selects it.
    /// - Returns: its number; `nil` where the board is full.
    @discardableResult public mutating func add(_ drawing: Drawing) -> Int? {
        guard drawings.count < DrawingBoard.capacity else { return nil }
        history.record(drawings)
        lastID += 1
        var drawing = drawing
        drawing.id = lastID
        drawings.append(drawing)
        selection = lastID
        return lastID
    }

    /// - Returns: whether it was there.
    @discardableResult public mutating func remove(_ id: Int) -> Bool {
        guard let index = index(of: id) else { return false }
        history.record(drawings)
        drawings.remove(at: index)
        forgetAbsent()
        return true
    }

    public mutating func removeAll() {
        guard !drawings.isEmpty else { return }
        history.record(drawings)
        drawings.removeAll()
        forgetAbsent()
    }

    public mutating func setStyle(_ id: Int, _ style: DrawingStyle) { change(id) { $0.style = style } }

    public mutating func setText(_ id: Int, _ utf8: some Sequence<UInt8>) {
        change(id) { $0.text = Drawing.cleaned(utf8) }
    }

    public mutating func setLocked(_ id: Int, _ isLocked: Bool) { change(id) { $0.isLocked = isLocked } }

    public mutating func setHidden(_ id: Int, _ isHidden: Bool) {
        change(id) { $0.isHidden = isHidden }
        forgetAbsent()
    }

    /// Other places for a drawing's anchors; what is not valid changes nothing.
    public mutating func setAnchors(_ id: Int, _ anchors: [DrawingAnchor]) {
        change(id) {
            guard anchors.count == $0.anchors.count, anchors.allSatisfy({ $0.isValid }) else { return }
            $0.anchors = anchors
        }
    }

    /// Puts it above all others.
    public mutating func raise(_ id: Int) {
        guard let index = index(of: id), index < drawings.count - 1 else { return }
        history.record(drawings)
        drawings.append(drawings.remove(at: index))
    }

    private mutating func change(_ id: Int, _ change: (inout Drawing) -> Void) {
        guard let index = index(of: id) else { return }
        var drawing = drawings[index]
        change(&drawing)
        guard drawing != drawings[index] else { return }
        history.record(drawings)
        drawings[index] = drawing
    }

    // MARK: Undo

    public var canUndo: Bool { history.canUndo }
    public var canRedo: Bool { history.canRedo }

    /// Undoes the last change; a gesture in between is given up.
    @discardableResult public mutating func undo() -> Bool {
        cancel()
        return step(to: history.undo(drawings))
    }

    @discardableResult public mutating func redo() -> Bool {
        cancel()
        return step(to: history.redo(drawings))
    }

    private mutating func step(to other: [Drawing]?) -> Bool {
        guard let other else { return false }
        drawings = other
        forgetAbsent()
        return true
    }

    /// What there is now is the beginning: nothing can be undone or redone.
    public mutating func forgetSteps() { history = DrawingHistory() }

    // MARK: What is not undone

    /// - Parameter id: `nil` or a number that is not on the board selects nothing.
    public mutating func select(_ id: Int?) { selection = id.flatMap { index(of: $0) == nil ? nil : $0 } }

    /// Selects the next visible drawing, or the one before; after the last one none, then the first again.
    public mutating func selectNext(_ step: Int) {
        let shown = isHidden ? [] : drawings.filter { !$0.isHidden }
        guard !shown.isEmpty else { return select(nil) }
        let selected = shown.firstIndex { $0.id == selection }
        let place = selected.map { $0 + (step < 0 ? -1 : 1) } ?? (step < 0 ? shown.count - 1 : 0)
        selection = shown.indices.contains(place) ? shown[place].id : nil
    }

    public mutating func setAllHidden(_ isHidden: Bool) {
        cancel()
        self.isHidden = isHidden
        if isHidden { selection = nil }
    }

    /// Chooses what the next presses draw; drops what was begun.
    public mutating func setTool(_ tool: DrawingKind?) {
        cancel()
        self.tool = tool
        if tool != nil {
            selection = nil
            isHidden = false
        }
    }

    /// Replaces everything, as a document does: one step to undo.
    mutating func replace(with drawings: [Drawing]) {
        cancel()
        history.record(self.drawings)
        self.drawings = drawings
        for index in 0..<self.drawings.count {
            lastID += 1
            self.drawings[index].id = lastID
        }
        selection = nil
    }

    /// What was dragged is now one step to undo.
    mutating func commit(before: [Drawing]) { if before != drawings { history.record(before) } }

    private mutating func forgetAbsent() {
        hovered = nil
        if let selection, self[selection]?.isHidden ?? true { self.selection = nil }
    }
}

/// What can be undone and redone: the values before and after each change, the oldest forgotten first.
struct DrawingHistory: Sendable {
    static let limit = 100

    private var past: [[Drawing]] = []
    private var future: [[Drawing]] = []

    var canUndo: Bool { !past.isEmpty }
    var canRedo: Bool { !future.isEmpty }

    /// A change was made to what was `value`. What was undone before it is gone.
    mutating func record(_ value: [Drawing]) {
        if past.count == Self.limit { past.removeFirst() }
        past.append(value)
        future.removeAll()
    }

    /// The value before the last change; `current` becomes what a redo comes back to.
    mutating func undo(_ current: [Drawing]) -> [Drawing]? {
        guard let before = past.popLast() else { return nil }
        future.append(current)
        return before
    }

    mutating func redo(_ current: [Drawing]) -> [Drawing]? {
        guard let after = future.popLast() else { return nil }
        past.append(current)
        return after
    }
}
