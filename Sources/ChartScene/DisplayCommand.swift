/// One command read back from a `DisplayList`.
public struct DisplayCommand: Sendable {
    public let opcode: DisplayOpcode
    /// The operands, without the header word; indices start at 0.
    public let operands: DisplayOperands
}

/// The words after a command's header.
public struct DisplayOperands: Sendable {
    let words: [UInt32]
    let start: Int
    /// How many words.
    public let count: Int

    /// The word at `index` as it is: a colour, a packed field.
    public func word(_ index: Int) -> UInt32 { words[start + index] }

    /// The word at `index` as a coordinate or a length, in device pixels.
    public func number(_ index: Int) -> Double { Double(Float(bitPattern: words[start + index])) }

    /// The UTF-8 bytes of a `text` command.
    public var utf8: [UInt8] {
        guard count >= 6 else { return [] }
        let length = min(Int(word(5)), (count - 6) * 4)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        for index in 0..<length {
            bytes.append(UInt8(truncatingIfNeeded: word(6 + index / 4) >> UInt32(index % 4 * 8)))
        }
        return bytes
    }
}

/// The commands of a list in drawing order. Reading stops at the first word that is no command, so words from
/// elsewhere cannot make a painter read past their end.
public struct DisplayCommands: Sequence, IteratorProtocol, Sendable {
    let words: [UInt32]
    var position = 0

    public mutating func next() -> DisplayCommand? {
        guard position < words.count else { return nil }
        let length = Int(words[position] >> 8)
        guard let opcode = DisplayOpcode(rawValue: words[position] & 0xFF),
            length >= opcode.shortestLength, position + length <= words.count
        else { return nil }
        defer { position += length }
        return DisplayCommand(
            opcode: opcode, operands: DisplayOperands(words: words, start: position + 1, count: length - 1))
    }
}

extension DisplayList {
    /// The commands, to replay them.
    public var commands: DisplayCommands { DisplayCommands(words: words) }
}

extension DisplayOpcode {
    /// Words of the shortest command of this kind, header included.
    var shortestLength: Int {
        switch self {
        case .fillRects, .fillPolygon: 2
        case .segments, .polyline, .clip: 5
        case .roundRect, .text: 7
        case .unclip: 1
        }
    }
}
