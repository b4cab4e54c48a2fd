/// How wide a label will be, roughly.
///
/// The engine cannot measure a font: painters differ, and the picture must not. These are the advances of the usual sans
/// serif faces, of the widest one for each character (Arial, Segoe UI, Roboto, DejaVu Sans), so that a label's box always
/// holds its text.
enum TextMetrics {
    /// Width in pixels of UTF-8 text at font size `size`. A bold line is up to a fifth wider.
    @inline(never)
    static func width(_ text: TextBuffer, size: Double, bold: Bool = false) -> Double {
        width(utf8: text.bytes, size: size, bold: bold)
    }

    static func width(utf8 bytes: [UInt8], size: Double, bold: Bool = false) -> Double {
        var em = 0.0
        for place in 0..<bytes.count { em += isMinus(bytes, at: place) ? 0.84 : advance(bytes[place]) }
        return em * size * (bold ? 1.18 : 1)
    }

    /// Whether U+2212, the only character of more than one byte that the engine itself writes, starts at `place`.
    private static func isMinus(_ bytes: [UInt8], at place: Int) -> Bool {
        bytes[place] == 0xE2 && place + 2 < bytes.count && bytes[place + 1] == 0x88 && bytes[place + 2] == 0x92
    }

    /// Advance of a character by its first UTF-8 byte, in em. Continuation bytes count nothing.
    private static func advance(_ byte: UInt8) -> Double {
        switch byte {
        case 0x30...0x39: 0.64  // digits first, which most labels are made of
        case 0x20, 0x2C, 0x2E, 0x3A, 0x27, 0x2F, 0x69, 0x6A, 0x6C: 0.34  // space , . : ' / i j l
        case 0x2D: 0.38
        case 0x66, 0x72, 0x74: 0.42  // f r t
        case 0x2B, 0x3C...0x3E, 0x77: 0.84  // + < = > w
        case 0x25, 0x4D, 0x6D: 0.98  // % M m
        case 0x40, 0x57, 0xC0...0xFF: 1.02  // @ W, and what is not ASCII
        case 0x43, 0x44, 0x47, 0x48, 0x4E, 0x4F, 0x51, 0x55: 0.79  // C D G H N O Q U
        case 0x41...0x5A: 0.7
        case 0x61...0x7A: 0.64
        case 0x80...0xBF: 0
        default: 0.6
        }
    }
}
