import MarketModel
import Testing

@testable import ChartScene

@Suite("The board of drawings")
struct DrawingBoardTests {
    private let anchor = DrawingAnchor(time: 1_700_000_000, price: 100)

    private func undo(_ board: inout DrawingBoard) -> Bool { board.undo() }
    private func redo(_ board: inout DrawingBoard) -> Bool { board.redo() }

    @Test("a drawing has the anchors of its kind, and valid ones")
    func anchors() {
        for kind in DrawingKind.allCases {
            #expect(Drawing(kind, Array(repeating: anchor, count: kind.anchorCount)) != nil)
            #expect(Drawing(kind, Array(repeating: anchor, count: kind.anchorCount + 1)) == nil)
            #expect(Drawing(kind, []) == nil)
        }
        for bad in [
            DrawingAnchor(time: .nan, price: 1), DrawingAnchor(time: -1, price: 1),
            DrawingAnchor(time: 1e18, price: 1), DrawingAnchor(time: 0, price: .infinity),
            DrawingAnchor(time: 0, price: .nan), DrawingAnchor(time: 0, price: 1e16),
        ] {
            #expect(Drawing(.text, [bad]) == nil)
        }
    }

    @Test("texts lose control characters and end before a character that would not fit")
    func text() throws {
        let drawing = try #require(Drawing(.text, [anchor], text: "a\nb\u{7F}c".utf8))
        #expect(drawing.text == Array("abc".utf8))
        let long = try #require(Drawing(.text, [anchor], text: String(repeating: "€", count: 100).utf8))
        #expect(long.text.count <= 200 && String(validating: long.text, as: UTF8.self) != nil)
    }

    @Test("each change is undone and done again, in order")
    func undo() throws {
        var board = DrawingBoard()
        var states: [[Drawing]] = [board.drawings]
        let first = board.add(try #require(Drawing(.horizontalLine, [anchor]))) ?? 0
        states.append(board.drawings)
        board.setStyle(first, DrawingStyle(colour: Colour(rgb: 0xFF0000), width: 3, dash: .dotted))
        states.append(board.drawings)
        let second = board.add(try #require(Drawing(.trendLine, [anchor, anchor]))) ?? 0
        states.append(board.drawings)
        board.setLocked(second, true)
        states.append(board.drawings)
        board.raise(first)
        states.append(board.drawings)
        board.setText(first, "level".utf8)
        states.append(board.drawings)
        board.setHidden(second, true)
        states.append(board.drawings)
        board.remove(first)
        states.append(board.drawings)
        board.removeAll()
        states.append(board.drawings)
        for state in states.dropLast().reversed() {
            #expect(undo(&board) && board.drawings == state)
        }
        #expect(!board.canUndo && !undo(&board))
        for state in states.dropFirst() {
            #expect(redo(&board) && board.drawings == state)
        }
        #expect(!board.canRedo && !redo(&board))
    }

    @Test("what changes nothing is no step, and a change after an undo forgets what was undone")
    func steps() throws {
        var board = DrawingBoard()
        let id = board.add(try #require(Drawing(.text, [anchor]))) ?? 0
        board.setLocked(id, false)
        board.setStyle(id, DrawingStyle())
        board.remove(99)
        board.raise(id)
        board.setAnchors(id, [])
        board.setAnchors(id, [DrawingAnchor(time: .nan, price: 0)])
        #expect(undo(&board) && !board.canUndo && board.canRedo)
        board.add(try #require(Drawing(.text, [anchor])))
        #expect(!board.canRedo)
    }

    @Test("the history is bounded: a hundred steps are undone, older ones are not")
    func bounded() throws {
        var board = DrawingBoard()
        for _ in 0..<130 { board.add(try #require(Drawing(.text, [anchor]))) }
        var steps = 0
        while board.undo() { steps += 1 }
        #expect(steps == 100 && board.drawings.count == 30)
    }

    @Test("a board has at most 500 drawings, and their numbers are never given twice")
    func capacity() throws {
        var board = DrawingBoard()
        let drawing = try #require(Drawing(.text, [anchor]))
        for number in 1...500 {
            let id = board.add(drawing)
            #expect(id == number)
        }
        var id = board.add(drawing)
        #expect(id == nil)
        board.remove(500)
        board.undo()
        board.remove(500)
        id = board.add(drawing)
        #expect(id == 501)
    }

    @Test("the selection goes from one visible drawing to the next, to none and on")
    func selection() throws {
        var board = DrawingBoard()
        for _ in 0..<3 { board.add(try #require(Drawing(.text, [anchor]))) }
        board.setHidden(2, true)
        board.select(nil)
        var seen: [Int?] = []
        for _ in 0..<4 {
            board.selectNext(1)
            seen.append(board.selection)
        }
        #expect(seen == [1, 3, nil, 1])
        board.selectNext(-1)
        #expect(board.selection == nil)
        board.selectNext(-1)
        #expect(board.selection == 3)
        board.select(77)
        #expect(board.selection == nil)
        board.select(3)
        board.remove(3)
        #expect(board.selection == nil)
    }
}
