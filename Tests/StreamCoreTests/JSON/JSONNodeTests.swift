import StreamCore
import Testing

@Suite("JSONNode")
struct JSONNodeTests {
    @Test("each value knows its line, and numbers keep their digits")
    func lines() throws {
        let text = "\n{\"a\": 1.50,\n \"b\": [true,\n  null], \"a\":\n\"x\\n\"}"
        let bytes = [UInt8](text.utf8)
        let root = try JSONNode(parsing: bytes)
        let members = try #require(root.members)
        #expect(members.map(\.key) == ["a", "b", "a"])
        #expect(members.map { bytes.line(at: $0.node.offset) } == [2, 3, 5])
        #expect(root["b"]?.elements?.map { bytes.line(at: $0.offset) } == [3, 4])
        #expect(members[2].node.text == "x\n" && root["c"] == nil)
        #expect(root.json == #"{"a":1.50,"b":[true,null],"a":"x\n"}"#)
        #expect(try JSONNode(parsing: [UInt8](root.json.utf8)).json == root.json)
        #expect(try JSONNode(parsing: [UInt8](#"[{},[]]"#.utf8)).json == "[{},[]]")
    }

    @Test(
        "what is not JSON is refused at its line, and so is deep nesting",
        arguments: [
            ("", 1, JSONError.Problem.endOfInput), ("{\n\"a\":\n01}", 3, .invalidNumber), ("[]\n]", 2, .trailingBytes),
            (String(repeating: "[\n", count: 17), 17, .tooDeep),
        ])
    func errors(text: String, line: Int, problem: JSONError.Problem) {
        let bytes = [UInt8](text.utf8)
        let error = #expect(throws: JSONError.self) { try JSONNode(parsing: bytes) }
        #expect(error?.problem == problem && error.map { bytes.line(at: $0.offset) } == line)
    }
}
