import MarketModel

/// Numbers that the page reads from this memory. `Scripts/describe-boundary` writes the page's reader from the
/// declaration: a field's name, place and type stand here and nowhere else.
///
/// Every stored field is as large as a `Double`: `Double`, `PageFlag`, `PageOptional`, `PageCase`, `PageText` or `PageOptionalText`.
protocol PageRecord: BitwiseCopyable {}

extension PageRecord {
    /// Numbers that the record occupies in memory.
    static var size: Int { MemoryLayout<Self>.size / MemoryLayout<Double>.size }

    func write(to numbers: UnsafeMutablePointer<Double>) {
        UnsafeMutableRawPointer(numbers).storeBytes(of: self, as: Self.self)
    }
}

/// `boolean` in the page.
struct PageFlag: BitwiseCopyable {
    let number: Double
    init(_ isSet: Bool) { number = isSet ? 1 : 0 }
}

/// `number` or `null` in the page.
struct PageOptional: BitwiseCopyable {
    let number: Double
    init(_ number: Double?) { self.number = number ?? .nan }
}

/// The name of a case in the page, which has to be among `PageEnums`.
struct PageCase<Value: RawRepresentable>: BitwiseCopyable where Value.RawValue == UInt8 {
    let number: Double
    init(_ value: Value) { number = Double(value.rawValue) }
}

/// `string` in the page. The bytes are the next ones of the outbox's texts.
struct PageText: BitwiseCopyable {
    let length: Double
}

/// `string` or `null` in the page; null has a negative length.
typealias PageOptionalText = PageText

/// Six numbers, as the page writes candles too.
struct CandleRecord: PageRecord {
    /// Start of the bucket, seconds since 1970 UTC.
    var timestamp: Double
    var open: Double
    var high: Double
    var low: Double
    var close: Double
    var volume: Double
}

extension CandleRecord {
    init(_ candle: Candle) {
        self.init(
            timestamp: candle.timestamp, open: candle.open, high: candle.high, low: candle.low, close: candle.close,
            volume: candle.volume)
    }
}
