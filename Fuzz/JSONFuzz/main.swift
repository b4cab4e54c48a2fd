// libFuzzer entry for the JSON scanner, the protocol's decoders and the venues' parsers.
//
// Beside not crashing: what the scanner accepts as a whole value, it accepts again after being written; and whatever a
// decoder accepts can be encoded and decoded to the same message.

import MarketModel
import StreamCore

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
