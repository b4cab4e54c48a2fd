import ChartScene
import TestKit
import Testing

@Suite("The display list")
struct DisplayListTests {
    @Test("commands are encoded as documented")
    func encoding() {
        var text = TextBuffer()
        text.append("Grün")
        var list = DisplayList()
        list.beginRects(Colour(rgba: 0x11223344))
        list.rect(x: 1, y: 2.5, width: 3, height: 4)
        list.end()
        list.text(Colour(rgb: 0xFFFFFF), x: 5, y: 6, size: 12, align: .centre, bold: true, text)
        list.unclip()
        let one: [UInt32] = [1 | 6 << 8, 0x1122_3344, bits(1), bits(2.5), bits(3), bits(4)]
        let two: [UInt32] = [
            6 | 9 << 8, 0xFFFF_FFFF, bits(5), bits(6), bits(12), 1 | 1 << 8, 5, 0xBCC3_7247, 0x6E,
        ]
        #expect(list.words == one + two + [8 | 1 << 8])
    }

    @Test("a batch without a shape leaves no trace")
    func emptyBatch() {
        var list = DisplayList()
        list.beginRects(Colour(rgb: 0))
        list.end()
        list.beginSegments(Colour(rgb: 0), width: 1)
        list.end()
        list.end()
        #expect(list.words.isEmpty)
    }

    @Test("every command can be read back from the dump")
    func dump() {
        var text = TextBuffer()
        text.append("67,234.50")
        var list = DisplayList()
        list.clip(x: 0, y: 0, width: 10, height: 20)
        list.fillRect(Colour(rgb: 0x141414), x: 0, y: 0, width: 10, height: 20)
        list.beginSegments(Colour(rgb: 0xFF0000), width: 1, dashOn: 2, dashOff: 3)
        list.segment(x1: 0, y1: 0.5, x2: 10, y2: 0.5)
        list.end()
        list.beginPolyline(Colour(rgb: 0xFF0000), width: 1.25)
        list.point(x: 0, y: 0)
        list.point(x: -1, y: 2)
        list.end()
        list.beginPolygon(Colour(rgba: 0x00FF_0080))
        for x in 0..<3 { list.point(x: Double(x), y: Double(x * x)) }
        list.end()
        list.roundRect(Colour(rgb: 1), x: 1, y: 2, width: 3, height: 4, radius: 0.5)
        list.text(Colour(rgb: 2), x: 7, y: 8, size: 12, align: .right, text)
        list.unclip()
        #expect(
            list.dump() == """
                clip 0 0 10 20
                fillRects #141414FF
                  0 0 10 20
                segments #FF0000FF 1 2 3
                  0 0.5 10 0.5
                polyline #FF0000FF 1.25 0 0
                  0 0
                  -1 2
                fillPolygon #00FF0080
                  0 0
                  1 1
                  2 4
                roundRect #000001FF 1 2 3 4 0.5
                text #000002FF 7 8 12 right "67,234.50"
                unclip

                """)
    }

    @Test("reading stops at words that are no command")
    func foreignWords() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<5000 {
            let words = (0..<12).map { _ in
                UInt32(truncatingIfNeeded: random.next()) & random.element([0xF, 0xF0F, ~0])
            }
            _ = DisplayList(words: words).dump()
        }
        #expect(Array(DisplayList(words: [9 | 1 << 8]).commands).isEmpty)
        #expect(Array(DisplayList(words: [1 | 200 << 8, 0]).commands).isEmpty)
        #expect(Array(DisplayList(words: [0]).commands).isEmpty)
    }

    private func bits(_ value: Float) -> UInt32 { value.bitPattern }
}
