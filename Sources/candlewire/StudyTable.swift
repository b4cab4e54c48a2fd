import FinanceChartsKit

/// A study's values as CSV: a line a candle.
struct StudyTable {
    let text: String

    init(_ settings: StudySettings, of candles: [Candle]) {
        var series = CandleSeries(capacity: max(1, candles.count))
        series.replaceAll(with: candles)
        var study = StudyColumns(settings)
        study.rebuild(series)

        let outputs = settings.kind.outputs
        var text = (["timestamp"] + outputs.map(\.name.description)).joined(separator: ",") + "\n"
        for bar in 0..<series.count {
            text += Self.number(series.timestamp(at: bar))
            for output in outputs.indices {
                let value = study.value(output: output, at: bar)
                text += value.isNaN ? "," : ",\(value)"
            }
            text += "\n"
        }
        self.text = text
    }

    /// Seconds without a needless `.0`.
    private static func number(_ seconds: Double) -> String {
        Int(exactly: seconds).map(String.init) ?? String(seconds)
    }
}
