import MarketModel
import Testing

/// A study's values worked out by hand: bars in, one row per output, NaN written as nil.
struct WorkedExample: CustomTestStringConvertible, Sendable {
    var name: String
    var settings: StudySettings
    var closes: [Double]
    var highs: [Double]?
    var lows: [Double]?
    var volumes: [Double]?
    /// Seconds from bar to bar; the first begins at midnight UTC.
    var spacing = 60.0
    var expected: [[Double?]]

    var testDescription: String { name }

    func check() {
        let series = CandleSeries(closes: closes, highs: highs, lows: lows, volumes: volumes, spacing: spacing)
        let study = StudyColumns(settings, of: series)
        #expect(settings.kind.outputs.count == expected.count)
        for (output, row) in expected.enumerated() {
            let values = study.values(output)
            #expect(values.count == row.count)
            for (index, pair) in zip(values, row).enumerated() {
                guard let wanted = pair.1 else {
                    #expect(pair.0.isNaN, "output \(output) bar \(index)")
                    continue
                }
                #expect(
                    (pair.0 - wanted).magnitude <= 1e-12 * max(1, wanted.magnitude),
                    "output \(output) bar \(index): \(pair.0), not \(wanted)")
            }
        }
    }
}
