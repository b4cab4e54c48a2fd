import StreamCore
import TestKit
import Testing

@Suite("DecimalParser")
struct DecimalParserTests {
    @Test(
        "numbers in every JSON form",
        arguments: [
            ("0", 0.0), ("-0", -0.0), ("7", 7), ("-12.5", -12.5), ("61837.63000000", 61837.63), ("0.000007", 0.000007),
            ("1e3", 1000), ("1E+3", 1000), ("25e-2", 0.25), ("9007199254740993", 9_007_199_254_740_992),
            ("123456789012345678901234567890", 1.2345678901234568e29), ("0.1234567890123456789", 0.12345678901234568),
            ("2.2250738585072014e-308", 2.2250738585072014e-308), ("179769313486231570000e288", 1.7976931348623157e308),
            ("1732130000.123456", 1732130000.123456),
        ])
    func parses(text: String, value: Double) {
        let parsed = text.bytes { DecimalParser.parseWhole($0) }
        #expect(parsed == value)
        #expect(parsed?.sign == value.sign)
    }

    @Test(
        "what is no number is refused",
        arguments: [
            "", "-", "+1", ".5", "1.", "01", "-01", "1e", "1e+", "0x10", "NaN", "Infinity", "1e999", "-1e999", " 1",
            "1 ",
            "1,5", "--1",
        ])
    func refuses(text: String) {
        #expect(text.bytes { DecimalParser.parseWhole($0) } == nil)
    }

    @Test("agrees with the standard library on random decimals", arguments: 1...10)
    func agrees(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<2000 {
            var text = Bool.random(using: &generator) ? "-" : ""
            text += String(
                UInt64.random(in: 0...UInt64.max >> UInt64.random(in: 0...60, using: &generator), using: &generator))
            if Bool.random(using: &generator) {
                text += "."
                for _ in 0..<Int.random(in: 1...12, using: &generator) {
                    text += String(Int.random(in: 0...9, using: &generator))
                }
            }
            if Int.random(in: 0..<4, using: &generator) == 0 {
                text += "e\(Int.random(in: -30...30, using: &generator))"
            }
            #expect(text.bytes { DecimalParser.parseWhole($0) } == Double(text), "\(text)")
        }
    }

    @Test("a number ends with its last digit, whatever byte follows and however much is behind it")
    func ends() {
        let digits = Array("98765432101234567890123".utf8)
        for follower in UInt8.min...UInt8.max where follower &- 0x30 >= 10 && ![0x2E, 0x45, 0x65].contains(follower) {
            for length in 1...digits.count {
                for more in [0, 1, 5, 9] {
                    let number = digits[..<length] + [0x2E] + digits[..<(length % 11 + 1)]
                    let bytes = Array(number + [follower] + digits[..<more])
                    let text = String(decoding: number, as: UTF8.self)
                    let parsed = bytes.withUnsafeBytes { DecimalParser.parseFraction($0) }
                    let whole = digits[..<length] + [follower] + digits[..<more]
                    let read = Array(whole).withUnsafeBytes { DecimalParser.wholeNumber($0) }
                    guard parsed?.value == Double(text), parsed?.length == number.count,
                        parsed?.fractionDigits == length % 11 + 1, read?.length == (length > 18 ? nil : length),
                        read.map({ String($0.value) })
                            == read.map({ String(decoding: digits[..<$0.length], as: UTF8.self) })
                    else {
                        Issue.record("\(text), then \(follower)")
                        return
                    }
                }
            }
        }
    }

    @Test("agrees with the standard library where the digits are more than a double holds", arguments: 1...10)
    func agreesBeyond(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        for round in 0..<200 {
            // Every number of digits from 16 to 18; some halfway between two doubles, or one digit beside.
            var digits = String(UInt64.random(in: (1 << 53)..<1_000_000_000_000_000_000, using: &generator))
            if round % 2 == 0 {
                let halfway = (UInt64.random(in: (1 << 52)..<(1 << 53), using: &generator) * 2 + 1) << 3
                digits = String(halfway + UInt64.random(in: 0...2, using: &generator) - 1)
            }
            for decimals in 0...digits.count {
                var text = digits
                text.insert(".", at: text.index(text.endIndex, offsetBy: -decimals))
                if decimals == 0 { text.removeLast() }
                if decimals == digits.count { text = "0" + text }
                #expect(text.bytes { DecimalParser.parseWhole($0) } == Double(text), "\(text)")
            }
        }
    }

    @Test("what is written reads back as the same double, and as short as it can be", arguments: 1...10)
    func roundTrip(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<2000 {
            let values = [
                Double(bitPattern: generator.next()), Double.random(in: -1e6...1e6, using: &generator),
                Double(Int.random(in: 0...99_999_999, using: &generator)) / 100,
                1.7e9 + Double(Int.random(in: 0...99_999_999, using: &generator)) / 1e6,
            ]
            for value in values where value.isFinite {
                let text = written { $0.number(value) }
                #expect(text.bytes { DecimalParser.parseWhole($0) } == value, "\(text)")
                #expect(text.utf8.count <= value.description.utf8.count, "\(text)")
            }
        }
    }

    @Test(
        "numbers are written plainly",
        arguments: [
            (0.0, "0"), (-1.5, "-1.5"), (67234.5, "67234.5"), (0.25, "0.25"), (1732129980, "1732129980"),
            (1732130000.123456, "1732130000.123456"), (1e-8, "0.00000001"), (0.1, "0.1"), (.nan, "null"),
            (.infinity, "null"),
        ])
    func writes(value: Double, text: String) {
        #expect(written { $0.number(value) } == text)
    }
}
