/// Writes a legend's items from left to right and breaks lines.
struct LegendPen {
    private let left: Double
    private let right: Double
    private let lineHeight: Double
    let size: Double
    private let ratio: Double
    private let fontScale: Double
    private var x: Double
    private var y: Double

    /// - Parameter top: the pane's upper edge.
    init(_ layout: Layout, top: Double = 0) {
        ratio = layout.ratio
        fontScale = layout.fontScale
        size = layout.legendFont
        left = Pixels.snap(10 * ratio)
        right = layout.plotWidth - left
        lineHeight = Pixels.snap(size * 1.5)
        x = left
        y = top + Pixels.snap((top > 0 ? 14 : 17) * ratio * max(1, layout.fontScale))
    }

    /// Goes to the next line, where something is on this one.
    @inline(never)
    mutating func line() {
        guard x > left else { return }
        x = left
        y += lineHeight
    }

    /// A name and its number, which stay together.
    @inline(never)
    mutating func pair(
        _ name: StaticString, _ theme: Theme, _ colour: Colour, _ text: inout TextBuffer,
        into list: inout DisplayList, _ value: (inout TextBuffer) -> Void
    ) {
        text.clear()
        value(&text)
        keep(TextMetrics.width(text, size: size) + size * 0.7 + 4 * ratio)
        text.clear()
        text.append(name)
        // A letter needs less room than a word.
        write(text, theme.axisText, gap: text.bytes.count > 1 ? 8 : 4, into: &list)
        text.clear()
        value(&text)
        write(text, colour, gap: 10, into: &list)
    }

    /// One item, on the next line where it does not fit on this one.
    @inline(never)
    mutating func item(_ text: TextBuffer, _ colour: Colour, gap: Double, into list: inout DisplayList) {
        keep(TextMetrics.width(text, size: size))
        write(text, colour, gap: gap, into: &list)
    }

    /// Goes to the next line where `width` does not fit on this one.
    @inline(never)
    mutating func keep(_ width: Double) {
        guard x > left, x + width > right else { return }
        line()
    }

    @inline(never)
    mutating func write(
        _ text: TextBuffer, _ colour: Colour, bold: Bool = false, gap: Double, into list: inout DisplayList
    ) {
        list.text(colour, x: x, y: y, size: size, align: .left, bold: bold, text)
        x = Pixels.snap(x + TextMetrics.width(text, size: size, bold: bold) + gap * ratio * max(1, fontScale))
    }
}
