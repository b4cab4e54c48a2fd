// libFuzzer entry for the JSON scanner and the protocol's decoders, of both encodings.
//
// Beside not crashing: what the scanner accepts as a whole value, it accepts again after being written; and whatever a
// decoder accepts can be encoded and decoded to the same message.

import MarketModel
import StreamCore

/// - Returns: `nil` for what a server does not write.
private func binary(_ message: ServerMessage) -> [UInt8]? {
    var bytes: [UInt8] = []
    // Ill-formed UTF-8 is repaired, which makes it longer.
    func name(_ text: String) -> [UInt8]? {
        text.utf8.count <= BinaryMessageWriter.maximumNameBytes ? Array(text.utf8) : nil
    }
    switch message {
    case .tick(let symbol, let timeframe?, let tick, let offset?):
        guard let symbol = name(symbol) else { return nil }
        BinaryMessageWriter.tick(tick, symbol: symbol, timeframe: timeframe, offset: offset, into: &bytes)
    case .candle(let symbol, let bar, let offset?):
        guard let symbol = name(symbol) else { return nil }
        BinaryMessageWriter.candle(bar, symbol: symbol, offset: offset, into: &bytes)
    case .snapshot(let symbol, let timeframe?, let candles, let position?):
        guard let symbol = name(symbol), name(position.epoch) != nil else { return nil }
        BinaryMessageWriter.snapshot(
            symbol: symbol, timeframe: timeframe, candles: candles, position: position, into: &bytes)
    case .skipped(let symbol, let timeframe?, let count):
        guard let symbol = name(symbol) else { return nil }
        BinaryMessageWriter.skipped(symbol: symbol, timeframe: timeframe, count: count, into: &bytes)
    default: return nil
    }
    return bytes
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : count)

    var scanner = JSONScanner(bytes)
    if (try? scanner.skipValue()) != nil { _ = try? scanner.end() }

    if let message = try? ClientMessage.decode(bytes) {
        var written: [UInt8] = []
        ClientMessageWriter.write(message, into: &written)
        let again = try? written.withUnsafeBytes { try ClientMessage.decode($0) }
        precondition(again == message, "a client message changed on the way")
    }
    _ = try? ServerMessage.decode(bytes)

    if let message = try? ServerMessage.decode(binary: bytes), let written = binary(message) {
        let again = try? written.withUnsafeBytes { try ServerMessage.decode(binary: $0) }
        precondition(again == message, "a binary message changed on the way")
    }

    if let (value, length) = DecimalParser.parse(bytes) {
        precondition(value.isFinite && length > 0 && length <= bytes.count, "a number outside its text")
        let expected = Double(String(decoding: bytes[..<length], as: UTF8.self))
        precondition(expected == value, "a number read differently than by the standard library")
        var written: [UInt8] = []
        written.number(value)
        precondition(written.withUnsafeBytes { DecimalParser.parseWhole($0) } == value, "a number changed on the way")
    }
    return 0
}
