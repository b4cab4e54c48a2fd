import CZlib
import Foundation
import MarketFeeds
import Testing

@testable import CandlewireServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The page inside a program")
struct PageArchiveTests {
    private static let index = "<!doctype html>\n<title>page</title>\n"
    private static let module = "export const answer = 42;\n"

    private static func text(
        head: String = "candlewire page 1\n1700000000\n", size: Int? = nil, name: String = "index.html"
    ) -> String {
        "\(head)\(size ?? index.utf8.count) \(name)\n\(module.utf8.count) engine/deep/answer.js\n\n\(index)\(module)"
    }

    private static func archive(_ text: String) throws -> PageArchive {
        try PageArchive(Array(text.utf8))
    }

    @Test("a server has its files, its folders and their types, answers 304 to who has them, and parts of them")
    func served() async throws {
        let page = try Self.archive(Self.text())
        try await RunningServer.with(feed: try FeedSpecification("sim:BTC-USD"), page: page) { server in
            let root = try await server.answer("/")
            #expect(root.status == 200 && root.type?.hasPrefix("text/html") == true)
            #expect(String(decoding: root.body, as: UTF8.self) == Self.index)
            let module = try await server.answer("/engine/deep/answer.js")
            #expect(module.status == 200 && module.type?.contains("javascript") == true)
            #expect(String(decoding: module.body, as: UTF8.self) == Self.module)
            let part = try await server.send("GET", "/index.html", headers: ["Range": "bytes=2-8"])
            #expect(part.status == 206 && String(decoding: part.body, as: UTF8.self) == "doctype")
            let last = try await server.send("GET", "/index.html", headers: ["Range": "bytes=30-5000"])
            #expect(last.status == 206 && String(decoding: last.body, as: UTF8.self) == Self.index.dropFirst(30))
            let known = ["If-Modified-Since": "Wed, 15 Nov 2023 00:00:00 GMT"]
            #expect(try await server.send("GET", "/index.html", headers: known).status == 304)
            for path in ["/missing.js", "/engine/deep/", "/engine/answer.js", "/%2e%2e/index.html"] {
                #expect([400, 404].contains(try await server.answer(path).status), "\(path)")
            }
            // A range behind the end.
            let behind = try await server.send("GET", "/index.html", headers: ["Range": "bytes=9000-9001"])
            #expect(behind.status == 416)
        }
    }

    @Test("a browser keeps a file whose name has the hash of its content, and asks again for every other one")
    func kept() async throws {
        let kept = ["main-0123456789abcdef.js", "deep/style-a1b2c3d4e5f60718.css"]
        let others = ["index.html", "main-0123456789abcdeg.js", "main-12.js", "deep-0123456789abcdef/main.js"]
        let lines = (kept + others).map { "1 \($0)\n" }.joined()
        let contents = String(repeating: "x", count: kept.count + others.count)
        let page = try Self.archive("candlewire page 1\n1700000000\n\(lines)\n\(contents)")
        try await RunningServer.with(feed: try FeedSpecification("sim:BTC-USD"), page: page) { server in
            for name in kept + others {
                let expected = kept.contains(name) ? "max-age=31536000, immutable" : "no-cache"
                #expect(try await Self.caching(of: name, on: server) == "200 \(expected)", "\(name)")
                let again = try await Self.caching(of: name, on: server, since: "Wed, 15 Nov 2023 00:00:00 GMT")
                #expect(again == "304 \(expected)", "\(name)")
            }
            #expect(try await Self.caching(of: "gone-0123456789abcdef.js", on: server) == "404 no-store")
        }
    }

    /// Status and `Cache-Control` of an answer.
    private static func caching(
        of name: String, on server: RunningServer, since: String? = nil
    ) async throws -> String {
        var request = URLRequest(url: URL(string: "http://127.0.0.1:\(server.port)/\(name)")!)
        request.cachePolicy = .reloadIgnoringLocalCacheData
        request.setValue(since, forHTTPHeaderField: "If-Modified-Since")
        let answer = try await URLSession.shared.data(for: request).1 as? HTTPURLResponse
        return "\(answer?.statusCode ?? 0) \(answer?.value(forHTTPHeaderField: "Cache-Control") ?? "")"
    }

    @Test(
        "an archive that is not whole is refused",
        arguments: [
            text(head: "candlewire page 2\n1700000000\n"), text(head: "candlewire page 1\nyesterday\n"),
            text(size: index.utf8.count + 1), text(size: -1), text(size: .max), text(name: "start.html"),
            String(text().dropLast()), text() + " ", "", "candlewire page 1\n1700000000\n\n",
        ])
    func damaged(text: String) {
        #expect { _ = try Self.archive(text) } throws: { ($0 as? ServerError)?.kind == .page }
    }

    @Test("the archive is found in the section of a program file, and unpacked")
    func section() throws {
        let packed = packed(Self.text())
        let found = try #require(
            try PageArchive.of(program: elf([(".text", [1]), (".candlewire_page", packed), (".symtab", [])])))
        #expect(found.modificationDate == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(try PageArchive.of(program: elf([(".text", [1]), (".candlewire_pages", packed)])) == nil)
        #expect(try PageArchive.of(program: Data()) == nil)
        var damaged = [[], Array(packed.prefix(8)), Array(packed.dropLast(2)), packed]
        // Sizes that are not the archive's, among them one for which there is no memory.
        damaged[3][0] ^= 1
        damaged.append([UInt8](repeating: 0xFF, count: 8) + packed.dropFirst(8))
        damaged.append([UInt8](repeating: 0, count: 8) + packed.dropFirst(8))
        for section in damaged {
            #expect(throws: ServerError.self) { try PageArchive.of(program: elf([(".candlewire_page", section)])) }
        }
    }

    private func packed(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        var length = compressBound(uLong(bytes.count))
        var packed = [UInt8](repeating: 0, count: Int(length))
        #expect(compress(&packed, &length, bytes, uLong(bytes.count)) == Z_OK)
        return little(UInt64(bytes.count)) + packed.prefix(Int(length))
    }

    @Test("no cut and no changed byte of a program file's tables is read beyond its end")
    func hostile() {
        let program = elf([(".text", [1, 2]), (".candlewire_page", Array("page".utf8))])
        for length in 0..<program.count { _ = find(program.prefix(length)) }
        for index in program.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var changed = program
                changed[index] = value
                if let found = find(changed) { #expect(found.lowerBound >= 0 && found.upperBound <= changed.count) }
            }
        }
        #expect(find(program).map { String(decoding: program[$0], as: UTF8.self) } == "page")
    }

    private func find(_ file: Data) -> Range<Int>? {
        Data(file).withUnsafeBytes { ELFSection.find(".candlewire_page", in: $0) }
    }

    /// A program file of nothing but these sections.
    private func elf(_ sections: [(name: String, contents: [UInt8])]) -> Data {
        var (names, contents, table) = ([UInt8](), [UInt8](), [UInt8]())
        func header(_ name: String, _ bytes: [UInt8]) {
            table += little(UInt32(names.count)) + little(UInt32(1)) + little(UInt64(0)) + little(UInt64(0))
            table += little(UInt64(64 + contents.count)) + little(UInt64(bytes.count))
            table += [UInt8](repeating: 0, count: 24)
            names += Array(name.utf8) + [0]
            contents += bytes
        }
        for section in sections { header(section.name, section.contents) }
        var all: [UInt8] = []
        for name in sections.map(\.name) + [".shstrtab"] { all += Array(name.utf8) + [0] }
        header(".shstrtab", all)
        var file: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1] + [UInt8](repeating: 0, count: 34)
        file += little(UInt64(64 + contents.count)) + [UInt8](repeating: 0, count: 10)
        file += little(UInt16(64)) + little(UInt16(sections.count + 1)) + little(UInt16(sections.count))
        return Data(file + contents + table)
    }

    private func little<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}
