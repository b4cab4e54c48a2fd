import MarketModel

/// A series as one line of Unicode braille (U+2800 to U+28FF), for braille displays and terminals.
///
/// A cell stands for two values, each a column of one to four dots from the bottom: one is the lowest quarter of the range,
/// four the highest. A series of equal values has columns of two dots. A braille display has 14 to 80 cells, so a line
/// alone is coarse: `words` has the numbers.
public enum BrailleLine {
    /// Dots 7, 3, 2, 1 and 8, 6, 5, 4: the columns of a cell from the bottom, as bits of its code.
    private static let columns: [[UInt32]] = [[0x40, 0x04, 0x02, 0x01], [0x80, 0x20, 0x10, 0x08]]

    /// - Parameters:
    ///   - values: oldest first. Where there are more than two a cell, each column is the last one of its share, as a longer
    ///     timeframe's close would be. Values that are not finite are left out.
    ///   - cells: the longest line.
    /// - Returns: at most `cells` characters; empty without values.
    public static func text(_ values: some Sequence<Double>, cells: Int = 40) -> String {
        let finite = values.filter(\.isFinite)
        let count = min(finite.count, 2 * max(0, cells))
        guard count > 0, let low = finite.min(), let high = finite.max() else { return "" }
        var text = String.UnicodeScalarView()
        var cell: UInt32 = 0
        for column in 0..<count {
            let value = finite[(column + 1) * finite.count / count - 1]
            let part = high > low ? value / (high - low) - low / (high - low) : 0.25
            for dot in 0..<min(4, 1 + Int(4 * part)) { cell |= columns[column % 2][dot] }
            if column % 2 == 1 || column == count - 1 {
                if let scalar = Unicode.Scalar(0x2800 + cell) { text.append(scalar) }
                cell = 0
            }
        }
        return String(text)
    }

    /// The range and the direction in words: `lowest 101.20, highest 110.50, last 108.00, up 3.20%.`
    /// - Parameter precision: decimals of a value.
    /// - Returns: an empty text without values.
    public static func words(_ values: some Sequence<Double>, precision: Int) -> String {
        let finite = values.filter(\.isFinite)
        guard let first = finite.first, let last = finite.last, let low = finite.min(), let high = finite.max() else {
            return ""
        }
        func text(_ value: Double) -> String { ChartHeadline.text(value, precision) }
        let numbers = "lowest \(text(low)), highest \(text(high)), last \(text(last))"
        let percent = first > 0 ? (last / first - 1) * 100 : 0
        let size = ChartHeadline.text(percent.magnitude, 2)
        return "\(numbers), " + (size == "0.00" ? "unchanged." : "\(percent > 0 ? "up" : "down") \(size)%.")
    }
}
