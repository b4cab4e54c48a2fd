import Foundation
import Testing

@testable import FinanceChartsKit

@Suite("Errors as sentences")
struct LocalizedErrorTests {
    static let errors: [(any Error, String)] = [
        (PaintError("Cairo has no pixels to read."), "Cairo has no pixels to read."),
        (ExportError("theme", "It is not a theme."), "It is not a theme."),
        (CandleCSVError(file: "a.csv", line: 2, message: "no number"), "a.csv, line 2: no number"),
    ]

    @Test("localizedDescription is the error's sentence", arguments: errors.indices)
    func sentence(index: Int) {
        let (error, sentence) = Self.errors[index]
        #expect(error.localizedDescription == sentence)
    }

    @Test("errors of ChartScene have theirs as well")
    func document() throws {
        let error = try #require(throws: DocumentError.self) { try DrawingDocument.read("{}x".utf8) }
        #expect(error.localizedDescription == String(decoding: error.sentence, as: UTF8.self))
    }
}
