public import MarketModel

/// How the rows of a file are to be read.
public struct CSVImportFormat: Sendable {
    public enum Content: Sendable, Equatable {
        /// Time, open, high, low, close, and perhaps volume.
        case candles(Timeframe)
        /// Time, price, and perhaps volume.
        case trades
    }

    public var content: Content
    public var columns = CSVColumnChoice()
    public var timeFormat = CSVTimeFormat.automatic
    /// The clock of times that do not say their distance from UTC.
    public var zone = CSVZone.utc
    /// The day of times that hold no date; that in the file's name where it is `nil`.
    public var day: CivilDate?
    /// What prices are multiplied by in the file: 10,000 where 67.5 is written 675000.
    public var priceScale = 1.0

    public init(_ content: Content) {
        self.content = content
    }
}

/// A row of an imported file.
public struct CSVImportRow: Sendable {
    public enum Content: Sendable {
        case candle(Candle)
        case trade(Tick)
        case rejected(CandleCSVError)
    }

    /// 1 for the first line of the file.
    public var line: Int
    public var content: Content
    /// The line as it stands; empty unless the row was rejected.
    public var text: String
}
