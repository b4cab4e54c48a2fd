/// Writes a legend's items from left to right and breaks lines. Behind them the bars are dimmed.
struct LegendPen {
    private let backing: Colour
    private let left: Double
    private let right: Double
    private let lineHeight: Double
    private let rowHeight: Double
    let size: Double
    private let ratio: Double
    private let fontScale: Double
    private(set) var x: Double
    private(set) var y: Double

    /// - Parameter top: the pane's upper edge.
    init(_ layout: Layout, _ theme: Theme, top: Double = 0) {
        backing = theme.background.withAlpha(0xD8)
        ratio = layout.ratio
        fontScale = layout.fontScale
        size = layout.legendFont
        left = Pixels.snap(10 * ratio)
        right = layout.plotWidth - left
        lineHeight = Pixels.snap(size * 1.5)
        // As high as a button that can be hit.
        rowHeight = Pixels.snap(24 * ratio * max(1, fontScale))
        x = left
        y = top + Pixels.snap((top > 0 ? 14 : 17) * ratio * max(1, layout.fontScale))
    }

    /// Goes to the next row, where something is on this one.
    @inline(never)
    mutating func row() {
        guard x > left else { return }
        y += rowHeight
        x = left
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
        x = left
        y += lineHeight
    }

    @inline(never)
    mutating func write(
        _ text: TextBuffer, _ colour: Colour, bold: Bool = false, gap: Double, into list: inout DisplayList
    ) {
        let end = Pixels.snap(x + TextMetrics.width(text, size: size, bold: bold) + gap * ratio * max(1, fontScale))
        let start = x > left ? x : Pixels.snap(left / 2)
        list.fillRect(backing, x: start, y: y - Pixels.snap(lineHeight / 2), width: end - start, height: lineHeight)
        list.text(colour, x: x, y: y, size: size, align: .left, bold: bold, text)
        x = end
    }
}

/// Where the legend names a study or a compared symbol, so that buttons can stand beside the name.
public struct LegendRow: Sendable, Equatable {
    /// The study's or the comparison's.
    public let id: Int
    /// The end of the name in CSS pixels.
    public let right: Double
    /// The middle of the line in CSS pixels.
    public let middle: Double
}
