public import MarketModel

/// Candles as the lines of a table that `candlewire import` reads back: time, open, high, low, close, volume.
///
/// Numbers are written so that reading them gives the same `Double`. Lines end with a line feed.
public struct CandleTable: Sendable {
    public var timeFormat: CSVTimeFormat
    /// The clock of the times that are written; Unix times know none.
    public var zone: CSVZone

    public init(timeFormat: CSVTimeFormat = .seconds, zone: CSVZone = .utc) {
        self.timeFormat = timeFormat
        self.zone = zone
    }

    public static let header = "timestamp,open,high,low,close,volume\n"

    public func append(_ candle: Candle, to text: inout String) {
        text += timeFormat.write(candle.timestamp, zone: zone)
        for value in [candle.open, candle.high, candle.low, candle.close, candle.volume] {
            text += ","
            text += StudyNotation.plain(value)
        }
        text += "\n"
    }
}
