/// Drawings as a document: JSON, version 1.
///
/// ```json
/// {
///   "format": "candlewire-drawings",
///   "version": 1,
///   "drawings": [
///     {
///       "kind": "trend_line",
///       "anchors": [{"time": 1700000000, "price": 67234.5}, {"time": 1700003600, "price": 67300}],
///       "colour": "#3478F6", "width": 2, "dash": "dashed", "text": "support", "locked": true, "hidden": true
///     }
///   ]
/// }
/// ```
///
/// Only `kind` and `anchors` must be there. A field that version 1 does not have is refused with its place, as is a
/// document of another version: no drawing is lost silently.
package enum DrawingDocument {
    package static let version = 1

    /// The drawings, from the lowest to the topmost one: the same bytes on every platform.
    package static func write(_ drawings: [Drawing]) -> [UInt8] {
        var writer = DocumentWriter()
        writer.object { writer in
            writer.key("format")
            writer.string(format)
            writer.key("version")
            writer.number(Double(version))
            writer.key("drawings")
            writer.array { writer in
                for drawing in drawings {
                    writer.item()
                    write(drawing, &writer)
                }
            }
        }
        return writer.utf8
    }

    /// - Throws: the first thing that is not as it should be.
    package static func read(_ utf8: some Sequence<UInt8>) throws(DocumentError) -> [Drawing] {
        var reader = DocumentReader(utf8)
        var drawings: [Drawing] = []
        var hasFormat = false
        var hasVersion = false
        var hasDrawings = false
        try reader.object { reader, name throws(DocumentError) in
            switch name {
            case "format":
                guard format ~= (try reader.string(maxLength: 64)) else {
                    throw reader.fail("this is no document of drawings; its format would be candlewire-drawings")
                }
                hasFormat = true
            case "version":
                guard try reader.number() == Double(version) else {
                    throw reader.fail("only version 1 can be read here")
                }
                hasVersion = true
            case "drawings":
                // What another version's fields mean is unknown here.
                guard hasFormat, hasVersion else { throw reader.fail("format and version come before this") }
                try reader.array { reader, index throws(DocumentError) in
                    guard index < DrawingBoard.capacity else { throw reader.fail("a board has at most 500 drawings") }
                    drawings.append(try drawing(&reader))
                }
                hasDrawings = true
            default: throw reader.fail("there is no such field; allowed are format, version, drawings")
            }
        }
        guard hasDrawings else { throw reader.fail("format, version and drawings are needed") }
        try reader.finish()
        return drawings
    }

    private static let format: StaticString = "candlewire-drawings"

    private static func write(_ drawing: Drawing, _ writer: inout DocumentWriter) {
        writer.object { writer in
            writer.key("kind")
            writer.string(drawing.kind.name)
            writer.key("anchors")
            writer.array { writer in
                for anchor in drawing.anchors {
                    writer.item()
                    writer.object { writer in
                        writer.key("time")
                        writer.number(anchor.time)
                        writer.key("price")
                        writer.number(anchor.price)
                    }
                }
            }
            if let colour = drawing.style.colour {
                writer.key("colour")
                writer.colour(colour)
            }
            writer.key("width")
            writer.number(drawing.style.width)
            writer.key("dash")
            writer.string(drawing.style.dash.name)
            if !drawing.text.isEmpty {
                writer.key("text")
                writer.string(drawing.text)
            }
            if drawing.isLocked {
                writer.key("locked")
                writer.bool(true)
            }
            if drawing.isHidden {
                writer.key("hidden")
                writer.bool(true)
            }
        }
    }

    private static func drawing(_ reader: inout DocumentReader) throws(DocumentError) -> Drawing {
        var kind: DrawingKind?
        var anchors: [DrawingAnchor] = []
        var style = DrawingStyle()
        var text: [UInt8] = []
        var isLocked = false
        var isHidden = false
        try reader.object { reader, name throws(DocumentError) in
            switch name {
            case "kind": kind = try self.kind(&reader)
            case "anchors":
                try reader.array { reader, index throws(DocumentError) in
                    guard index < 2 else { throw reader.fail("a drawing has at most 2 anchors") }
                    anchors.append(try anchor(&reader))
                }
            case "colour": style.colour = try reader.colour()
            case "width":
                let width = try reader.number(1...8, "a width is a whole number, 1 to 8")
                guard width == width.rounded() else { throw reader.fail("a width is a whole number, 1 to 8") }
                style = DrawingStyle(colour: style.colour, width: width, dash: style.dash)
            case "dash": style.dash = try dash(&reader)
            case "text":
                text = try reader.string(maxLength: Drawing.maxTextLength)
                guard Drawing.cleaned(text) == text else { throw reader.fail("a text has no control characters") }
            case "locked": isLocked = try reader.bool()
            case "hidden": isHidden = try reader.bool()
            default:
                throw reader.fail(
                    "there is no such field; allowed are kind, anchors, colour, width, dash, text, locked, hidden")
            }
        }
        guard let kind else { throw reader.fail("a drawing needs a kind") }
        guard
            let drawing = Drawing(kind, anchors, style: style, text: text, isLocked: isLocked, isHidden: isHidden)
        else {
            throw reader.fail(
                kind.anchorCount == 1 ? "this kind of drawing has one anchor" : "this kind of drawing has two anchors")
        }
        return drawing
    }

    private static func kind(_ reader: inout DocumentReader) throws(DocumentError) -> DrawingKind {
        let word = try reader.string(maxLength: 64)
        if let kind = DrawingKind.allCases.first(where: { $0.name ~= word }) { return kind }
        throw reader.fail(
            """
            there is no such kind; allowed are trend_line, ray, horizontal_line, vertical_line, rectangle, fibonacci, \
            measure, text
            """)
    }

    private static func dash(_ reader: inout DocumentReader) throws(DocumentError) -> DrawingStyle.Dash {
        let word = try reader.string(maxLength: 64)
        if let dash = DrawingStyle.Dash.allCases.first(where: { $0.name ~= word }) { return dash }
        throw reader.fail("allowed are solid, dashed, dotted")
    }

    private static func anchor(_ reader: inout DocumentReader) throws(DocumentError) -> DrawingAnchor {
        var time: Double?
        var price: Double?
        try reader.object { reader, name throws(DocumentError) in
            switch name {
            case "time":
                time = try reader.number(0...Calendar.latest, "a time is in seconds, of the years 1970 to 9999")
            case "price": price = try reader.number(-1e15...1e15, "a price is at most 1e15")
            default: throw reader.fail("there is no such field; allowed are time, price")
            }
        }
        guard let time, let price else { throw reader.fail("an anchor needs a time and a price") }
        return DrawingAnchor(time: time, price: price)
    }
}

/// Whether UTF-8 is this text.
private func ~= (name: StaticString, text: [UInt8]) -> Bool { name.withUTF8Buffer { $0.elementsEqual(text) } }

extension DrawingBoard {
    /// Replaces all drawings by those of a document; one step to undo.
    /// - Throws: where the document is not as it should be; nothing changes then.
    public mutating func load(_ utf8: some Sequence<UInt8>) throws(DocumentError) {
        replace(with: try DrawingDocument.read(utf8))
    }

    /// The drawings as a document.
    public var document: [UInt8] { DrawingDocument.write(drawings) }
}
