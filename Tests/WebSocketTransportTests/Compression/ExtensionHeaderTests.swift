import Testing

@testable import WebSocketTransport

@Suite("The Sec-WebSocket-Extensions header")
struct ExtensionHeaderTests {
    static let readable: [([String], String)] = [
        ([], ""),
        (["foo"], "foo"),
        (["foo; bar"], "foo;bar"),
        (["foo;bar=baz"], "foo;bar=baz"),
        (["foo; bar=\"baz\"; qux"], "foo;bar=baz;qux"),
        (["foo; bar=\"b\\az\""], "foo;bar=baz"),
        (["foo; bar; baz=2, bar; foo"], "foo;bar;baz=2 bar;foo"),
        (["foo", "bar;x=1"], "foo bar;x=1"),
        ([" \t foo \t; \tbar = 1 \t,baz"], "foo;bar=1 baz"),
        ([", ,foo,, bar,"], "foo bar"),
        (["Permessage-Deflate; Client_Max_Window_Bits"], "permessage-deflate;client_max_window_bits"),
        (["x-a.b_c!#$%&'*+^`|~0; q"], "x-a.b_c!#$%&'*+^`|~0;q"),
    ]

    @Test("what the grammar allows is read", arguments: readable.indices)
    func reads(index: Int) throws {
        let (headers, expected) = Self.readable[index]
        let extensions = try #require(WebSocketExtension.parse(headers))
        let text = extensions.map { element in
            ([element.name] + element.parameters.map { $0.name + ($0.value.map { "=\($0)" } ?? "") })
                .joined(separator: ";")
        }
        #expect(text.joined(separator: " ") == expected)
    }

    static let malformed = [
        "", " ", ",", ";", "foo;", "foo;;bar", "foo;=1", "foo;bar=", "foo;bar=\"", "foo;bar=\"\"", "foo;bar=\"a b\"",
        "foo;bar=\"a\\", "foo bar", "foo/bar", "foo;bar=1 2", "foo,b@r", "foo;bar=\"1\"2", "föö", "foo\u{0}", "=1",
        "foo=1",
    ]

    @Test("what it does not allow is not", arguments: malformed)
    func refuses(header: String) {
        #expect(WebSocketExtension.parse([header]) == nil)
        #expect(WebSocketExtension.parse(["fine", header]) == nil)
    }
}
