public import MarketModel

/// Bars and studies as a table: a line a bar, comma-separated, with a header (RFC 4180).
///
/// ```swift
/// let text = BarsCSV.text(series, studies: [StudySettings(.rsi), StudySettings(.bollinger)])
/// // timestamp,open,high,low,close,volume,rsi_14,bollinger_20_2_upper,…
/// ```
///
/// Times are seconds since 1970 UTC. Numbers are written so that reading them gives the same `Double`; where a study
/// has no value yet, the field is empty. `CandleCSV` reads the bars back.
public enum BarsCSV {
    /// The table of the newest bars.
    /// - Parameter newest: how many bars; `nil` for all. Studies are computed from all of them in any case.
    /// - Complexity: O(bars × studies)
    public static func text(_ series: CandleSeries, studies: [StudySettings] = [], newest: Int? = nil) -> String {
        let columns = studies.map { settings in
            var columns = StudyColumns(settings)
            columns.rebuild(series)
            return columns
        }
        var text = header(studies)
        text.reserveCapacity(text.utf8.count + series.count * (80 + 20 * columns.count))
        for index in max(0, series.count - max(0, newest ?? series.count))..<series.count {
            let bar = series[index]
            text += StudyNotation.plain(bar.timestamp)
            for value in [bar.open, bar.high, bar.low, bar.close, bar.volume] {
                text += "," + StudyNotation.plain(value)
            }
            for column in columns {
                for output in column.settings.kind.outputs.indices {
                    let value = column.value(output: output, at: index)
                    text += value.isFinite ? "," + StudyNotation.plain(value) : ","
                }
            }
            text += "\r\n"
        }
        return text
    }

    /// The names of a study's columns: `rsi_14`, and with the output's name where there are several.
    public static func columnNames(_ settings: StudySettings) -> [String] {
        let stem = StudyNotation.parts(settings).joined(separator: "_")
        let outputs = settings.kind.outputs
        guard outputs.count > 1 else { return [stem] }
        return outputs.map { stem + "_" + "\($0.name)".lowercased().replacing("%", with: "").replacing(" ", with: "_") }
    }

    private static func header(_ studies: [StudySettings]) -> String {
        var names = ["timestamp", "open", "high", "low", "close", "volume"]
        for study in studies { names += columnNames(study) }
        return names.joined(separator: ",") + "\r\n"
    }
}
