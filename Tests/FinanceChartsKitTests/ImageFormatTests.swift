import FinanceChartsKit
import Testing

@Suite("The format of a picture")
struct ImageFormatTests {
    @Test(
        "comes from the path's extension",
        arguments: [
            ("x.png", .png), ("/a/b.c/x.SVG", .svg), ("chart.2024.Pdf", .pdf), ("x.jpg", nil), ("x", nil), ("", nil),
            ("/a.png/x", nil), ("png", nil), ("x.", nil),
        ] as [(String, ImageFormat?)])
    func path(path: String, expected: ImageFormat?) {
        #expect(ImageFormat(path: path) == expected)
    }
}
