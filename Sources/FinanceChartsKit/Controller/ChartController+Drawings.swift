public import ChartScene

/// What a user draws: trend lines, levels, Fibonacci retracements and so on, kept for each symbol.
///
/// ```swift
/// controller.addDrawing(Drawing(.horizontalLine, [DrawingAnchor(time: now, price: 67_000)])!)
/// controller.drawingTool = .trendLine  // the next two presses draw one
/// let saved = controller.drawingDocument
/// ```
///
/// Places are anchored by time and price, so they stay valid with another timeframe and beyond the newest bar.
extension ChartController {
    /// From the lowest to the topmost one.
    public var drawings: [Drawing] { observed(\.board.drawings) }

    /// What the next presses draw; `nil` selects and moves.
    public var drawingTool: DrawingKind? {
        get { observed(\.board.tool) }
        set { change { $0.board.setTool(newValue) } }
    }

    /// How prices stick to the bars while drawing.
    public var drawingMagnet: Magnet {
        get { observed(\.board.magnet) }
        set { change { $0.board.magnet = newValue } }
    }

    /// What the next drawing looks like.
    public var drawingStyle: DrawingStyle {
        get { observed(\.board.style) }
        set { change { $0.board.style = newValue } }
    }

    /// The number of the drawing with handles.
    public var selectedDrawing: Int? {
        get { observed(\.board.selection) }
        set { change { $0.board.select(newValue) } }
    }

    /// Puts a drawing on top and selects it.
    /// - Returns: its number; `nil` where there are 500 already.
    @discardableResult public func addDrawing(_ drawing: Drawing) -> Int? { change { $0.board.add(drawing) } }

    /// - Returns: whether it was there.
    @discardableResult public func removeDrawing(_ id: Int) -> Bool { change { $0.board.remove(id) } }
    public func removeAllDrawings() { change { $0.board.removeAll() } }
    public var canUndoDrawing: Bool { observed(\.board.canUndo) }
    public var canRedoDrawing: Bool { observed(\.board.canRedo) }

    @discardableResult public func undoDrawing() -> Bool { change { $0.board.undo() } }

    @discardableResult public func redoDrawing() -> Bool { change { $0.board.redo() } }

    /// The symbol's drawings as a versioned JSON document, UTF-8; see `DrawingDocument`.
    public var drawingDocument: [UInt8] { observed(\.board.document) }

    /// Replaces the symbol's drawings by those of a document; one step to undo.
    /// - Throws: `ExportError` that says what is wrong and where; nothing changes then.
    public func loadDrawings(_ document: some Sequence<UInt8>) throws(ExportError) {
        let drawings = Array(document)
        do {
            try change { view throws(DocumentError) in try view.board.load(drawings) }
        } catch {
            throw ExportError("drawings", String(decoding: error.sentence, as: UTF8.self))
        }
    }

    // MARK: A pointer, in points from the chart's top left

    /// - Returns: whether the drawings take the pointer; otherwise it is the chart's.
    public func pressDrawing(x: Double, y: Double, tolerance: Double = ChartView.drawingTolerance) -> Bool {
        change { $0.pressDrawing(x: x, y: y, tolerance: tolerance) }
    }

    public func moveDrawing(x: Double, y: Double, tolerance: Double = ChartView.drawingTolerance) {
        change { $0.moveDrawing(x: x, y: y, tolerance: tolerance) }
    }

    public func releaseDrawing(x: Double, y: Double, tolerance: Double = ChartView.drawingTolerance) {
        change { $0.releaseDrawing(x: x, y: y, tolerance: tolerance) }
    }

    /// For who draws by keyboard: places an anchor at the crosshair.
    /// - Returns: `false` without a tool or a crosshair.
    @discardableResult public func placeDrawingAtCrosshair() -> Bool { change { $0.placeDrawingAtCrosshair() } }

    /// Stores the drawings of the previous symbol and shows those of this one.
    func changeBoard(from old: String) {
        let board = view.board
        if board.drawings.isEmpty, !board.canUndo { boards[old] = nil } else { boards[old] = board }
        var next = boards.removeValue(forKey: symbol) ?? DrawingBoard()
        // Tools are the user's, not the symbol's.
        next.magnet = board.magnet
        next.style = board.style
        view.board = next
    }
}

extension ChartController {
    /// The picture as a list of drawing commands in device pixels, for a painter. Drawn only where something changed
    /// since the last call.
    public func displayList() -> DisplayList {
        guard pictureRevision != revision else { return picture }
        let start = uptime()
        view.render(into: &picture)
        drawStatus()
        pictureRevision = revision
        let frameTime = uptime() - start
        if frameTime > 1.0 / 60 { performanceDelegate?.chartDidDropFrame(frameTime) }
        if memoryUsage != reportedMemory {
            reportedMemory = memoryUsage
            performanceDelegate?.chartMemoryUsage(reportedMemory)
        }
        return picture
    }

    /// The picture of this moment; `nil` while the chart has no size.
    public func snapshot() -> ChartSnapshot? {
        guard !view.size.isEmpty else { return nil }
        return ChartSnapshot(list: displayList(), size: view.size)
    }

    /// Reports slow frames and memory to `delegate`, which is not kept alive.
    public func setPerformanceDelegate(_ delegate: (any ChartPerformanceDelegate)?) {
        performanceDelegate = delegate
    }

    /// What bars and picture occupy, in bytes: six numbers a bar, and a word for each operand of the picture.
    public var memoryUsage: Int {
        view.count * 6 * MemoryLayout<Double>.size + picture.words.count * MemoryLayout<UInt32>.size
    }

    /// `LIVE` or `RECONNECTING...` at the top right of the plot.
    private func drawStatus() {
        guard connectionStatus != .unknown, !view.size.isEmpty else { return }
        var text = TextBuffer()
        text.append(utf8: Array(connectionStatus.text.utf8))
        let ratio = view.size.devicePixelRatio
        let plotWidth = view.visibleCount * view.barSpacing
        let colour = connectionStatus == .live ? view.theme.upText : view.theme.downText
        picture.text(
            colour, x: (plotWidth - 10) * ratio, y: 17 * ratio, size: 11 * ratio, align: .right, bold: true, text)
    }
}
