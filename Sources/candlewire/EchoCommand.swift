import ArgumentParser
import NIOCore
import StreamCore
import WebSocketTransport

struct EchoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "echo",
        abstract: "Connect to a WebSocket and send every message back until the other side closes.",
        discussion: """
            EXAMPLES
              candlewire echo ws://127.0.0.1:9001/
                  for conformance suites and tests of proxies; messages of up to 16 MiB
            """)

    @Argument("Where to connect: ws:// or wss://host[:port]/path.", "url") var url: String
    @Flag(help: "Offer compression (permessage-deflate).") var compress = false
    @Option("Offer this subprotocol; may be repeated.", "name") var subprotocol: [String] = []
    @OptionGroup(title: "TLS") var tls: TLSOptions

    func run() async throws {
        try await Failure.exitCleanly {
            var configuration = WebSocketEcho.configuration
            if !compress { configuration.compression = nil }
            let (ended, continuation) = AsyncStream<(code: WebSocketCloseCode, summary: String)>.makeStream()
            let channel = try await WebSocketConnector.connect(
                url: url, subprotocols: subprotocol, tls: tls.resolved(), configuration: configuration
            ) { socket, _ in
                socket.delegate = WebSocketEcho { echo, code, reason in
                    let end = code == .noStatus ? "closed without a code" : "closed with \(code.rawValue)"
                    let why = reason.isEmpty ? "" : " (\(reason))"
                    let summary = "\(echo.messages) messages, \(echo.bytes) bytes sent back; \(end)\(why)"
                    continuation.yield((code, summary))
                    continuation.finish()
                }
            }.get()
            guard let (code, summary) = await ended.first(where: { _ in true }) else { return }
            try await channel.closeFuture.get()
            print(summary)
            if code == .abnormal { throw ExitCode(1) }
        }
    }
}
