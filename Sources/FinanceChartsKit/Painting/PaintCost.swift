package import ChartScene

/// What painting a display list as SVG or PDF costs, known before it is painted.
///
/// A unit is about a microsecond of processor time or 32 bytes of an SVG file, whichever is more. The weights were
/// measured with Cairo 1.16; a list that is `maxUnits` long takes it about a second.
package struct PaintCost: Sendable, Equatable {
    package static let maxUnits = 1_000_000
    /// Sizes and weights of text, together.
    package static let maxFonts = 64
    /// UTF-8 bytes of one text.
    package static let maxTextBytes = 1000

    /// Units of what is drawn: rectangles, separate lines and clips; corners of lines and polygons; dashes; text.
    package private(set) var shapes = 0
    package private(set) var points = 0
    package private(set) var dashes = 0
    package private(set) var texts = 0
    /// Cairo keeps the union of what was drawn as a region, and each shape beside the others makes it longer: a cost that
    /// grows with the square of their number, until a rectangle fills the picture.
    package var scattered: Int { scatteredShapes * scatteredShapes / 340 }
    private var scatteredShapes = 0
    /// Words of the list that are commands; fewer than the list has where one is none.
    package private(set) var words = 0

    private let width: Double
    private let height: Double
    private var isCovered = false
    private var isClipped = false
    private var fonts: Set<UInt64> = []
    /// A font's letters, which each get an outline in the file: a font and a Unicode scalar.
    private var outlines: Set<UInt64> = []

    /// - Parameters:
    ///   - width: of the picture, in device pixels.
    /// - Throws: `TooComplex` at the first command that exceeds a limit; what follows it is not looked at.
    package init(_ list: DisplayList, width: Int, height: Int) throws(TooComplex) {
        self.width = Double(width)
        self.height = Double(height)
        for command in list.commands {
            try add(command.opcode, command.operands)
            guard units <= Self.maxUnits else { throw .units(self, word: words) }
            words += command.operands.count + 1
        }
    }

    package var units: Int { shapes + points + dashes + texts + scattered }

    private mutating func add(_ opcode: DisplayOpcode, _ operands: DisplayOperands) throws(TooComplex) {
        // What reading a command costs, whatever is in it.
        shapes += 1
        switch opcode {
        case .fillRects:
            addShapes((operands.count - 1) / 4, units: 7)
            if !isCovered { isCovered = fillsPicture(operands) }
        case .segments:
            let count = (operands.count - 4) / 4
            addShapes(count, units: 7)
            addDashes(operands, perUnit: 4) { lines in (0..<count).reduce(0) { $0 + lines(4 + 4 * $1, 6 + 4 * $1) } }
        case .polyline:
            let count = (operands.count - 4) / 2
            addShapes(1, units: 7)
            points += 3 * count
            // The dashes of joined lines are one outline, which is filled as a whole.
            addDashes(operands, perUnit: 2) { lines in
                stride(from: 4, to: 2 + 2 * count, by: 2).reduce(0) { $0 + lines($1, $1 + 2) }
            }
        case .fillPolygon:
            addShapes(1, units: 7)
            points += 3 * ((operands.count - 1) / 2)
        case .roundRect: addShapes(1, units: 28)
        case .text: try addText(operands)
        case .clip:
            shapes += 8
            isClipped = true
        case .unclip: isClipped = false
        }
    }

    private mutating func addShapes(_ count: Int, units: Int) {
        shapes += count * units
        if !isCovered { scatteredShapes += count }
    }

    /// Whether one of the rectangles fills the picture, so that all else lies within it.
    private func fillsPicture(_ operands: DisplayOperands) -> Bool {
        guard !isClipped, operands.word(0) & 0xFF == 0xFF else { return false }
        return stride(from: 1, through: operands.count - 4, by: 4).contains { at in
            let (x, y) = (operands.number(at), operands.number(at + 1))
            return x <= 0 && y <= 0 && x + operands.number(at + 2) >= width && y + operands.number(at + 3) >= height
        }
    }

    /// - Parameter total: the pixels of all lines, by a function that has those between the points at two operands.
    private mutating func addDashes(
        _ operands: DisplayOperands, perUnit: Double, _ total: ((Int, Int) -> Double) -> Double
    ) {
        guard let pattern = LineDashes(on: operands.number(2), off: operands.number(3)) else { return }
        func coordinate(_ index: Int) -> Double { LineDashes.placeable(operands.number(index)) ?? 0 }
        let length = total { from, to in
            let (x, y) = (coordinate(to) - coordinate(from), coordinate(to + 1) - coordinate(from + 1))
            return (x * x + y * y).squareRoot()
        }
        dashes += Int(pattern.count(inLength: length) / perUnit)
    }

    private mutating func addText(_ operands: DisplayOperands) throws(TooComplex) {
        let bytes = min(Int(operands.word(5)), (operands.count - 6) * 4)
        guard bytes <= Self.maxTextBytes else { throw .text(bytes, word: words) }
        addShapes(1, units: 0)
        let font = UInt64(operands.word(3)) << 1 | (operands.word(4) >> 8 & 0xFF == 0 ? 0 : 1)
        fonts.insert(font)
        guard fonts.count <= Self.maxFonts else { throw .fonts(word: words) }
        texts += 20
        for letter in String(decoding: operands.utf8, as: UTF8.self).unicodeScalars {
            // A scalar has 21 bits.
            texts += outlines.insert(font << 21 | UInt64(letter.value)).inserted ? 50 : 10
        }
    }
}

/// Which limit of `PaintCost` a display list exceeds, and the word of the command that does.
package enum TooComplex: Error, Sendable, Equatable, CustomStringConvertible {
    case units(PaintCost, word: Int)
    case fonts(word: Int)
    /// How many bytes a text has.
    case text(Int, word: Int)

    package var description: String {
        switch self {
        case .units(let cost, let word):
            "The list is too complex from word \(word) on: it costs \(cost.units) units (shapes \(cost.shapes), points "
                + "\(cost.points), dashes \(cost.dashes), texts \(cost.texts), shapes before the background "
                + "\(cost.scattered)); the maximum is \(PaintCost.maxUnits)."
        case .fonts(let word):
            "The list has another size or weight of text at word \(word); the maximum is \(PaintCost.maxFonts)."
        case .text(let bytes, let word):
            "The text at word \(word) has \(bytes) bytes; the maximum is \(PaintCost.maxTextBytes)."
        }
    }
}
