import Foundation
import Testing
import Tracing

@testable import CandlewireServer

@Suite("Spans in a file")
struct SpanFileTests {
    private static func path() -> String { RunningServer.temporaryFolder() + ".trace" }

    /// The lines, when there are as many; spans are written by another thread.
    private static func lines(_ path: String, count: Int) async throws -> [[String: Any]] {
        for _ in 0..<600 {
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            if text.hasSuffix("\n"), text.split(separator: "\n").count >= count { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private struct Fields: Extractor {
        func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
    }

    private struct Written: Injector {
        func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
    }

    @Test("A child has its parent's trace and names it; texts are escaped and have a bound")
    func children() async throws {
        let path = Self.path()
        let file = try SpanFile(path, sample: 1)
        let parent = file.startSpan("parent \"1\"\n", context: .topLevel, ofKind: .server)
        let child = file.startSpan("child", context: parent.context)
        child.attributes["text"] = String(repeating: "é", count: 5000)
        child.attributes["number"] = 7
        child.addEvent("reached")
        child.end()
        child.end()
        parent.setStatus(SpanStatus(code: .error))
        parent.end()
        let lines = try await Self.lines(path, count: 2)
        #expect(lines.count == 2)
        let (first, second) = (lines[0], lines[1])
        #expect(first["trace_id"] as? String == second["trace_id"] as? String)
        #expect((first["trace_id"] as? String)?.count == 32 && (first["span_id"] as? String)?.count == 16)
        #expect(first["parent_id"] as? String == second["span_id"] as? String && second["parent_id"] == nil)
        #expect(second["name"] as? String == "parent \"1\"\n" && second["kind"] as? String == "server")
        #expect(second["status"] as? String == "error" && first["status"] == nil)
        let attributes = try #require(first["attributes"] as? [String: Any])
        #expect((attributes["text"] as? String)?.count == 256 && attributes["number"] as? Int == 7)
        #expect((first["events"] as? [[String: Any]])?.first?["name"] as? String == "reached")
        #expect((first["duration_nano"] as? Int ?? -1) >= 0)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("A share of the traces is recorded, each of them whole")
    func sampling() async throws {
        let path = Self.path()
        let file = try SpanFile(path, sample: 0.25)
        for _ in 0..<400 {
            let parent = file.startSpan("p", context: .topLevel)
            file.startSpan("c", context: parent.context).end()
            parent.end()
        }
        file.startSpan("last", context: .sampled).end()
        var lines: [[String: Any]] = []
        for _ in 0..<600 where lines.last?["name"] as? String != "last" {
            lines = (try? await Self.lines(path, count: 1)) ?? []
        }
        let traces = Dictionary(grouping: lines.dropLast()) { $0["trace_id"] as? String }
        // Chance: 25 % of 400 lies between these in all but one of a billion runs.
        #expect((40...170).contains(traces.count))
        #expect(traces.values.allSatisfy { $0.count == 2 })
    }

    @Test(
        "A trace that began elsewhere goes on here, and a malformed one does not",
        arguments: [
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true),
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00", true),
            ("00-00000000000000000000000000000000-b7ad6b7169203331-01", false),
            ("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", false),
            ("00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", false),
            ("01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0", false),
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333-001", false), ("", false), ("-", false),
        ])
    func parents(header: String, isGood: Bool) throws {
        let file = try SpanFile(Self.path(), sample: 1)
        var context = ServiceContext.topLevel
        file.extract(["traceparent": header], into: &context, using: Fields())
        #expect((context.place != nil) == isGood)
        guard isGood else { return }
        let span = file.startSpan("s", context: context)
        #expect(span.isRecording == header.hasSuffix("1"))
        var carrier: [String: String] = [:]
        file.inject(span.context, into: &carrier, using: Written())
        let parts = try #require(carrier["traceparent"]).split(separator: "-")
        #expect(parts[1] == "0af7651916cd43dd8448eb211c80319c" && parts[2] != "b7ad6b7169203331")
        #expect(parts[3] == (header.hasSuffix("1") ? "01" : "00"))
    }

    @Test("Who sends traceparent does not decide how much is written")
    func foreignSampling() throws {
        let file = try SpanFile(Self.path(), sample: 0)
        var context = ServiceContext.topLevel
        file.extract(
            ["traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"], into: &context, using: Fields())
        #expect(!file.startSpan("s", context: context).isRecording)
    }

    @Test("The file is put aside when it is full, and one old one is kept")
    func rotation() async throws {
        let path = Self.path()
        let file = try SpanFile(path, sample: 1, maxBytes: 2000)
        for number in 0..<60 {
            file.startSpan("span \(number)", context: .topLevel).end()
            // Each comes into the file before the next.
            for _ in 0..<600 {
                let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
                if text.contains("\"span \(number)\"") { break }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        let sizes = try [path, path + ".1"].map {
            try #require(FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int)
        }
        #expect(sizes.allSatisfy { $0 < 2600 } && !FileManager.default.fileExists(atPath: path + ".2"))
    }

    @Test("A file that cannot be written is a sentence at the start")
    func unwritable() {
        let error = #expect(throws: ServerError.self) { try SpanFile("/no/such/folder/trace", sample: 1) }
        #expect(error?.description.contains("(No such file or directory)") == true)
    }
}
