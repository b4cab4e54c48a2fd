import HTTPTypes
import Hummingbird
import NIOCore
import StreamCore
import TradingCore

/// What is sent as a JSON document, or as a part of one. Written by hand: `JSONEncoder` needs tens of microseconds for an
/// order, and each is written up to three times on its way.
protocol JSONDocument {
    func write(into sink: inout [UInt8])
}

extension JSONValue: JSONDocument {}

extension Response {
    static func json(_ document: some JSONDocument, status: HTTPResponse.Status = .ok) -> Response {
        json(status: status) { document.write(into: &$0) }
    }

    /// An object with these members.
    static func object(status: HTTPResponse.Status = .ok, _ members: (inout [UInt8]) -> Void) -> Response {
        json(status: status) { $0.object(members) }
    }

    static func json(status: HTTPResponse.Status = .ok, _ write: (inout [UInt8]) -> Void) -> Response {
        var bytes: [UInt8] = []
        write(&bytes)
        return file(bytes, type: "application/json; charset=utf-8", status: status)
    }

    static func file(_ bytes: [UInt8], type: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

/// Objects and their members. A value that is `nil` is left out.
extension [UInt8] {
    mutating func object(_ members: (inout Self) -> Void) {
        json("{")
        members(&self)
        json("}")
    }

    mutating func object(_ name: StaticString, _ members: (inout Self) -> Void) {
        self.name(name)
        object(members)
    }

    /// The name of a member, behind a comma where it is not the object's first.
    mutating func name(_ name: StaticString) {
        json(last == UInt8(ascii: "{") ? "\"" : ",\"")
        json(name)
        json("\":")
    }

    mutating func field(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        self.name(name)
        string(text)
    }

    /// Decimals are strings: a reader that reads numbers as doubles would lose digits.
    mutating func field(_ name: StaticString, _ value: ExactDecimal?) {
        field(name, value?.description)
    }

    mutating func field(_ name: StaticString, _ value: Double?) {
        guard let value else { return }
        self.name(name)
        number(value)
    }

    mutating func field(_ name: StaticString, _ value: Int) {
        self.name(name)
        integer(value)
    }

    mutating func field(_ name: StaticString, _ value: Bool) {
        self.name(name)
        bool(value)
    }

    mutating func field(_ name: StaticString, _ document: (some JSONDocument)?) {
        guard let document else { return }
        self.name(name)
        document.write(into: &self)
    }

    mutating func list(_ name: StaticString, _ documents: some Sequence<some JSONDocument>) {
        list(name, documents) { $0.write(into: &$1) }
    }

    mutating func list<Item>(
        _ name: StaticString, _ items: some Sequence<Item>, _ write: (Item, inout Self) -> Void
    ) {
        self.name(name)
        json("[")
        for item in items {
            if last != UInt8(ascii: "[") { json(",") }
            write(item, &self)
        }
        json("]")
    }
}
