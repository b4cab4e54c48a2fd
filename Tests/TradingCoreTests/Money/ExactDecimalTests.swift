import Foundation
import TestKit
import Testing
import TradingCore

@Suite("Exact decimals")
struct ExactDecimalTests {
    @Test(
        "a text is read as it is written, and printed in the shortest plain notation",
        arguments: [
            ("0", "0"), ("-0", "0"), ("+7", "7"), ("007.50", "7.5"), ("111.725", "111.725"), ("1e3", "1000"),
            ("1.25e-3", "0.00125"), ("12.5E+1", "125"), ("-0.0000000000000001", "-0.0000000000000001"),
            ("10000000000000000000000", "10000000000000000000000"), ("1e22", "10000000000000000000000"),
            ("-1e22", "-10000000000000000000000"),
            (
                "9999999999999999999999.9999999999999999",
                "9999999999999999999999.9999999999999999"
            ),
            ("1.50000000000000000000000", "1.5"), ("0e999999999999", "0"), ("100e-18", "0.0000000000000001"),
            ("0.000", "0"),
        ])
    func reads(text: String, printed: String) {
        #expect(ExactDecimal(text)?.description == printed)
    }

    @Test(
        "for people the digits before the point are in groups of three",
        arguments: [
            ("0", "0"), ("999.5", "999.5"), ("-1000", "-1,000"), ("67151.08", "67,151.08"), ("123456", "123,456"),
            ("-0.0000123", "-0.0000123"), ("1e22", "10,000,000,000,000,000,000,000"),
        ])
    func grouped(text: String, printed: String) {
        #expect(d(text).grouped == printed)
    }

    @Test(
        "what is no decimal, has too many decimals or is out of range is refused",
        arguments: [
            "", "-", "+", ".", "1.", ".5", "1..2", "1.2.3", "1e", "1e+", "e3", "0x10", "1 ", " 1", "1,5", "NaN", "inf",
            "1e23", "10000000000000000000000.1", "10000000000000000000001", "0.00000000000000001", "1e-17",
            "1e99999999999",
            "99999999999999999999999999999999999999999999", "--1", "1-", "٣",
        ])
    func refuses(text: String) {
        #expect(ExactDecimal(text) == nil)
    }

    @Test(
        "a double becomes the decimal that it prints as",
        arguments: [
            (0.1, "0.1"), (67234.5, "67234.5"), (-0.0, "0"), (1e-8, "0.00000001"),
            (123_456_789.123_456_7, "123456789.1234567"),
            (1e22, "10000000000000000000000"), (3456.78, "3456.78"), (0.000_123_45, "0.00012345"),
            (999_999_999_999_999.0, "999999999999999"), (9_007_199_254_740_993.0, "9007199254740992"),
        ])
    func doubles(value: Double, printed: String) {
        #expect(ExactDecimal(value)?.description == printed)
    }

    @Test("a double of too many decimals has no exact decimal, but a nearest")
    func computedDoubles() {
        #expect(ExactDecimal(0.1 + 0.2) == nil)
        #expect(ExactDecimal(nearest: 0.1 + 0.2) == d("0.3"))
        #expect(ExactDecimal(nearest: 1e-20) == .zero)
        for value in [Double.nan, .infinity, -.infinity, 1e23, .greatestFiniteMagnitude] {
            #expect(ExactDecimal(value) == nil)
            #expect(ExactDecimal(nearest: value) == nil)
        }
        #expect(ExactDecimal(Double.leastNonzeroMagnitude) == nil)
    }

    @Test("any double within 16 decimals goes to a decimal and back unchanged", arguments: [UInt64(1), 2, 3])
    func doubleRoundTrip(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var exact = 0
        for _ in 0..<20_000 {
            let places = Int.random(in: 0...9, using: &random)
            let value =
                Double(Int64.random(in: -1_000_000_000_000_000...1_000_000_000_000_000, using: &random))
                / pow(10, Double(places))
            let wild = Double(bitPattern: random.next())
            for value in [value, wild] {
                guard let decimal = ExactDecimal(value) else { continue }
                exact += 1
                #expect(decimal.doubleValue == value)
                #expect(decimal == ExactDecimal(value.description), "the fast way and the text agree")
            }
        }
        #expect(exact >= 20_000)
    }

    @Test(
        "rounding follows its rule on both sides of zero",
        arguments: [
            (DecimalRounding.halfUp, "2.5", "3"), (.halfUp, "-2.5", "-3"), (.halfEven, "2.5", "2"),
            (.halfEven, "3.5", "4"),
            (.halfEven, "-2.5", "-2"), (.halfEven, "2.51", "3"), (.down, "2.9", "2"), (.down, "-2.9", "-2"),
            (.up, "2.1", "3"),
            (.up, "-2.1", "-3"), (.floor, "-2.1", "-3"), (.floor, "2.9", "2"), (.ceiling, "-2.9", "-2"),
            (.ceiling, "2.1", "3"),
            (.up, "2", "2"), (.halfUp, "0.4999999999999999", "0"),
        ])
    func rounds(rule: DecimalRounding, value: String, result: String) throws {
        #expect(try d(value).rounded(decimals: 0, rounding: rule) == d(result))
    }

    @Test("a profit to the cent: 111.725 is shown as 111.73")
    func cents() throws {
        #expect(try d("111.725").rounded(decimals: 2) == d("111.73"))
        #expect(try d("-111.725").rounded(decimals: 2) == d("-111.73"))
        #expect(try d("111.725").rounded(decimals: 16) == d("111.725"))
        #expect(try d("111.725").rounded(decimals: 99) == d("111.725"))
    }

    @Test(
        "sums, products and quotients of random decimals equal those of Foundation's Decimal",
        arguments: [UInt64(11), 12])
    func againstDecimal(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func number(_ digits: Int, _ places: Int) -> String {
            let units = Int64.random(in: 0..<Int64(pow(10, Double(digits))), using: &random)
            let text = String(repeating: "0", count: max(0, places + 1 - "\(units)".count)) + "\(units)"
            let point = text.index(text.endIndex, offsetBy: -places)
            let sign = Bool.random(using: &random) ? "-" : ""
            return places == 0 ? sign + text : sign + text[..<point] + "." + text[point...]
        }
        for _ in 0..<3000 {
            let (a, b) = (number(14, 8), number(14, 8))
            let (x, y) = (Decimal(string: a)!, Decimal(string: b)!)
            #expect(Decimal(string: try (d(a) + d(b)).description) == x + y)
            #expect(Decimal(string: try (d(a) - d(b)).description) == x - y)
            #expect(Decimal(string: try d(a).multiplied(by: d(b)).description) == x * y, "\(a) * \(b)")
            if y != 0 {
                // The definition of division, in exact arithmetic: quotient * divisor is within half a unit.
                let quotient = try d(a).divided(by: d(b), decimals: 6, rounding: .down)
                let rest = x - Decimal(string: quotient.description)! * y
                #expect(rest.magnitude < y.magnitude * Decimal(string: "0.000001")!, "\(a) / \(b)")
                #expect(rest == 0 || (rest < 0) == (x < 0), "\(a) / \(b)")
            }
        }
    }

    @Test("products of 256 bits are exact: (a * b) / b is a")
    func wideProducts() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<5000 {
            let a = ExactDecimal(
                "\(Int.random(in: 1...999_999_999_999_999, using: &random))e-\(Int.random(in: 0...16, using: &random))")!
            let b = ExactDecimal(
                "\(UInt64.random(in: 1...UInt64.max, using: &random))e-\(Int.random(in: 0...16, using: &random))")!
            #expect(try a.multiplied(by: b, over: b) == a)
            #expect(try (-a).multiplied(by: -b, over: b) == a)
            #expect(try a.multiplied(by: .greatest, over: .greatest) == a)
        }
        #expect(try ExactDecimal.greatest.multiplied(by: .greatest, over: .greatest) == .greatest)
        #expect(try ExactDecimal.greatest.divided(by: .greatest) == 1)
    }

    @Test("a part of an amount is the same by a divisor of 64 bits and by one of 128")
    func divisors() throws {
        var random = SeededGenerator(seed: 6)
        let factor: ExactDecimal = 1_048_576
        for _ in 0..<5000 {
            let a = ExactDecimal(
                "\(Int.random(in: 1...999_999_999_999_999, using: &random))e-\(Int.random(in: 0...16, using: &random))")!
            let (b, c) = (
                ExactDecimal("\(Int.random(in: 1...Int.max, using: &random))e-14")!,
                ExactDecimal("\(Int.random(in: 1...Int.max, using: &random))e-16")!
            )
            let (wideB, wideC) = (try b.multiplied(by: factor), try c.multiplied(by: factor))
            for rounding in [DecimalRounding.halfEven, .up, .down] {
                let part = try? a.multiplied(by: b, over: c, rounding: rounding)
                #expect(part == (try? a.multiplied(by: wideB, over: wideC, rounding: rounding)), "\(a) * \(b) / \(c)")
            }
        }
    }

    @Test("what leaves the range or divides by zero throws, and nothing traps")
    func overflow() {
        let greatest = ExactDecimal.greatest
        let least = d("0.0000000000000001")
        #expect(throws: DecimalError.outOfRange) { try greatest + greatest }
        #expect(throws: DecimalError.outOfRange) { try greatest + least }
        #expect(throws: DecimalError.outOfRange) { try -greatest - least }
        #expect(throws: DecimalError.outOfRange) { try greatest.multiplied(by: greatest) }
        #expect(throws: DecimalError.outOfRange) { try greatest.multiplied(by: d("1.0000000000000001")) }
        #expect(throws: DecimalError.outOfRange) { try greatest.divided(by: least) }
        #expect(throws: DecimalError.outOfRange) { try greatest.divided(by: least, decimals: 0) }
        #expect(throws: DecimalError.outOfRange) { try greatest.multiplied(by: greatest, over: least) }
        #expect(throws: DecimalError.divisionByZero) { try greatest.divided(by: .zero) }
        #expect(throws: DecimalError.divisionByZero) { try ExactDecimal.zero.multiplied(by: 1, over: .zero) }
        #expect(throws: Never.self) { try greatest - greatest }
    }

    @Test("on the wire it is a string, and a number is read too")
    func codable() throws {
        let encoder = JSONEncoder()
        #expect(
            String(decoding: try encoder.encode([d("111.725"), d("-1e22")]), as: UTF8.self)
                == #"["111.725","-10000000000000000000000"]"#)
        let read = try JSONDecoder().decode(
            [ExactDecimal].self, from: Data(#"["111.725", 0.1, 42, -3.5e2, "1e-3"]"#.utf8))
        #expect(read == [d("111.725"), d("0.1"), 42, -350, d("0.001")])
        for bad in [#"["x"]"#, #"["1e40"]"#, "[1e40]", "[true]", "[null]", "[{}]"] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode([ExactDecimal].self, from: Data(bad.utf8)) }
        }
    }

    @Test("money of two currencies has no sum")
    func money() throws {
        #expect(try Money(d("0.1"), "USD") + Money(d("0.2"), "USD") == Money(d("0.3"), "USD"))
        #expect(try Money(1, "USD") - Money(3, "USD") == Money(-2, "USD"))
        #expect(throws: MoneyError.differentCurrencies("USD", "EUR")) { try Money(1, "USD") + Money(1, "EUR") }
        #expect(throws: MoneyError.outOfRange) { try Money(.greatest, "USD") + Money(1, "USD") }
    }
}
