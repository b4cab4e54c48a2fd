import FinanceChartsKit
import MarketModel
import Testing

@Suite struct BrailleLineTests {
    @Test(
        "two values are a cell, one to four dots high",
        arguments: [
            ([1, 2, 3, 4], 40, "\u{28E0}\u{28FE}"),
            ([4, 3, 2, 1], 40, "\u{28F7}\u{28C4}"),
            ([1, 4, 1], 40, "\u{28F8}\u{2840}"),
            ([5, 5], 40, "\u{28E4}"),
            ([7], 40, "\u{2844}"),
            // Three columns of a share each: the last value of it.
            ([1, 4, 4, 1, 1, 4], 1, "\u{28FF}"),
            ([], 40, ""), ([1, 2], 0, ""),
        ] as [([Double], Int, String)])
    func cells(values: [Double], cells: Int, expected: String) {
        #expect(BrailleLine.text(values, cells: cells) == expected)
    }

    /// Dots of each column, counted from the codes: an independent way back.
    private func heights(_ line: String) -> [Int] {
        line.unicodeScalars.flatMap { scalar in
            let code = scalar.value - 0x2800
            return [(code & 0x47).nonzeroBitCount, (code & 0xB8).nonzeroBitCount]
        }
    }

    @Test("higher values never have fewer dots; the ends have one and four; not finite ones are left out")
    func monotonic() {
        var random = SeededGenerator(seed: 56)
        for _ in 0..<200 {
            var values = (0..<Int(random.next() % 60) + 2).map { _ in Double(random.next() % 1000) / 7 }
            let line = BrailleLine.text(values)
            let heights = heights(line)
            for (one, other) in zip(values.indices, values.indices.dropFirst()) where values[one] <= values[other] {
                #expect(heights[one] <= heights[other])
            }
            if let low = values.min(), let high = values.max(), low < high {
                #expect(values.firstIndex(of: low).map { heights[$0] } == 1)
                #expect(values.firstIndex(of: high).map { heights[$0] } == 4)
            }
            values.insert(.nan, at: 1)
            values.append(.infinity)
            #expect(BrailleLine.text(values) == line)
        }
        #expect(BrailleLine.text((0..<1000).map(Double.init), cells: 20).count == 20)
        #expect(!BrailleLine.text([-Double.greatestFiniteMagnitude, 0, .greatestFiniteMagnitude]).isEmpty)
    }

    @Test("the words have range, last value and direction")
    func words() {
        #expect(
            BrailleLine.words([100, 120, 90, 103.2], precision: 2)
                == "lowest 90.00, highest 120.00, last 103.20, up 3.20%.")
        #expect(BrailleLine.words([2, 1], precision: 4) == "lowest 1.0000, highest 2.0000, last 1.0000, down 50.00%.")
        #expect(BrailleLine.words([2, 2], precision: 0) == "lowest 2.00, highest 2.00, last 2.00, unchanged.")
        #expect(BrailleLine.words([], precision: 2).isEmpty)
    }
}
