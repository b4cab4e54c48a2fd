import Foundation
import NIOCore
import NIOHTTP1
import WebSocketTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a `URLRequest` means to the transport.
struct SocketRequest: Sendable {
    let url: String
    let headers: HTTPHeaders
    let subprotocols: [String]
    let timeout: TimeAmount
    let tls: WebSocketTLS
    let configuration: WebSocketConfiguration
    let answersPings: Bool

    init(_ request: URLRequest, tls: WebSocketTLS, configuration: WebSocketConfiguration, answersPings: Bool) {
        url = Self.webSocketURL(request.url)
        var headers = HTTPHeaders((request.allHTTPHeaderFields ?? [:]).map { ($0.key, $0.value) })
        subprotocols = headers[canonicalForm: "sec-websocket-protocol"].map(String.init)
        headers.remove(name: "sec-websocket-protocol")
        self.headers = headers
        timeout = KeepAlive.amount(request.timeoutInterval)
        self.tls = tls
        self.configuration = configuration
        self.answersPings = answersPings
    }

    /// `http` is read as `ws` and `https` as `wss`; a fragment, which would be an error, is left out.
    private static func webSocketURL(_ url: URL?) -> String {
        guard let url else { return "" }
        var text = url.absoluteString.prefix { $0 != "#" }
        for (http, webSocket) in [("http:", "ws:"), ("https:", "wss:")] where text.lowercased().hasPrefix(http) {
            text = webSocket + text.dropFirst(http.count)
        }
        return String(text)
    }
}
