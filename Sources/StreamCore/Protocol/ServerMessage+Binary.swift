import MarketModel

extension ServerMessage {
    /// Reads one binary frame, as `BinaryMessageWriter` writes it. What follows the known fields is ignored; a message of an
    /// unknown type or timeframe is returned as `unknown`.
    ///
    /// No allocation for ticks and candles of symbols of at most 15 bytes.
    /// - Throws: where the message ends early, or a number is not finite, which JSON does not have either.
    public static func decode(binary bytes: UnsafeRawBufferPointer) throws(WireError) -> ServerMessage {
        var fields = BinaryFields(bytes)
        let (type, timeframe) = (fields.byte(), Int(fields.byte()))
        let (detail, length) = (fields.byte(), Int(fields.byte()))
        let message: ServerMessage
        if let type = BinaryMessageType(rawValue: type), timeframe < timeframes.count {
            message = fields.message(type, timeframes[timeframe], detail: detail, symbol: fields.text(length))
        } else {
            message = .unknown(type: "binary \(type)")
        }
        if let flaw = fields.flaw {
            throw WireError(.invalidField, message: "\(flaw) at byte \(fields.flawOffset).")
        }
        return message
    }

    private static let timeframes = Timeframe.allCases
}

/// Reads a message from its beginning. What is missing reads as zero; `flaw` says so at the end.
private struct BinaryFields {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    /// The first thing that is wrong.
    private(set) var flaw: String?
    private(set) var flawOffset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    private mutating func report(_ flaw: String, at offset: Int) {
        guard self.flaw == nil else { return }
        (self.flaw, flawOffset) = (flaw, offset)
    }

    /// - Returns: where so many bytes begin; `nil` where there are fewer.
    private mutating func advance(_ count: Int) -> Int? {
        guard count <= bytes.count - offset else {
            report("The binary message ends early,", at: bytes.count)
            offset = bytes.count
            return nil
        }
        defer { offset += count }
        return offset
    }

    mutating func byte() -> UInt8 { advance(1).map { bytes[$0] } ?? 0 }

    mutating func text(_ count: Int) -> String {
        guard let start = advance(count) else { return "" }
        return String(utf8: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
    }

    private mutating func word() -> UInt64 {
        guard let start = advance(8) else { return 0 }
        return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    }

    private mutating func integer() -> Int64 { Int64(bitPattern: word()) }

    private mutating func number() -> Double {
        let value = Double(bitPattern: word())
        if !value.isFinite { report("A number of the binary message is not finite,", at: offset - 8) }
        return value
    }

    private mutating func candle() -> Candle {
        Candle(
            timestamp: number(), open: number(), high: number(), low: number(), close: number(), volume: number())
    }

    private mutating func candles() -> [Candle] {
        let count = integer()
        // Before there is memory for them.
        guard count >= 0, count <= Int64((bytes.count - offset) / 48) else {
            report("The binary message ends early,", at: bytes.count)
            return []
        }
        var candles: [Candle] = []
        candles.reserveCapacity(Int(count))
        for _ in 0..<count { candles.append(candle()) }
        return candles
    }

    /// What follows the symbol.
    mutating func message(
        _ type: BinaryMessageType, _ timeframe: Timeframe, detail: UInt8, symbol: String
    ) -> ServerMessage {
        switch type {
        case .tick:
            let offset = integer()
            let tick = Tick(timestamp: number(), price: number(), volume: number())
            return .tick(symbol: symbol, timeframe: timeframe, tick, offset: offset)
        case .candle:
            let (offset, revision) = (integer(), Int(clamping: integer()))
            // A quality that this version does not know means at least that something is unusual.
            let quality = CandleQuality(rawValue: detail & ~BinaryMessageType.finalFlag) ?? .partial
            let bar = Bar(
                timeframe: timeframe, candle: candle(), isFinal: detail >= BinaryMessageType.finalFlag,
                revision: revision, quality: quality)
            return .candle(symbol: symbol, bar, offset: offset)
        case .snapshot:
            let position = StreamPosition(epoch: text(Int(detail)), offset: integer())
            return .snapshot(symbol: symbol, timeframe: timeframe, candles: candles(), position: position)
        case .skipped: return .skipped(symbol: symbol, timeframe: timeframe, count: Int(clamping: integer()))
        }
    }
}
