package import MarketModel

/// How the rows of a file are to be read.
package struct CSVImportFormat: Sendable {
    package enum Content: Sendable, Equatable {
        /// Time, open, high, low, close, and perhaps volume.
        case candles(Timeframe)
        /// Time, price, and perhaps volume.
        case trades
    }

    package var content: Content
    package var columns = CSVColumnChoice()
    package var timeFormat = CSVTimeFormat.automatic
    /// The clock of times that do not say their distance from UTC.
    package var zone = CSVZone.utc
    /// The day of times that hold no date; that in the file's name where it is `nil`.
    package var day: CivilDate?
    /// What prices are multiplied by in the file: 10,000 where 67.5 is written 675000.
    package var priceScale = 1.0

    package init(_ content: Content) { self.content = content }
}

/// A row of an imported file.
package struct CSVImportRow: Sendable {
    package enum Content: Sendable {
        case candle(Candle)
        case trade(Tick)
        case rejected(CandleCSVError)
    }

    /// 1 for the first line of the file.
    package var line: Int
    package var content: Content
    /// The line as it stands; empty unless the row was rejected.
    package var text: String
}

/// Candles as the lines of a table that `candlewire import` reads back: time, open, high, low, close, volume.
///
/// Numbers are written so that reading them gives the same `Double`. Lines end with a line feed.
package struct CandleTable: Sendable {
    package var timeFormat: CSVTimeFormat
    /// The clock of the times that are written; Unix times know none.
    package var zone: CSVZone

    package init(timeFormat: CSVTimeFormat = .seconds, zone: CSVZone = .utc) {
        self.timeFormat = timeFormat
        self.zone = zone
    }

    package static let header = "timestamp,open,high,low,close,volume\n"

    /// The lines of these candles.
    package func text(_ candles: some Collection<Candle>) -> String {
        var text = ""
        text.reserveCapacity(candles.count * 64)
        for candle in candles {
            text += timeFormat.write(candle.timestamp, zone: zone)
            for value in [candle.open, candle.high, candle.low, candle.close, candle.volume] {
                text += ","
                text += StudyNotation.plain(value)
            }
            text += "\n"
        }
        return text
    }
}
