public import MarketModel

/// Writes market data in the compact encoding, the subprotocol `candlewire.v1.binary`. Every other message stays JSON.
///
/// A message is a head of four bytes (type, timeframe, detail, length of the symbol), the symbol, of a snapshot the epoch, and
/// words of eight bytes, little-endian: whole numbers in two's complement, the others as IEEE 754 doubles. Docs/protocol.md has
/// the layouts.
public enum BinaryMessageWriter {
    /// The name that a client offers in `Sec-WebSocket-Protocol`.
    public static let subprotocol = "candlewire.v1.binary"
    /// The longest symbol, and the longest epoch, in bytes of UTF-8. Messages about longer ones stay JSON.
    public static let maximumNameBytes = 255

    /// - Parameters:
    ///   - symbol: in UTF-8, at most `maximumNameBytes`.
    ///   - timeframe: the stream's.
    @inlinable
    public static func tick(
        _ tick: Tick, symbol: [UInt8], timeframe: Timeframe, offset: Int64, into sink: inout some ByteSink
    ) {
        head(.tick, symbol, timeframe, into: &sink)
        append((word(offset), word(tick.timestamp), word(tick.price), word(tick.volume)), to: &sink)
    }

    @inlinable
    public static func candle(_ bar: Bar, symbol: [UInt8], offset: Int64, into sink: inout some ByteSink) {
        let detail = bar.quality.rawValue | (bar.isFinal ? BinaryMessageType.finalFlag : 0)
        head(.candle, symbol, bar.timeframe, detail: detail, into: &sink)
        append((word(offset), word(Int64(bar.revision))), to: &sink)
        prices(bar.candle, into: &sink)
    }

    public static func snapshot(
        symbol: [UInt8], timeframe: Timeframe, candles: some Collection<Candle>, position: StreamPosition,
        into sink: inout some ByteSink
    ) {
        let epoch = [UInt8](position.epoch.utf8)
        precondition(epoch.count <= maximumNameBytes, "the epoch's name is too long")
        head(.snapshot, symbol, timeframe, detail: UInt8(epoch.count), into: &sink)
        epoch.withUnsafeBytes { sink.append($0) }
        append((word(position.offset), word(Int64(candles.count))), to: &sink)
        for candle in candles { prices(candle, into: &sink) }
    }

    public static func skipped(symbol: [UInt8], timeframe: Timeframe, count: Int, into sink: inout some ByteSink) {
        head(.skipped, symbol, timeframe, into: &sink)
        append(word(Int64(count)), to: &sink)
    }

    @inlinable static func head(
        _ type: BinaryMessageType, _ symbol: [UInt8], _ timeframe: Timeframe, detail: UInt8 = 0,
        into sink: inout some ByteSink
    ) {
        precondition(symbol.count <= maximumNameBytes, "the symbol is too long")
        let length = UInt8(truncatingIfNeeded: symbol.count)
        append((type.rawValue, UInt8(truncatingIfNeeded: timeframe.index), detail, length), to: &sink)
        symbol.withUnsafeBytes { sink.append($0) }
    }

    @inlinable static func prices(_ candle: Candle, into sink: inout some ByteSink) {
        append(
            (
                word(candle.timestamp), word(candle.open), word(candle.high), word(candle.low), word(candle.close),
                word(candle.volume)
            ), to: &sink)
    }

    @inlinable static func word(_ value: Double) -> UInt64 { value.bitPattern.littleEndian }
    @inlinable static func word(_ value: Int64) -> UInt64 { UInt64(bitPattern: value).littleEndian }

    @inlinable static func append<Words: BitwiseCopyable>(_ words: Words, to sink: inout some ByteSink) {
        withUnsafeBytes(of: words) { sink.append($0) }
    }
}

/// The first byte of a binary message.
@usableFromInline enum BinaryMessageType: UInt8 {
    case tick = 1
    case candle = 2
    case snapshot = 3
    case skipped = 4

    /// In the detail of a candle, beside its quality.
    @usableFromInline static let finalFlag: UInt8 = 0x80
}
