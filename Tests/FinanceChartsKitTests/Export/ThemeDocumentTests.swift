import FinanceChartsKit
import Foundation
import Testing

@Suite("A theme as a document")
struct ThemeDocumentTests {
    static func decode(_ json: String) throws -> Theme {
        try JSONDecoder().decode(Theme.self, from: Data(json.utf8))
    }

    @Test("every preset survives a round trip", arguments: 0..<4)
    func roundTrip(number: Int) throws {
        let theme = try #require(Theme.preset(number))
        #expect(Theme.named[number].theme == theme)
        #expect(try JSONDecoder().decode(Theme.self, from: JSONEncoder().encode(theme)) == theme)
    }

    @Test("a custom theme says what differs from its base")
    func custom() throws {
        let theme = try Self.decode(##"{"base":"light","up":"#0066cc","grid":"33333380","palette":["#FFF000"]}"##)
        var expected = Theme.light
        expected.up = Colour(rgb: 0x0066CC)
        expected.grid = Colour(rgba: 0x3333_3380)
        expected.palette = [Colour(rgb: 0xFFF000)]
        #expect(theme == expected)
        #expect(try Self.decode("{}") == .dark)
    }

    @Test(
        "a document that is wrong is an error",
        arguments: [
            ##"{"base":"pink"}"##, ##"{"up":"red"}"##, ##"{"up":"#12345"}"##, ##"{"up":"#1234567"}"##, ##"{"up":5}"##,
            ##"{"up":"+123456"}"##, ##"{"palette":["x"]}"##, "[]",
        ])
    func wrong(json: String) {
        #expect(throws: DecodingError.self) { try Self.decode(json) }
    }

    @Test(
        "a colour is written as short as it can be",
        arguments: [(0x0000_00FF, "#000000"), (0x0102_0304, "#01020304")] as [(UInt32, String)])
    func colour(rgba: UInt32, text: String) {
        #expect(Colour(rgba: rgba).text == text && Colour(text: text) == Colour(rgba: rgba))
    }
}
