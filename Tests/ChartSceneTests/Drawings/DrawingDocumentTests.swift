import MarketModel
import TestKit
import Testing

@testable import ChartScene

@Suite("Drawings as documents")
struct DrawingDocumentTests {
    private func drawings() -> [Drawing] {
        DrawingKind.allCases.enumerated().map { index, kind in
            let anchors = (0..<kind.anchorCount).map {
                DrawingAnchor(time: 1_700_000_000 + Double(index) * 0.25, price: 0.1 + Double($0) * 67_234.57)
            }
            return Drawing(
                kind, anchors,
                style: DrawingStyle(
                    colour: index % 3 == 0 ? nil : Colour(rgba: 0x12AB_EFFF - UInt32(index % 3)),
                    width: Double(index % 8 + 1), dash: DrawingStyle.Dash(rawValue: UInt8(index % 3))!),
                text: index % 2 == 0 ? Array("zone \"\(index)\" \\ €🙂".utf8) : [], isLocked: index % 4 == 1,
                isHidden: index % 4 == 2)!
        }
    }

    @Test("what is written is read back, and written again as the same bytes")
    func roundTrip() throws {
        let utf8 = DrawingDocument.write(drawings())
        let read = try DrawingDocument.read(utf8)
        #expect(read == drawings())
        #expect(DrawingDocument.write(read) == utf8)
        #expect(try DrawingDocument.read(DrawingDocument.write([])).isEmpty)
    }

    @Test("a document looks as documented")
    func bytes() {
        let line = Drawing(
            .horizontalLine, [DrawingAnchor(time: 1_700_000_000, price: 67_234.5)],
            style: DrawingStyle(colour: Colour(rgb: 0x3478F6), width: 2, dash: .dashed), isLocked: true)!
        #expect(
            String(decoding: DrawingDocument.write([line]), as: UTF8.self) == """
                {
                  "format": "candlewire-drawings",
                  "version": 1,
                  "drawings": [
                    {
                      "kind": "horizontal_line",
                      "anchors": [
                        {
                          "time": 1700000000,
                          "price": 67234.5
                        }
                      ],
                      "colour": "#3478F6",
                      "width": 2,
                      "dash": "dashed",
                      "locked": true
                    }
                  ]
                }
                """)
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        let drawing: String
        let sentence: String
        var testDescription: String { sentence }
    }

    private static let start = #"{"format":"candlewire-drawings","version":1,"drawings":["#
    private static let anchor = #"{"time":1,"price":2}"#

    private static let wrong: [Wrong] = [
        .init(drawing: #"{"kind":"circle"}"#, sentence: "drawings[0].kind: there is no such kind; allowed are"),
        .init(drawing: #"{"kind":"text","glow":1}"#, sentence: "drawings[0].glow: there is no such field; allowed are"),
        .init(drawing: #"{"kind":"text"}"#, sentence: "drawings[0]: this kind of drawing has one anchor"),
        .init(
            drawing: #"{"kind":"ray","anchors":[\#(anchor)]}"#,
            sentence: "drawings[0]: this kind of drawing has two anchors"),
        .init(drawing: #"{"anchors":[\#(anchor)]}"#, sentence: "drawings[0]: a drawing needs a kind"),
        .init(
            drawing: #"{"kind":"ray","anchors":[\#(anchor),{"time":-1,"price":2}]}"#,
            sentence: "drawings[0].anchors[1].time: a time is in seconds"),
        .init(
            drawing: #"{"kind":"text","anchors":[{"time":1,"price":2,"bar":3}]}"#,
            sentence: "drawings[0].anchors[0].bar: there is no such field"),
        .init(
            drawing: #"{"kind":"text","anchors":[{"time":1}]}"#,
            sentence: "drawings[0].anchors[0]: an anchor needs a time and a price"),
        .init(
            drawing: #"{"kind":"text","anchors":[\#(anchor)],"width":1.5}"#,
            sentence: "drawings[0].width: a width is a whole number, 1 to 8"),
        .init(
            drawing: #"{"kind":"text","colour":"red"}"#,
            sentence: "drawings[0].colour: a colour is #RRGGBB or #RRGGBBAA"),
        .init(drawing: #"{"kind":"text","dash":"long"}"#, sentence: "drawings[0].dash: allowed are solid, dashed"),
        .init(drawing: #"{"kind":"text","text":"a\u0007"}"#, sentence: "drawings[0].text: a text has no control"),
        .init(drawing: #"{"kind":"text","text":"\ud800"}"#, sentence: "drawings[0].text: half a character"),
        .init(drawing: #"{"kind":"text","text":"\udc00"}"#, sentence: "drawings[0].text: this text is no UTF-8"),
        .init(drawing: #"{"kind":"text","locked":1}"#, sentence: "drawings[0].locked: true or false"),
        .init(drawing: #"{"kind":"text","kind":"ray"}"#, sentence: "drawings[0].kind: duplicate field"),
        .init(drawing: #"{"kind":"text" "width":1}"#, sentence: "drawings[0]: a comma or the end of the object"),
        .init(drawing: #"{"kind":"text","width":1e999}"#, sentence: "drawings[0].width: this number is too"),
        .init(drawing: "[]", sentence: "drawings[0]: an object is expected here"),
    ]

    @Test("what is wrong in a drawing is reported with its place and what is allowed", arguments: wrong)
    func errors(_ wrong: Wrong) {
        #expect(sentence(Self.start + wrong.drawing + "]}").hasPrefix(wrong.sentence))
    }

    @Test(
        "what is wrong around the drawings is reported too",
        arguments: [
            ("", "an object is expected here"),
            ("{}", "format, version and drawings are needed"),
            (#"{"format":"x"}"#, "format: this is no document of drawings"),
            (#"{"format":"candlewire-drawings","version":2}"#, "version: only version 1 can be read here"),
            (#"{"drawings":[]}"#, "drawings: format and version come before this"),
            (#"{"format":"candlewire-drawings","version":1,"drawings":[]} x"#, "the document has an end"),
            (#"{"format":"candlewire-drawings","version":1,"drawings":[],"sets":1}"#, "sets: there is no such field"),
            (#"{"format":"candlewire-drawings","version":1,"drawings":[}"#, "drawings[0]: an object is expected"),
        ])
    func frame(document: String, expected: String) {
        #expect(sentence(document).hasPrefix(expected))
    }

    private func sentence(_ document: String) -> String {
        do {
            _ = try DrawingDocument.read(document.utf8)
            return "read"
        } catch {
            return String(decoding: error.sentence, as: UTF8.self)
        }
    }

    @Test("loading is one step to undo, and a wrong document changes nothing")
    func load() throws {
        var board = DrawingBoard()
        board.add(drawings()[0])
        try board.load(DrawingDocument.write(drawings()))
        #expect(board.drawings.count == 8 && Set(board.drawings.map(\.id)).count == 8)
        let before = board.drawings
        #expect(throws: DocumentError.self) { try board.load("nonsense".utf8) }
        #expect(board.drawings == before)
        board.undo()
        #expect(board.drawings.count == 1)
    }

    @Test("what was kept is the beginning, before which there is nothing to undo")
    func beginning() throws {
        var board = DrawingBoard()
        try board.load(DrawingDocument.write(drawings()))
        board.forgetSteps()
        #expect(!board.canUndo && !board.canRedo)
        board.remove(board.drawings[0].id)
        board.undo()
        #expect(board.drawings.count == 8 && !board.canUndo && board.canRedo)
    }

    @Test("no bytes trap, and what is accepted is valid")
    func hostile() {
        let good = DrawingDocument.write(drawings())
        var random = SeededGenerator(seed: 77)
        for _ in 0..<5000 {
            var bytes = good
            for _ in 0..<Int(1 + random.unit() * 4) {
                let place = Int(random.unit() * Double(bytes.count))
                switch Int(random.unit() * 3) {
                case 0: bytes[place] = UInt8(random.unit() * 255)
                case 1: bytes.remove(at: place)
                default: bytes.removeSubrange(place...)
                }
                if bytes.isEmpty { break }
            }
            if let read = try? DrawingDocument.read(bytes) {
                #expect(read.allSatisfy { $0.anchors.count == $0.kind.anchorCount && $0.anchors.allSatisfy(\.isValid) })
            }
        }
    }
}
