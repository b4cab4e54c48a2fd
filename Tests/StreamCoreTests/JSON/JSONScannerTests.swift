import Foundation
import StreamCore
import TestKit
import Testing

@Suite("JSONScanner")
struct JSONScannerTests {
    /// Skips the whole text; nil if it is fine.
    static func problem(_ text: String) -> JSONError.Problem? {
        text.bytes { bytes in
            var scanner = JSONScanner(bytes)
            do throws(JSONError) {
                try scanner.skipValue()
                try scanner.end()
                return nil
            } catch {
                return error.problem
            }
        }
    }

    @Test(
        "accepts what RFC 8259 allows",
        arguments: [
            "{}", "[]", " { \"a\" : [ 1 , 2.5e-3 , { } ] , \"b\" : null } \n", "true", "false", "null", "\"\"", "-0.0",
            "\"\\u00e9\\ud83d\\ude00 \\\\ \\\" \\/ \\b\\f\\n\\r\\t é😀\"", "[[[[]]]]", "{\"a\":{\"b\":{\"c\":[]}}}",
        ])
    func accepts(text: String) {
        #expect(Self.problem(text) == nil)
    }

    @Test(
        "refuses what it does not",
        arguments: [
            ("", JSONError.Problem.endOfInput), ("{", .endOfInput), ("[1,]", .unexpectedByte),
            ("{\"a\":1,}", .unexpectedByte),
            ("[1 2]", .unexpectedByte), ("{\"a\" 1}", .unexpectedByte), ("{a:1}", .wrongType), ("[1", .endOfInput),
            ("\"abc", .endOfInput), ("\"a\u{1}b\"", .controlCharacter), ("\"\\x\"", .invalidEscape),
            ("\"\\u12g4\"", .invalidEscape), ("\"\\u12", .endOfInput), ("tru", .endOfInput), ("trux", .unexpectedByte),
            ("01", .invalidNumber), ("1.e5", .invalidNumber), ("{} x", .trailingBytes), ("[,1]", .unexpectedByte),
            ("{,}", .wrongType), ("]", .unexpectedByte), ("[}", .unexpectedByte), ("+1", .unexpectedByte),
        ])
    func refuses(text: String, problem: JSONError.Problem) {
        #expect(Self.problem(text) == problem)
    }

    @Test("nesting is bounded, so that no input overflows the stack")
    func bounded() {
        #expect(Self.problem(String(repeating: "[", count: 64) + String(repeating: "]", count: 64)) == nil)
        #expect(Self.problem(String(repeating: "[", count: 100_000)) == .tooDeep)
    }

    @Test("agrees with Foundation about random mutations", arguments: 1...10)
    func agreesWithFoundation(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let base = Array(
            "{\"a\":[1,-2.5e3,true,null,\"x\\n\\u0041\"],\"b\":{\"c\":\"d\",\"e\":[]},\"long key here\":0.125}".utf8)
        for _ in 0..<3000 {
            var bytes = base
            for _ in 0..<Int.random(in: 1...2, using: &generator) {
                let at = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes.remove(at: at)
                case 1: bytes.insert(base.randomElement(using: &generator)!, at: at)
                default: bytes[at] = base.randomElement(using: &generator)!
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            // Foundation lets a comma before a closing mark pass; RFC 8259 does not.
            if text.contains(",}") || text.contains(",]") { continue }
            let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
            #expect((Self.problem(text) == nil) == (theirs != nil), "\(text)")
        }
    }

    @Test(
        "strings resolve their escapes; lone surrogates become the replacement character",
        arguments: [
            ("\"plain\"", "plain"), ("\"\\u00e9\\n\\t\\\"\\\\\\/\"", "é\n\t\"\\/"), ("\"\\ud83d\\ude00\"", "😀"),
            ("\"\\ud83dx\"", "\u{FFFD}x"), ("\"\\udc00\"", "\u{FFFD}"),
            ("\"BTC-USD and something longer\"", "BTC-USD and something longer"),
        ])
    func strings(text: String, value: String) throws {
        try text.bytes { bytes in
            var scanner = JSONScanner(bytes)
            let string = try scanner.string()
            #expect(string.string == value)
        }
    }

    @Test("keys compare with escapes resolved")
    func escapedKeys() throws {
        try "{\"s\\u0079mbol\":1}".bytes { bytes in
            var scanner = JSONScanner(bytes)
            try scanner.beginObject()
            let key = try scanner.nextKey()
            #expect(key?.equals("symbol") == true)
            #expect(key?.equals("symbols") == false)
            #expect(key?.equals("symbo") == false)
        }
    }

    @Test("a quote is found wherever it stands in the eight bytes", arguments: 0..<40)
    func stringLengths(length: Int) throws {
        let body = String(repeating: "é", count: length / 2) + String(repeating: "x", count: length % 2)
        try "\"\(body)\",\"tail\"".bytes { bytes in
            var scanner = JSONScanner(bytes)
            let string = try scanner.string().string
            #expect(string == body)
        }
    }
}
