import MarketFeeds
import NIOCore
import StreamCore
import WebSocketTransport

/// Where the tracker's messages go.
struct EchoServer {
    let url: String
    /// The one of this program, where there is no other.
    let own: LoopbackEcho?

    /// For people, without secrets.
    var name: String { own == nil ? WebSocketURL.redacted(url) : "in this program" }

    /// - Parameters:
    ///   - url: the one that was requested; `nil`: a server of this machine, or else our own.
    ///   - port: of that server.
    static func find(_ url: String?, port: Int) async throws -> EchoServer {
        if let url {
            _ = try WebSocketURL(url)
            return EchoServer(url: url, own: nil)
        }
        let usual = "ws://127.0.0.1:\(port)/raw"
        if let socket = try? await WebSocketClient.connect(url: usual, timeout: .seconds(2)) {
            await socket.close(code: .normal, reason: "")
            return EchoServer(url: usual, own: nil)
        }
        let own = try await LoopbackEcho.start()
        return EchoServer(url: own.url, own: own)
    }
}
