import NIOCore
import NIOEmbedded
import StreamCore

@testable import WebSocketTransport

/// A handler on a channel without a network and with a clock that the test moves.
struct EmbeddedSocket {
    let channel: EmbeddedChannel
    let handler: WebSocketHandler
    let recorder = Recorder()

    init(
        _ role: WebSocketRole, configuration: WebSocketConfiguration? = nil, agreement: DeflateAgreement? = nil
    ) throws {
        handler = WebSocketHandler(
            role: role, configuration: configuration ?? (role == .server ? .server : .client), agreement: agreement)
        handler.delegate = recorder
        channel = EmbeddedChannel(handler: handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    var log: [String] { recorder.log }
    var loop: EmbeddedEventLoop { channel.embeddedEventLoop }

    /// Bytes from the peer; a client's are masked as they must be.
    func receive(_ frames: ByteBuffer...) throws {
        var all = ByteBuffer()
        for var frame in frames { all.writeBuffer(&frame) }
        try channel.writeInbound(all)
    }

    /// What the handler sent since the last call, read by the other role's machine.
    func sent() throws -> [String] {
        var machine = WebSocketMachine(
            role: handler.role == .server ? .client : .server, limits: .client, allowsCompression: true)
        var all = ByteBuffer()
        while var part = try channel.readOutbound(as: ByteBuffer.self) { all.writeBuffer(&part) }
        var events: [String] = []
        all.withUnsafeReadableBytes { bytes in
            var input = bytes
            while let event = machine.next(&input) {
                switch event {
                case .text(let text): events.append("text \(String(decoding: text, as: UTF8.self))")
                case .binary(let bytes): events.append("binary \(Array(bytes))")
                case .compressed(let bytes, _): events.append("compressed \(bytes.count) bytes")
                case .ping(let bytes): events.append("ping \(Array(bytes))")
                case .pong(let bytes): events.append("pong \(Array(bytes))")
                case .close(let code, let reason):
                    events.append("close \(code.rawValue) \(String(decoding: reason, as: UTF8.self))")
                case .failed(let failure): events.append("failed \(failure)")
                }
            }
            if input.count > 0 { events.append("\(input.count) bytes behind the close") }
        }
        return events
    }
}
