/// Feeds arbitrary bytes to the `Sec-WebSocket-Extensions` header: what it is read as must read the same when written
/// again, a server's answer must be one that the RFC allows, and our own client must take it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHandshake(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    guard let extensions = WebSocketExtension.parse([text]) else { return 0 }
    precondition(!extensions.isEmpty)
    precondition(WebSocketExtension.parse([written(extensions)]) == extensions, "reads differently the second time")
    for server in [
        WebSocketCompression(), WebSocketCompression(windowBits: 15),
        WebSocketCompression(windowBits: 9, peerWindowBits: 8, noContextTakeover: true, peerNoContextTakeover: true),
    ] {
        guard let (agreement, answer) = server.accept(extensions) else { continue }
        precondition((8...15).contains(agreement.serverWindowBits) && agreement.serverWindowBits <= server.windowBits)
        precondition((8...15).contains(agreement.clientWindowBits))
        guard let element = WebSocketExtension.parse([answer.headerValue])?.first else { preconditionFailure("answer") }
        precondition(DeflateParameters(element, isOffer: false) == answer, "an answer that means something else")
        precondition(WebSocketCompression().judge([element]) == .agreed(agreement), "a client that disagrees")
    }
    _ = WebSocketCompression(peerWindowBits: 9).judge(extensions)
    return 0
}

private func written(_ extensions: [WebSocketExtension]) -> String {
    extensions.map { element in
        ([element.name] + element.parameters.map { $0.name + ($0.value.map { "=\($0)" } ?? "") })
            .joined(separator: ";")
    }.joined(separator: ",")
}
