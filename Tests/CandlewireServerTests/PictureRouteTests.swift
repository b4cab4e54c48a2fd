import FinanceChartsKit
import Foundation
import MarketFeeds
import Testing

@Suite("Pictures of display lists")
struct PictureRouteTests {
    private static let size = "width=400&height=300&pixel_ratio=2"

    private static func bytes(_ list: DisplayList) -> Data {
        list.words.reduce(into: Data()) { data, word in
            withUnsafeBytes(of: word.littleEndian) { data.append(contentsOf: $0) }
        }
    }

    private static var square: DisplayList {
        var list = DisplayList()
        list.fillRect(Colour(rgba: 0xFF00_FFFF), x: 10, y: 10, width: 100, height: 100)
        return list
    }

    @Test("a list comes back as SVG or PDF, with its type and in points")
    func formats() async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["SOL-USD"])) { server in
            let list = Self.bytes(Self.square)
            let (svgStatus, svgType, svg) = try await server.post("/v1/picture.svg?\(Self.size)", list)
            #expect(svgStatus == 200 && svgType == "image/svg+xml")
            let text = String(decoding: svg, as: UTF8.self).replacing(" ", with: "")
            #expect(text.contains("rgb(100%,0%,100%)") && text.contains("width=\"200px\""))
            let (pdfStatus, pdfType, pdf) = try await server.post("/v1/picture.pdf?\(Self.size)", list)
            #expect(pdfStatus == 200 && pdfType == "application/pdf" && pdf.starts(with: Array("%PDF-".utf8)))
        }
    }

    @Test("what is wrong with a request names the field")
    func errors() async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["SOL-USD"])) { server in
            let list = Self.bytes(Self.square)
            for (query, body, status, field) in [
                ("height=300&pixel_ratio=2", list, 400, "width"),
                ("width=0&height=300&pixel_ratio=2", list, 400, "width"),
                ("width=400&height=x&pixel_ratio=2", list, 400, "height"),
                ("width=400&height=300&pixel_ratio=nan", list, 400, "pixel_ratio"),
                ("width=8000&height=8000&pixel_ratio=2", list, 400, "width"),
                (Self.size, Data(), 400, "body"), (Self.size, list.dropLast(), 400, "body"),
                (Self.size, list + [9, 1, 0, 0], 400, "body"), (Self.size, Data("not a list".utf8), 400, "body"),
                (Self.size, Data(repeating: 8, count: 5 << 20), 413, "body"),
            ] {
                let (code, _, answer) = try await server.post("/v1/picture.svg?\(query)", body)
                let error = (try JSONSerialization.jsonObject(with: answer) as? [String: [String: String]])?["error"]
                #expect(code == status && error?["field"] == field && error?["message"]?.isEmpty == false, "\(query)")
            }
        }
    }

    @Test("a list that is too complex is refused before it is painted, with the limit and the word")
    func tooComplex() async throws {
        var lines = Self.square
        lines.beginSegments(Colour(rgb: 0xFF0000), width: 1, dashOn: 0.5, dashOff: 0.5)
        for _ in 0..<20_000 { lines.segment(x1: 0, y1: 0, x2: 400, y2: 300) }
        lines.end()
        // text, colour, x, y, size, left, bytes, and one word with a letter
        var fonts = DisplayList()
        for size in 1...65 {
            let text: [UInt32] = [6 | 8 << 8, 0xFF00_00FF, 0, 0, Float(size).bitPattern, 0, 1, 0x41]
            fonts.append(DisplayList(words: text))
        }
        let long = DisplayList(words: [6 | 507 << 8, 0xFF00_00FF, 0, 0, Float(12).bitPattern, 0, 2000])
        let padded = DisplayList(words: long.words + [UInt32](repeating: 0x4141_4141, count: 500))
        try await RunningServer.with(feed: .simulated(symbols: ["SOL-USD"])) { [lines, fonts] server in
            for (list, words) in [
                (lines, "word 6 on: it costs"), (fonts, "size or weight of text at word 512; the maximum is 64"),
                (padded, "The text at word 0 has 2000 bytes; the maximum is 1000"),
            ] {
                for format in ["svg", "pdf"] {
                    let (code, _, answer) = try await server.post(
                        "/v1/picture.\(format)?\(Self.size)", Self.bytes(list))
                    let errors = try JSONSerialization.jsonObject(with: answer) as? [String: [String: String]]
                    let error = try #require(errors?["error"])
                    #expect(code == 422 && error["code"] == "too_complex" && error["field"] == "body")
                    #expect(error["message"]?.contains(words) == true, "\(error)")
                }
            }
        }
    }

    @Test("a page of elsewhere may not change anything; programs and the server's own page may")
    func origins() async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["SOL-USD"])) { server in
            let list = Self.bytes(Self.square)
            let path = "/v1/picture.svg?\(Self.size)"
            for (origin, status) in [
                ("https://evil.example", 403), ("null", 403), ("http://127.0.0.1:\(server.port)", 200),
                ("http://localhost:5173", 200),
            ] {
                let (code, _, _) = try await server.post(path, list, headers: ["Origin": origin])
                #expect(code == status, "\(origin)")
            }
        }
    }
}
