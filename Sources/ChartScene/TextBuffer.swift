/// UTF-8 text under construction, in storage that is kept from label to label.
///
/// What writes text is not inlined: labels are few, and their code would be in every layer.
///
/// Labels are written many times a frame; a `String` each would allocate and, in WebAssembly, drag in Unicode tables.
package struct TextBuffer: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() { bytes.reserveCapacity(128) }

    /// Empties the buffer and keeps its storage.
    package mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    @inline(never)
    package mutating func append(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }

    @inline(never)
    package mutating func append(byte: UInt8) { bytes.append(byte) }

    @inline(never)
    package mutating func append(utf8: [UInt8]) { bytes.append(contentsOf: utf8) }

    /// Writes in the place of what was there.
    @inline(never)
    mutating func set(utf8: [UInt8]) {
        clear()
        append(utf8: utf8)
    }

    @inline(never)
    mutating func set(price value: Double, precision: Int) {
        clear()
        append(price: value, precision: precision)
    }

    /// An integer in decimal digits, filled with zeros in front to at least `width` digits.
    /// - Parameter grouped: with a comma between every three digits.
    @inline(never)
    package mutating func append(integer: UInt64, width: Int = 1, grouped: Bool = false) {
        let start = bytes.count
        var rest = integer
        var digits = 0
        while rest > 0 || digits < width {
            if grouped && digits > 0 && digits % 3 == 0 { bytes.append(0x2C) }
            bytes.append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
            digits += 1
        }
        var low = start
        var high = bytes.count - 1
        while low < high {
            bytes.swapAt(low, high)
            low += 1
            high -= 1
        }
    }

    /// Removes what was written after the first `count` bytes.
    mutating func truncate(to count: Int) { bytes.removeLast(max(0, bytes.count - count)) }

    /// Cuts off the end of a text that is wider than `width` at a font size, and puts an ellipsis there.
    @inline(never)
    mutating func cut(toWidth width: Double, size: Double) {
        guard TextMetrics.width(self, size: size) > width else { return }
        while !bytes.isEmpty, TextMetrics.width(self, size: size) > width - 1.02 * size {
            while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
        }
        append("…")
    }

    /// Removes zeros after the decimal point, and the point with them, from the text since `start`.
    mutating func trimDecimals(since start: Int) {
        guard bytes[start...].contains(0x2E) else { return }
        while bytes.last == 0x30 { bytes.removeLast() }
        if bytes.last == 0x2E { bytes.removeLast() }
    }
}
