/// The list as text, for golden files that a person can compare.
extension DisplayList {
    /// One line a command and, indented, one line a shape. Coordinates have up to three decimals.
    public func dump() -> String {
        var out = TextBuffer()
        for command in commands {
            switch command.opcode {
            case .fillRects: out.shapes("fillRects", command.operands, fixed: 0, stride: 4)
            case .segments: out.shapes("segments", command.operands, fixed: 3, stride: 4)
            case .polyline: out.shapes("polyline", command.operands, fixed: 3, stride: 2)
            case .fillPolygon: out.shapes("fillPolygon", command.operands, fixed: 0, stride: 2)
            case .roundRect: out.shapes("roundRect", command.operands, fixed: 5, stride: 1)
            case .text: out.text(command.operands)
            case .clip:
                out.append("clip")
                out.numbers(command.operands, 0..<4)
                out.append("\n")
            case .unclip: out.append("unclip\n")
            }
        }
        return String(decoding: out.bytes, as: UTF8.self)
    }
}

extension TextBuffer {
    fileprivate mutating func shapes(_ name: StaticString, _ operands: DisplayOperands, fixed: Int, stride: Int) {
        append(name)
        append(" #")
        append(hexadecimal: operands.word(0))
        numbers(operands, 1..<1 + fixed)
        append("\n")
        var at = 1 + fixed
        while at + stride <= operands.count {
            append(" ")
            numbers(operands, at..<at + stride)
            append("\n")
            at += stride
        }
    }

    fileprivate mutating func text(_ operands: DisplayOperands) {
        append("text #")
        append(hexadecimal: operands.word(0))
        numbers(operands, 1..<4)
        switch operands.word(4) & 0xFF {
        case 0: append(" left")
        case 1: append(" centre")
        default: append(" right")
        }
        if operands.word(4) >> 8 == 1 { append(" bold") }
        append(" \"")
        append(utf8: operands.utf8)
        append("\"\n")
    }

    fileprivate mutating func numbers(_ operands: DisplayOperands, _ range: Range<Int>) {
        for index in range where index < operands.count {
            append(" ")
            append(shortest: operands.number(index), decimals: 3)
        }
    }

    mutating func append(hexadecimal word: UInt32, digits: Int = 8) {
        for place in stride(from: digits - 1, through: 0, by: -1) {
            let digit = UInt8(truncatingIfNeeded: word >> UInt32(place * 4) & 0xF)
            append(byte: digit < 10 ? 0x30 + digit : 0x41 + digit - 10)
        }
    }
}
