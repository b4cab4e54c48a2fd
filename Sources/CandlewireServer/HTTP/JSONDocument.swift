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

/// A document that is an object.
protocol JSONObjectDocument: JSONDocument {
    func writeMembers(into sink: inout [UInt8])
}

extension JSONObjectDocument {
    func write(into sink: inout [UInt8]) { sink.object(writeMembers) }
}

extension JSONValue: JSONDocument {}

extension String: JSONDocument {
    func write(into sink: inout [UInt8]) { sink.string(self) }
}

/// A string: a reader that reads numbers as doubles would lose digits.
extension ExactDecimal: JSONDocument {
    func write(into sink: inout [UInt8]) {
        withText { text in
            sink.json("\"")
            sink.append(text)
            sink.json("\"")
        }
    }
}

extension Double: JSONDocument {
    func write(into sink: inout [UInt8]) { sink.number(self) }
}

extension Int: JSONDocument {
    func write(into sink: inout [UInt8]) { sink.integer(self) }
}

extension Bool: JSONDocument {
    func write(into sink: inout [UInt8]) { sink.bool(self) }
}

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
        bytes.reserveCapacity(1024)
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

    mutating func field(_ name: StaticString, _ value: (some JSONDocument)?) {
        guard let value else { return }
        self.name(name)
        value.write(into: &self)
    }

    // Names and values in turn. No parameter pack: the compiler does not specialise one.

    mutating func fields(_ a: StaticString, _ x: (some JSONDocument)?, _ b: StaticString, _ y: (some JSONDocument)?) {
        field(a, x)
        field(b, y)
    }

    mutating func fields(
        _ n1: StaticString, _ v1: (some JSONDocument)?, _ n2: StaticString, _ v2: (some JSONDocument)?,
        _ n3: StaticString, _ v3: (some JSONDocument)?
    ) {
        fields(n1, v1, n2, v2)
        field(n3, v3)
    }

    mutating func fields(
        _ n1: StaticString, _ v1: (some JSONDocument)?, _ n2: StaticString, _ v2: (some JSONDocument)?,
        _ n3: StaticString, _ v3: (some JSONDocument)?, _ n4: StaticString, _ v4: (some JSONDocument)?
    ) {
        fields(n1, v1, n2, v2)
        fields(n3, v3, n4, v4)
    }

    mutating func list(_ name: StaticString, _ documents: some Sequence<some JSONDocument>) {
        list(name, documents) { $0.write(into: &$1) }
    }

    mutating func list<Item>(_ name: StaticString, _ items: some Sequence<Item>, _ write: (Item, inout Self) -> Void) {
        self.name(name)
        json("[")
        for item in items {
            if last != UInt8(ascii: "[") { json(",") }
            write(item, &self)
        }
        json("]")
    }
}
