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

    @Argument(help: ArgumentHelp("Where to connect: ws:// or wss://host[:port]/path.", valueName: "url"))
    var url: String

    @Flag(help: "Offer compression (permessage-deflate).")
    var compress = false

    @Option(help: ArgumentHelp("Offer this subprotocol; may be repeated.", valueName: "name"))
    var subprotocol: [String] = []

    @OptionGroup(title: "TLS")
    var tls: TLSOptions

    func run() async throws {
        try await Failure.exitCleanly {
            var configuration = WebSocketEcho.configuration
            if !compress { configuration.compression = nil }
            let (ended, continuation) = AsyncStream<Summary>.makeStream()
            let channel = try await WebSocketClient.connect(
                url: url, subprotocols: subprotocol, tls: tls.resolved(), configuration: configuration
            ) { socket, _ in
                socket.delegate = WebSocketEcho { echo, code, reason in
                    continuation.yield(
                        Summary(messages: echo.messages, bytes: echo.bytes, code: code, reason: reason))
                    continuation.finish()
                }
            }.get()
            guard let summary = await ended.first(where: { _ in true }) else { return }
            try await channel.closeFuture.get()
            print(summary)
            if summary.code == .abnormal { throw ExitCode(1) }
        }
    }
}

/// What was done, for one line.
private struct Summary: Sendable, CustomStringConvertible {
    let messages: Int
    let bytes: Int
    let code: WebSocketCloseCode
    let reason: String

    var description: String {
        let end = code == .noStatus ? "closed without a code" : "closed with \(code.rawValue)"
        return "\(messages) messages, \(bytes) bytes sent back; \(end)\(reason.isEmpty ? "" : " (\(reason))")"
    }
}
