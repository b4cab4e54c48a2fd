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
