import CandlewireUI
import Foundation
import Testing
import TradingCore

@testable import CandlewireUI

@Suite("Numbers as a person reads and types them")
struct FormatsTests {
    let english = Formats(locale: Locale(identifier: "en_US"), timeZone: .gmt)
    let german = Formats(locale: Locale(identifier: "de_DE"), timeZone: .gmt)

    @Test(
        "Prices and percentages",
        arguments: [
            (67_234.5, 2, "67,234.50"), (0.125, 2, "0.13"), (-12.5, 1, "-12.5"), (1e9, 0, "1,000,000,000"),
        ])
    func prices(value: Double, precision: Int, text: String) {
        #expect(english.price(value, precision: precision) == text)
    }

    @Test(
        "A change has a sign unless it is shown as zero",
        arguments: [
            (1.236, "+1.24%"), (-1.236, "−1.24%"), (0.001, "0.00%"), (-0.001, "0.00%"), (0, "0.00%"),
        ])
    func percent(value: Double, text: String) {
        #expect(english.percent(value) == text)
        #expect((Movement(text) == .flat) == (text == "0.00%"))
    }

    @Test("What is not known is a dash")
    func unknown() {
        #expect(english.price(nil, precision: 2) == "–")
        #expect(english.price(.nan, precision: 2) == "–")
        #expect(english.percent(nil) == "–")
        #expect(english.volume(nil) == "–")
        #expect(english.money(nil, "USD") == "– USD")
    }

    @Test(
        "Money is exact to its last digit",
        arguments: [
            ("12345678901234567.89", "USD", "12,345,678,901,234,567.89 USD"), ("-0.004", "USD", "0.00 USD"),
            ("-4.2", "EUR", "−4.20 EUR"), ("0.12345678", "BTC", "0.12345678 BTC"),
            ("1204.5", "FDUSD", "1,204.50 FDUSD"),
        ])
    func money(value: String, currency: String, text: String) {
        #expect(english.money(ExactDecimal(value), currency) == text)
    }

    @Test("A quantity has all its digits", arguments: ["0.1", "1234.00000001", "5", "0.0000000000000001"])
    func quantities(value: String) {
        let text = english.exact(ExactDecimal(value))
        #expect(text.replacing(",", with: "") == value)
        #expect(english.number(text) == ExactDecimal(value))
    }

    @Test(
        "Numbers are read in the locale's writing",
        arguments: [
            ("67,250.50", "67250.5"), ("1.5", "1.5"), (".5", "0.5"), (" 3 ", "3"), ("1,234,567", "1234567"),
            ("1,5", nil), ("12,34", nil), ("1,2345", nil), ("", nil), ("abc", nil), ("1.2.3", nil), ("1e5", nil),
            (",5", nil),
        ] as [(String, String?)])
    func readsEnglish(text: String, value: String?) {
        #expect(english.number(text) == value.flatMap { ExactDecimal($0) })
    }

    @Test(
        "A decimal comma is never read as a mark between thousands",
        arguments: [
            ("67.250,50", "67250.5"), ("1,5", "1.5"), ("1.5", nil), ("1.500", "1500"),
        ] as [(String, String?)])
    func readsGerman(text: String, value: String?) {
        #expect(german.number(text) == value.flatMap { ExactDecimal($0) })
    }

    @Test(
        "Arguments go where the text has places for them",
        arguments: [
            ("%@ at %@", ["a", "b"], "a at b"), ("%2$@: %1$@", ["a", "b"], "b: a"), ("100 %", [], "100 %"),
            ("%@ and %@", ["a"], "a and %@"), ("%@", ["%@"], "%@"), ("%9$@", ["a"], "%9$@"),
        ])
    func phrases(text: String, arguments: [String], filled: String) {
        #expect(fill(text, with: arguments) == filled)
    }
}
