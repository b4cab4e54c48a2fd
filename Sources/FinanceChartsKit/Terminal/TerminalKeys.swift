/// A key as a terminal sends it.
package enum TerminalKey: Sendable, Equatable {
    case up, down, left, right
    /// A key of the ASCII table.
    case character(Character)
}

/// Reads keys from a terminal's bytes, however they are cut.
///
/// Arrows come as `ESC [ A` or `ESC O A` (ECMA-48 and DEC). Other sequences, and bytes beyond ASCII, are left out.
package struct TerminalKeys: Sendable {
    private enum State { case plain, escape, sequence }

    private var state = State.plain

    package init() {}

    /// - Returns: the keys that these bytes complete.
    package mutating func decode(_ bytes: some Sequence<UInt8>) -> [TerminalKey] {
        var keys: [TerminalKey] = []
        for byte in bytes {
            switch state {
            case .plain:
                if byte == 0x1B {
                    state = .escape
                } else if byte < 0x7F {
                    keys.append(.character(Character(Unicode.Scalar(byte))))
                }
            case .escape:
                if byte == 0x5B || byte == 0x4F {
                    state = .sequence
                } else if byte != 0x1B {
                    // An escape key alone, then this one.
                    state = .plain
                    if byte < 0x7F { keys.append(.character(Character(Unicode.Scalar(byte)))) }
                }
            case .sequence:
                guard (0x40...0x7E).contains(byte) else { continue }
                state = .plain
                switch byte {
                case 0x41: keys.append(.up)
                case 0x42: keys.append(.down)
                case 0x43: keys.append(.right)
                case 0x44: keys.append(.left)
                default: break
                }
            }
        }
        return keys
    }
}
