import NIOCore
import NIOHTTP1

/// Answers what is asked over HTTP, on the port of the WebSockets.
final class VenueHTTPHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let shell: VenueShell
    private var head: HTTPRequestHead?

    init(_ shell: VenueShell) {
        self.shell = shell
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end:
            guard let head else { return }
            self.head = nil
            respond(head, context)
        }
    }

    private func respond(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let fields = Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
        let response = shell.answer(VenueRequest(method: head.method.rawValue, target: head.uri, headers: fields))
        var headers = HTTPHeaders(response.headers)
        if !headers.contains(name: "Content-Type") { headers.add(name: "Content-Type", value: "application/json") }
        headers.replaceOrAdd(name: "Content-Length", value: "\(response.body.utf8.count)")
        if !head.isKeepAlive { headers.replaceOrAdd(name: "Connection", value: "close") }
        let answer = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
        context.write(Self.wrapOutboundOut(.head(answer)), promise: nil)
        context.write(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: response.body)))), promise: nil)
        let done = context.writeAndFlush(Self.wrapOutboundOut(.end(nil)))
        let channel = context.channel
        if !head.isKeepAlive { done.whenComplete { _ in channel.close(promise: nil) } }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
