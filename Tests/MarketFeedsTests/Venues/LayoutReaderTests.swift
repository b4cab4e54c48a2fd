import StreamCore
import TestKit
import Testing

@testable import MarketFeeds

@Suite("LayoutReader")
struct LayoutReaderTests {
    /// A text that is a number, or nearly so; with zeros more often than chance has them.
    private static func number(_ generator: inout SeededGenerator) -> String {
        func digits(_ count: Int) -> String {
            (0..<count).map { _ in "0012345678900".randomElement(using: &generator).map(String.init) ?? "" }.joined()
        }
        var text = Int.random(in: 0..<4, using: &generator) == 0 ? "-" : ""
        text += digits(Int.random(in: 0...19, using: &generator) / Int.random(in: 1...4, using: &generator))
        if Bool.random(using: &generator) {
            text += "." + digits(Int.random(in: 0...18, using: &generator) / Int.random(in: 1...3, using: &generator))
        }
        if Int.random(in: 0..<12, using: &generator) == 0 {
            text +=
                ["e", "E-", "e+"].randomElement(using: &generator)! + digits(Int.random(in: 0...3, using: &generator))
        }
        return text
    }

    private static let behind = ["", ",", "]", "\"", "}", "],7]", ",\"volume\":0.1}", "e", ".", " 12345678", "x\u{FF}"]

    @Test("numbers are read as any JSON's are, wherever they stand in a message", arguments: 1...5)
    func numbers(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var (decimals, wholes) = (0, 0)
        for _ in 0..<1000 {
            let before = Array(repeating: UInt8(ascii: "x"), count: Int.random(in: 0...17, using: &generator))
            let text = Self.number(&generator) + Self.behind.randomElement(using: &generator)!
            (before + Array(text.utf8)).withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[before.count...])
                /// Goes on behind the number that was read, to the end.
                func ends(_ reader: LayoutReader, after length: Int) -> Bool {
                    var reader = reader
                    return reader.match(UnsafeRawBufferPointer(rebasing: rest[length...])) && reader.isAtEnd
                }
                func reader() -> LayoutReader? {
                    var reader = LayoutReader(bytes)
                    let isThere = reader?.match(UnsafeRawBufferPointer(rebasing: bytes[..<before.count]))
                    return isThere == true ? reader : nil
                }
                if var reader = reader() {
                    let (reported, known) = (reader.decimal(), DecimalParser.parse(rest))
                    #expect(reported?.value.bitPattern == known?.value.bitPattern, "\(text)")
                    if let reported, let known {
                        let number = UnsafeRawBufferPointer(rebasing: rest[..<known.length])
                        #expect(reported.text.read(in: bytes).string == String(decoding: number, as: UTF8.self))
                        #expect(reported.decimals == VenueDecimal.decimals(of: number), "\(text)")
                        #expect(ends(reader, after: known.length), "\(text)")
                        decimals += 1
                    }
                }
                if var reader = reader() {
                    let (reported, known) = (reader.unsigned(), DecimalParser.wholeNumber(rest))
                    #expect(reported?.value == known.map { UInt64($0.value) }, "\(text)")
                    if let reported, let known {
                        #expect(reported.text.count == known.length && ends(reader, after: known.length), "\(text)")
                        wholes += 1
                    }
                }
            }
        }
        #expect(decimals > 300 && wholes > 300)
    }
}
