import Testing

@testable import ChartScene

@Suite("Numbers as text")
struct NumberTextTests {
    private func text(_ write: (inout TextBuffer) -> Void) -> String {
        var buffer = TextBuffer()
        write(&buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    @Test(
        "prices have their digits after the point and commas between thousands",
        arguments: [
            (67_234.5, 2, "67,234.50"), (0, 2, "0.00"), (-1234.567, 2, "−1,234.57"), (-0.001, 2, "0.00"),
            (999.995, 2, "1,000.00"), (1_234_567, 0, "1,234,567"), (0.00001234, 8, "0.00001234"),
            (1e14, 4, "100,000,000,000,000.0"), (1.5e20, 2, "1.5e20"), (.nan, 2, "-"), (.infinity, 2, "-"),
            (.leastNonzeroMagnitude, 10, "0.0000000000"), (12, 99, "12.0000000000"), (12.4, -3, "12"),
            (999.9999, 3, "1,000.000"),
        ])
    func prices(value: Double, precision: Int, expected: String) {
        #expect(text { $0.append(price: value, precision: precision) } == expected)
    }

    @Test(
        "volumes are short",
        arguments: [
            (0.0, "0"), (0.00421, "0.0042"), (0.5, "0.5"), (12.345, "12.35"), (999.994, "999.99"), (999.996, "1K"),
            (1234, "1.2K"), (999_949, "999.9K"), (999_951, "1M"), (3_400_000, "3.4M"), (5e9, "5B"), (6.25e12, "6.3T"),
            (.nan, "-"), (1e15, "1e15"), (1e300, "1e300"),
        ])
    func volumes(value: Double, expected: String) {
        #expect(text { $0.append(compact: value) } == expected)
    }

    @Test(
        "a change in percent has its sign",
        arguments: [
            (10_123.0, "+1.23%", PercentChange.Sign.up), (5000, "−50.00%", .down), (10_000, "0.00%", .none),
            (9999.9, "0.00%", .none), (10_000.4, "0.00%", .none), (10_000.6, "+0.01%", .up),
            (9999.4, "−0.01%", .down), (135_000, "+1,250.00%", .up), (.infinity, "-%", .none),
        ])
    func percent(close: Double, expected: String, sign: PercentChange.Sign) {
        let change = PercentChange(from: 10_000, to: close)
        #expect(text { $0.append(change) } == expected)
        #expect(change.sign == sign)
    }

    @Test("a minus is as wide as a plus, and other signs of three bytes are not taken for one")
    func minusWidth() {
        func width(_ string: String) -> Double {
            var buffer = TextBuffer()
            buffer.append(utf8: Array(string.utf8))
            return TextMetrics.width(buffer, size: 10)
        }
        #expect(width("−1.23%") == width("+1.23%"))
        #expect(width("\u{20AC}") == 10.2)
    }
}
