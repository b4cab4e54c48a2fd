import Testing

@testable import MarketModel

@Suite("Numbers of order books")
struct BookDecimalTests {
    @Test(
        "a number keeps the digits in which it was written, and its value has none that does not count",
        arguments: [
            ("0", 0, 0), ("0.00", 0, 0), ("10.50", 105, 1), ("100", 100, 0), ("1200.0", 1200, 0), ("-0.50", -5, 1),
            ("1.1e-7", 11, 8), ("7e-7", 7, 7), ("2e-8", 2, 8), ("0.00000001", 1, 8), ("64525.30", 645_253, 1),
            ("9223372036854775807", Int64.max, 0), ("0.000000000000000001", 1, 18),
            ("1.7023900800000002", 17_023_900_800_000_002, 16), ("123456789012.00000000", 123_456_789_012, 0),
        ] as [(String, Int64, UInt8)])
    func reads(text: String, units: Int64, decimals: UInt8) throws {
        let number = try #require(BookDecimal(text))
        #expect(number.units == units && number.decimals == decimals)
        #expect(number.description == text)
    }

    @Test(
        "what is no number, or has more digits than are kept, is none",
        arguments: [
            "", "-", ".", "5.", ".5", "01", "00", "-01", "1.2.3", "abc", "1e", "1e+", "e5", "1e5e5", "1-", "+1", "--1",
            "1 ",
            "NaN", "9223372036854775808", "1e300", "1e-300", "0.0000000000000000001", "99999999999999999999",
            "0.00000000000000000000000000000000", "0x10",
        ])
    func refuses(text: String) { #expect(BookDecimal(text) == nil) }

    @Test("numbers are compared by value, however they are written")
    func compares() throws {
        let ascending = [
            "-1", "-0.5", "0", "1e-7", "0.00000011", "0.1", "0.10000001", "1", "9", "10", "64525.30", "1e5",
        ]
        let numbers = try ascending.map { try #require(BookDecimal($0)) }
        for (one, other) in zip(numbers, numbers.dropFirst()) { #expect(one < other && !(other < one) && one != other) }
        #expect(BookDecimal("1.50") == BookDecimal("1.5") && BookDecimal("1e-7") == BookDecimal("0.00000010"))
        #expect(BookDecimal("1.50")?.hashValue == BookDecimal("1.5")?.hashValue)
        #expect(BookDecimal(units: 1500, decimals: 3) == BookDecimal("1.5"))
        #expect(BookDecimal("-2.5")?.magnitude == BookDecimal("2.5") && BookDecimal("0.25")?.double == 0.25)
    }

    @Test("any number of units comes back from its text", arguments: 1...20)
    func comesBack(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<2000 {
            let digits = Int.random(in: 0...18, using: &generator)
            let number = BookDecimal(
                units: Int64.random(in: .min + 1 ... .max, using: &generator)
                    >> Int64.random(in: 0..<63, using: &generator),
                decimals: digits)
            let read = try #require(BookDecimal(number.description), "seed \(seed): \(number)")
            #expect(read == number && read.description == number.description, "seed \(seed)")
        }
    }
}
